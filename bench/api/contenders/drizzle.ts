import { and, arrayContains, desc, eq, getTableColumns, gt, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { bigint, boolean, date, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { StoredKey } from '../../../src/api-keys/api-keys.ts';
import { idTime, newId } from '../../../src/ids.ts';
import { contender } from './contender.ts';
import { listenFastify } from './fastify-peer.ts';
import { eventBody, newRow, type PaymentBody, present, tenantOf } from './payment.ts';

/*
 * Fastify and Drizzle on pg. Tuned: prepared statements throughout (the reads are built once and take placeholders; in a
 * transaction they must be built anew, but have a name and so are parsed once), only the columns that are
 * shown, the two look-ups of a create side by side before its transaction, which is three inserts.
 */

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 6 }).notNull();
const columns = {
  id: uuid('id').notNull(),
  tenant_id: uuid('tenant_id').notNull(),
  lease_id: uuid('lease_id'),
  property_id: uuid('property_id'),
  unit_id: uuid('unit_id'),
  amount_cents: bigint('amount_cents', { mode: 'number' }).notNull(),
  currency: text('currency').notNull(),
  paid_on: date('paid_on', { mode: 'string' }).notNull(),
  method: text('method').notNull(),
  status: text('status').notNull(),
  period: text('period'),
  reference: text('reference'),
  memo: text('memo'),
  source: text('source').notNull(),
  created_at: time('created_at'),
  updated_at: time('updated_at'),
};
const payments = pgTable('payments', { account_id: uuid('account_id').notNull(), ...columns });
const { account_id: _, ...shown } = getTableColumns(payments);
const leases = pgTable('leases', {
  account_id: uuid('account_id').notNull(),
  id: uuid('id').notNull(),
  unit_id: uuid('unit_id').notNull(),
  property_id: uuid('property_id').notNull(),
  start_date: date('start_date', { mode: 'string' }).notNull(),
  until: date('until', { mode: 'string' }),
  currency: text('currency').notNull(),
});
const leaseTenants = pgTable('lease_tenants', {
  account_id: uuid('account_id').notNull(),
  lease_id: uuid('lease_id').notNull(),
  tenant_id: uuid('tenant_id').notNull(),
});
const endpoints = pgTable('webhook_endpoints', {
  account_id: uuid('account_id').notNull(),
  id: uuid('id').notNull(),
  events: text('events').array().notNull(),
  status: text('status').notNull(),
});
const events = pgTable('events', {
  account_id: uuid('account_id').notNull(),
  id: uuid('id').notNull(),
  event: text('event').notNull(),
  body: text('body').notNull(),
  created_at: time('created_at'),
});
const queue = pgTable('delivery_queue', {
  id: uuid('id').notNull(),
  account_id: uuid('account_id').notNull(),
  endpoint_id: uuid('endpoint_id').notNull(),
  event_id: uuid('event_id').notNull(),
  event: text('event').notNull(),
  kind: text('kind').notNull(),
  ready: boolean('ready').notNull(),
  next_at: time('next_at'),
  created_at: time('created_at'),
});

contender(async ({ connection, poolSize }, findKey) => {
  const db = drizzle({ client: new pg.Pool({ ...connection, max: poolSize }) });
  const list = db
    .select(shown)
    .from(payments)
    .where(eq(payments.account_id, sql.placeholder('account')))
    .orderBy(desc(payments.id))
    .limit(sql.placeholder('limit'))
    .prepare('list');
  const reads = prepareReads(db);
  return listenFastify(findKey, {
    async list(accountId, limit) {
      const rows = await list.execute({ account: accountId, limit: limit + 1 });
      return rows.slice(0, limit).map(present);
    },
    create: (key, body) => create(db, reads, key, body),
  });
});

const prepareReads = (db: NodePgDatabase) => ({
  lease: db
    .select({
      id: leases.id,
      unit_id: leases.unit_id,
      property_id: leases.property_id,
      currency: leases.currency,
    })
    .from(leaseTenants)
    .innerJoin(
      leases,
      and(eq(leases.account_id, leaseTenants.account_id), eq(leases.id, leaseTenants.lease_id)),
    )
    .where(
      and(
        eq(leaseTenants.account_id, sql.placeholder('account')),
        eq(leaseTenants.tenant_id, sql.placeholder('tenant')),
        lte(leases.start_date, sql.placeholder('day')),
        or(isNull(leases.until), gt(leases.until, sql.placeholder('day'))),
      ),
    )
    .orderBy(desc(leases.start_date), desc(leases.id))
    .limit(1)
    .prepare('lease'),
  subscribers: db
    .select({ id: endpoints.id })
    .from(endpoints)
    .where(
      and(
        eq(endpoints.account_id, sql.placeholder('account')),
        arrayContains(endpoints.events, ['payment.created']),
        ne(endpoints.status, 'disabled'),
      ),
    )
    .prepare('subscribers'),
});

async function create(
  db: NodePgDatabase,
  reads: ReturnType<typeof prepareReads>,
  { account_id, currency }: StoredKey,
  body: PaymentBody,
) {
  const id = newId();
  const event = newId();
  const at = idTime(id);
  const day = body.paid_on ?? at.toISOString().slice(0, 10);
  const [[lease], subscribers] = await Promise.all([
    reads.lease.execute({ account: account_id, tenant: tenantOf(body), day }),
    reads.subscribers.execute({ account: account_id }),
  ]);
  const row = newRow(id, at, body, lease ?? null, currency);
  return db.transaction(async (tx) => {
    const [stored] = await tx
      .insert(payments)
      .values({ account_id, ...row })
      .returning(shown)
      .prepare('insert_payment')
      .execute();
    if (!stored) throw new Error('An inserted payment returned no row.');
    const record = present(stored);
    await tx
      .insert(events)
      .values({
        account_id,
        id: event,
        event: 'payment.created',
        body: eventBody(event, at, record),
        created_at: at,
      })
      .prepare('insert_event')
      .execute();
    if (subscribers.length > 0)
      await tx
        .insert(queue)
        .values(
          subscribers.map((endpoint) => ({
            id: newId(),
            account_id,
            endpoint_id: endpoint.id,
            event_id: event,
            event: 'payment.created',
            kind: 'event',
            ready: true,
            next_at: at,
            created_at: at,
          })),
        )
        .prepare(`insert_queue_${subscribers.length}`)
        .execute();
    return record;
  });
}
