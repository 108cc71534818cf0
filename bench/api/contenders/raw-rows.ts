import pg from 'pg';
import { idTime, newId } from '../../../src/ids.ts';
import { contender, listenRaw } from './contender.ts';
import { eventBody, type PaymentBody, type PaymentRow, present, tenantOf } from './payment.ts';

/*
 * node:http and pg as one writes them by hand: rows become objects, JSON.stringify makes the answer, and a create is a
 * transaction. Tuned: every statement is prepared; the lease is found inside the insert and the subscribers inside the
 * insert into the queue, so that a create is five round trips; nothing is validated.
 */

const columns =
  'id, tenant_id, lease_id, property_id, unit_id, amount_cents, currency, paid_on, method, status, period, reference, memo, source, created_at, updated_at';

const insertPayment = `insert into payments (account_id, id, tenant_id, lease_id, unit_id, property_id, amount_cents, currency, paid_on,
    method, status, period, reference, memo, source, created_at, updated_at)
  select $1, $2, $3, lease.id, lease.unit_id, lease.property_id, $4, coalesce($5, lease.currency, $6), $7, $8, $9, $10, $11, $12, 'api', $13, $13
  from (values (1)) one left join (
    select l.id, l.unit_id, l.property_id, l.currency from lease_tenants lt
    join leases l on l.account_id = lt.account_id and l.id = lt.lease_id
    where lt.account_id = $1 and lt.tenant_id = $3 and l.start_date <= $7::date and (l.until is null or l.until > $7::date)
    order by l.start_date desc, l.id desc limit 1) lease on true
  returning ${columns}`;

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

contender(async ({ connection, poolSize }, findKey) => {
  const pool = new pg.Pool({ ...connection, max: poolSize });
  return listenRaw(findKey, {
    async list({ account_id }) {
      const { rows } = await pool.query<PaymentRow>({
        name: 'list',
        text: `select ${columns} from payments where account_id = $1 order by id desc limit 101`,
        values: [account_id],
      });
      const data = rows.slice(0, 100).map(present);
      return { status: 200, body: JSON.stringify({ data, count: data.length }) };
    },
    async create(key, text) {
      const body = JSON.parse(text) as PaymentBody;
      const client = await pool.connect();
      try {
        await client.query('begin');
        const record = await write(client, key.account_id, key.currency, body);
        await client.query('commit');
        return { status: 201, body: JSON.stringify({ data: record }) };
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
  });
});

async function write(client: pg.PoolClient, accountId: string, currency: string, body: PaymentBody) {
  const id = newId();
  const event = newId();
  const at = idTime(id);
  const { rows } = await client.query<PaymentRow>({
    name: 'insert_payment',
    text: insertPayment,
    values: [
      accountId,
      id,
      tenantOf(body),
      body.amount_cents,
      body.currency ?? null,
      currency,
      body.paid_on ?? at.toISOString().slice(0, 10),
      body.method ?? 'other',
      body.status ?? 'paid',
      body.period ?? null,
      body.reference ?? null,
      body.memo ?? null,
      at,
    ],
  });
  if (!rows[0]) throw new Error('An inserted payment returned no row.');
  const record = present(rows[0]);
  await client.query({
    name: 'insert_event',
    text: `insert into events (account_id, id, event, body, created_at) values ($1, $2, 'payment.created', $3, $4)`,
    values: [accountId, event, eventBody(event, at, record), at],
  });
  await client.query({
    name: 'insert_queue',
    text: `insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
      select gen_random_uuid(), w.account_id, w.id, $2, 'payment.created', 'event', true, $3, $3 from webhook_endpoints w
      where w.account_id = $1 and w.events @> '{payment.created}' and w.status <> 'disabled'`,
    values: [accountId, event, at],
  });
  return record;
}
