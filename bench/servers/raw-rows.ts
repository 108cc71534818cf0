import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import type { z } from 'zod';
import type { StoredKey } from '../../src/api-keys/api-keys.ts';
import { KeyRing } from '../../src/api-keys/key-ring.ts';
import { connect } from '../../src/db/connect.ts';
import { formatId, idTime, newId } from '../../src/ids.ts';
import { decimalText } from '../../src/money.ts';
import type * as schema from '../../src/payments/payments.schema.ts';
import { serve } from '../lib/child.ts';
import type { BenchDatabase } from '../lib/postgres.ts';

/*
 * node:http and pg as people use them by hand: rows become objects, JSON.stringify makes the answer, and a create is a
 * transaction. Tuned: every statement is prepared; the lease is found inside the insert and the subscribers inside the
 * insert into the queue, so that a create is five round trips; nothing is validated. Answers have an ETag, by the hash
 * that Tenure uses, and pages a Link to the next one. Keys are looked up and remembered by Tenure's own code, on a
 * connection beside the pool, so that only what is compared differs.
 */

type Payment = z.output<typeof schema.Payment>;
type PaymentRow = Omit<Payment, 'created_at' | 'updated_at'> & Record<'created_at' | 'updated_at', Date>;
type PaymentBody = Partial<schema.PaymentInput> & Pick<schema.PaymentInput, 'tenant_id' | 'amount_cents'>;

const columns = `id, tenant_id, lease_id, charge_id, property_id, unit_id, amount_cents, currency, paid_on, method,
  status, reversed_on, period, reference, memo, external_id, source, created_at, updated_at`;

const insertPayment = `insert into payments (account_id, id, tenant_id, lease_id, unit_id, property_id,
    amount_cents, currency, paid_on, method, status, period, reference, memo, source, created_at, updated_at)
  select $1, $2, $3, lease.id, lease.unit_id, lease.property_id,
    $4, coalesce($5, lease.currency, $6), $7, $8, $9, $10, $11, $12, 'api', $13, $13
  from (values (1)) one left join (
    select l.id, l.unit_id, l.property_id, l.currency from lease_tenants lt
    join leases l on l.account_id = lt.account_id and l.id = lt.lease_id
    where lt.account_id = $1 and lt.tenant_id = $3
      and l.start_date <= $7::date and (l.until is null or l.until > $7::date)
    order by l.start_date desc, l.id desc limit 1) lease on true
  returning ${columns}`;

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);

serve({
  /** Returns the port it listens on. */
  async start({ connection, max }: Pick<BenchDatabase, 'connection'> & { max: number }): Promise<number> {
    const pool = new pg.Pool({ ...connection, max });
    const keys = new KeyRing(connect({ connection, poolSize: 1, onError: () => undefined }));
    const server = createServer(async (request, response) => {
      const bearer = request.headers.authorization ?? '';
      const key = await keys.find(bearer.slice('Bearer '.length), new Date());
      if (key === null) return void response.writeHead(401).end();
      const isPost = request.method === 'POST';
      const { body, next } = isPost
        ? { body: { data: await create(pool, key, JSON.parse(await text(request))) } }
        : await list(pool, key);
      const json = JSON.stringify(body);
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(json),
        etag: `"${hash('blake2b512', json, 'base64url').slice(0, 22)}"`,
        ...(next && { link: `</api/v1/payments?limit=100&cursor=${next}>; rel="next"` }),
      };
      response.writeHead(isPost ? 201 : 200, headers).end(json);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  },
});

/** With the position of the next page, if there is one. */
async function list(pool: pg.Pool, { account_id }: StoredKey): Promise<{ body: object; next?: string }> {
  const { rows } = await pool.query<PaymentRow>({
    name: 'list',
    text: `select ${columns} from payments where account_id = $1 order by id desc limit 101`,
    values: [account_id],
  });
  const data = rows.slice(0, 100).map(present);
  return { body: { data, count: data.length }, ...(rows.length > 100 && { next: data[99]?.id }) };
}

async function create(pool: pg.Pool, key: StoredKey, body: PaymentBody) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const record = await insert(client, key, body);
    await client.query('commit');
    return record;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function insert(client: pg.PoolClient, key: StoredKey, body: PaymentBody) {
  const { account_id } = key;
  const [id, event] = [newId(), newId()];
  const at = idTime(id);
  const { tenant_id, amount_cents, currency, paid_on = at.toISOString().slice(0, 10) } = body;
  const { method = 'other', status = 'paid', period, reference, memo } = body;
  const tenant = tenant_id.slice('ten_'.length);
  const { rows } = await client.query<PaymentRow>({
    name: 'insert_payment',
    text: insertPayment,
    values: [
      ...[account_id, id, tenant, amount_cents, currency, key.currency, paid_on],
      ...[method, status, period, reference, memo, at],
    ],
  });
  if (!rows[0]) throw new Error('An inserted payment returned no row.');
  const record = present(rows[0]);
  const sent = {
    id: formatId('evt', event),
    event: 'payment.created',
    created_at: at.toISOString(),
    data: { payment: record },
  };
  await client.query({
    name: 'insert_event',
    text: `insert into events (account_id, id, event, body, created_at) values ($1, $2, 'payment.created', $3, $4)`,
    values: [account_id, event, JSON.stringify(sent), at],
  });
  await client.query({
    name: 'insert_queue',
    text: `insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
      select gen_random_uuid(), w.account_id, w.id, $2, 'payment.created', 'event', true, $3, $3
      from webhook_endpoints w
      where w.account_id = $1 and w.events @> '{payment.created}' and w.status <> 'disabled'`,
    values: [account_id, event, at],
  });
  return record;
}

const present = (row: PaymentRow) => ({
  id: formatId('pay', row.id),
  tenant_id: formatId('ten', row.tenant_id),
  lease_id: row.lease_id && formatId('lease', row.lease_id),
  charge_id: row.charge_id && formatId('chg', row.charge_id),
  property_id: row.property_id && formatId('prop', row.property_id),
  unit_id: row.unit_id && formatId('unit', row.unit_id),
  amount_cents: row.amount_cents,
  amount: decimalText(row.amount_cents, row.currency),
  currency: row.currency,
  paid_on: row.paid_on,
  method: row.method,
  status: row.status,
  reversed_on: row.reversed_on,
  period: row.period,
  reference: row.reference,
  memo: row.memo,
  external_id: row.external_id,
  source: row.source,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
