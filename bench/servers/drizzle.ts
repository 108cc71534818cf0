import { and, arrayContains, desc, eq, getTableColumns, gt, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, boolean, date, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { listenFastify } from './fastify.ts';
import { serveContender } from './server.ts';

/*
 * Fastify and Drizzle on pg. Tuned: prepared statements throughout (the reads are built once and take placeholders;
 * in a transaction they must be built anew, but have a name and so are parsed once), and only the columns that are
 * shown.
 */

const id = () => uuid().notNull();
const word = () => text().notNull();
const day = () => date({ mode: 'string' });
const time = () => timestamp({ withTimezone: true, precision: 6 }).notNull();

const payments = pgTable('payments', {
  account_id: id(),
  id: id(),
  tenant_id: id(),
  lease_id: uuid(),
  charge_id: uuid(),
  property_id: uuid(),
  unit_id: uuid(),
  amount_cents: bigint({ mode: 'number' }).notNull(),
  currency: word(),
  paid_on: day().notNull(),
  method: word(),
  status: word(),
  reversed_on: day(),
  period: text(),
  reference: text(),
  memo: text(),
  external_id: text(),
  source: word(),
  created_at: time(),
  updated_at: time(),
});
const { account_id: _, ...shown } = getTableColumns(payments);
const leases = pgTable('leases', {
  account_id: id(),
  id: id(),
  unit_id: id(),
  property_id: id(),
  start_date: day().notNull(),
  until: day(),
  currency: word(),
});
const leaseTenants = pgTable('lease_tenants', { account_id: id(), lease_id: id(), tenant_id: id() });
const endpoints = pgTable('webhook_endpoints', {
  account_id: id(),
  id: id(),
  events: text().array().notNull(),
  status: word(),
});
const events = pgTable('events', {
  account_id: id(),
  id: id(),
  event: word(),
  body: word(),
  created_at: time(),
});
const queue = pgTable('delivery_queue', {
  id: id(),
  account_id: id(),
  endpoint_id: id(),
  event_id: id(),
  event: word(),
  kind: word(),
  ready: boolean().notNull(),
  next_at: time(),
  created_at: time(),
});

serveContender(async (pool, findKey) => {
  const db = drizzle({ client: new pg.Pool(pool) });
  const account = sql.placeholder('account');
  const onDay = sql.placeholder('day');
  const list = db
    .select(shown)
    .from(payments)
    .where(eq(payments.account_id, account))
    .orderBy(desc(payments.id))
    .limit(sql.placeholder('limit'))
    .prepare('list');
  const lease = db
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
        eq(leaseTenants.account_id, account),
        eq(leaseTenants.tenant_id, sql.placeholder('tenant')),
        lte(leases.start_date, onDay),
        or(isNull(leases.until), gt(leases.until, onDay)),
      ),
    )
    .orderBy(desc(leases.start_date), desc(leases.id))
    .limit(1)
    .prepare('lease');
  const wantsPayments = arrayContains(endpoints.events, ['payment.created']);
  const subscribers = db
    .select({ id: endpoints.id })
    .from(endpoints)
    .where(and(eq(endpoints.account_id, account), wantsPayments, ne(endpoints.status, 'disabled')))
    .prepare('subscribers');
  return listenFastify(findKey, {
    list: (accountId, limit) => list.execute({ account: accountId, limit }),
    lease: async (accountId, tenant, day) => (await lease.execute({ account: accountId, tenant, day }))[0],
    subscribers: (accountId) => subscribers.execute({ account: accountId }),
    insert: ({ payment, event, queued }) =>
      db.transaction(async (tx) => {
        await tx.insert(payments).values(payment).prepare('insert_payment').execute();
        await tx.insert(events).values(event).prepare('insert_event').execute();
        if (queued.length > 0)
          await tx.insert(queue).values(queued).prepare(`insert_queue_${queued.length}`).execute();
      }),
  });
});
