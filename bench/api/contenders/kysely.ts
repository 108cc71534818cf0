import { type Generated, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { StoredKey } from '../../../src/api-keys/api-keys.ts';
import { idTime, newId } from '../../../src/ids.ts';
import { contender } from './contender.ts';
import { listenFastify } from './fastify-peer.ts';
import { eventBody, newRow, type PaymentBody, type PaymentRow, present, tenantOf } from './payment.ts';

/*
 * Fastify and Kysely on pg. Tuned: numbers and dates come as they are needed, only the columns that are shown are read, the
 * two look-ups of a create run side by side before its transaction, which is three inserts. Kysely has no
 * prepared statements.
 */

interface Tables {
  payments: PaymentRow & { account_id: string };
  leases: {
    account_id: string;
    id: string;
    unit_id: string;
    property_id: string;
    start_date: string;
    until: string | null;
    currency: string;
  };
  lease_tenants: { account_id: string; lease_id: string; tenant_id: string };
  webhook_endpoints: { account_id: string; id: string; events: string[]; status: string };
  events: { account_id: string; id: string; event: string; body: string; created_at: Date };
  delivery_queue: {
    id: string;
    account_id: string;
    endpoint_id: string;
    event_id: string;
    event: string;
    kind: string;
    ready: boolean;
    next_at: Date;
    created_at: Date;
    attempts: Generated<number>;
  };
}

const columns = [
  'id',
  'tenant_id',
  'lease_id',
  'property_id',
  'unit_id',
  'amount_cents',
  'currency',
  'paid_on',
  'method',
  'status',
  'period',
  'reference',
  'memo',
  'source',
  'created_at',
  'updated_at',
] as const;

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

contender(async ({ connection, poolSize }, findKey) => {
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ ...connection, max: poolSize }) }),
  });
  return listenFastify(findKey, {
    async list(accountId, limit) {
      const rows = await db
        .selectFrom('payments')
        .select(columns)
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      return rows.slice(0, limit).map(present);
    },
    create: (key, body) => create(db, key, body),
  });
});

async function create(db: Kysely<Tables>, { account_id, currency }: StoredKey, body: PaymentBody) {
  const id = newId();
  const event = newId();
  const at = idTime(id);
  const paidOn = body.paid_on ?? at.toISOString().slice(0, 10);
  const [lease, endpoints] = await Promise.all([
    db
      .selectFrom('lease_tenants as lt')
      .innerJoin('leases as l', (join) =>
        join.onRef('l.account_id', '=', 'lt.account_id').onRef('l.id', '=', 'lt.lease_id'),
      )
      .select(['l.id', 'l.unit_id', 'l.property_id', 'l.currency'])
      .where('lt.account_id', '=', account_id)
      .where('lt.tenant_id', '=', tenantOf(body))
      .where('l.start_date', '<=', paidOn)
      .where((eb) => eb.or([eb('l.until', 'is', null), eb('l.until', '>', paidOn)]))
      .orderBy('l.start_date', 'desc')
      .orderBy('l.id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('webhook_endpoints')
      .select('id')
      .where('account_id', '=', account_id)
      .where(sql<boolean>`events @> array['payment.created']`)
      .where('status', '<>', 'disabled')
      .execute(),
  ]);
  const row = newRow(id, at, body, lease ?? null, currency);
  return db.transaction().execute(async (tx) => {
    const stored = await tx
      .insertInto('payments')
      .values({ account_id, ...row })
      .returning(columns)
      .executeTakeFirstOrThrow();
    const record = present(stored);
    await tx
      .insertInto('events')
      .values({
        account_id,
        id: event,
        event: 'payment.created',
        body: eventBody(event, at, record),
        created_at: at,
      })
      .execute();
    if (endpoints.length > 0)
      await tx
        .insertInto('delivery_queue')
        .values(
          endpoints.map((endpoint) => ({
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
        .execute();
    return record;
  });
}
