import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import type { StoredKey } from '../../src/api-keys/api-keys.ts';
import { KeyRing } from '../../src/api-keys/key-ring.ts';
import { connect } from '../../src/db/connect.ts';
import { idTime, newId } from '../../src/ids.ts';
import { decimalsOf } from '../../src/money.ts';
import { serve } from '../lib/child.ts';

/*
 * node:http and pg as one writes them by hand: rows become objects, JSON.stringify makes the answer, and a create is
 * a transaction. Tuned: every statement is prepared; the lease is found inside the insert and the subscribers inside
 * the insert into the queue, so that a create is five round trips; nothing is validated. Answers have an ETag, by the
 * hash that Tenure uses, and pages a Link to the next one. Keys are looked up and remembered by Tenure's own code, on a
 * connection beside the pool, so that only what is compared differs.
 */

type Text = 'id' | 'tenant_id' | 'currency' | 'paid_on' | 'method' | 'status' | 'source';
type MaybeText =
  | ('lease_id' | 'charge_id' | 'property_id' | 'unit_id')
  | ('reversed_on' | 'period' | 'reference' | 'memo' | 'external_id');
type PaymentRow = Record<Text, string> &
  Record<MaybeText, string | null> &
  Record<'created_at' | 'updated_at', Date> & { amount_cents: number };

type PaymentBody = Pick<PaymentRow, 'tenant_id' | 'amount_cents'> &
  Partial<Record<'currency' | 'paid_on' | 'method' | 'status' | 'period' | 'reference' | 'memo', string>>;

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

export interface Start {
  connection: { host: string; port: number; user: string; database: string };
  max: number;
}

serve({
  /** Returns the port it listens on. */
  async start({ connection, max }: Start): Promise<number> {
    const pool = new pg.Pool({ ...connection, max });
    const keys = new KeyRing(connect({ connection, poolSize: 1, onError: () => undefined }));
    const answer = async (request: IncomingMessage): Promise<Answer> => {
      const { authorization } = request.headers;
      const key = authorization?.startsWith('Bearer ')
        ? await keys.find(authorization.slice(7), new Date())
        : null;
      if (key === null) return [401, { error: { code: 401, message: 'Unauthorized' } }];
      if (request.method !== 'POST') return [200, ...(await list(pool, key))];
      return [201, { data: await create(pool, key, JSON.parse(await text(request))) }];
    };
    const server = createServer(async (request, response) => {
      const [status, body, next] = await answer(request);
      const json = JSON.stringify(body);
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(json),
        etag: `"${hash('blake2b512', json, 'base64url').slice(0, 22)}"`,
        ...(next && { link: `</api/v1/payments?limit=100&cursor=${next}>; rel="next"` }),
      };
      response.writeHead(status, headers).end(json);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  },
});

/** `next` is the place of the next page. */
type Answer = [status: number, body: object, next?: string | undefined];

async function list(
  pool: pg.Pool,
  { account_id }: StoredKey,
): Promise<[page: object, next: string | undefined]> {
  const { rows } = await pool.query<PaymentRow>({
    name: 'list',
    text: `select ${columns} from payments where account_id = $1 order by id desc limit 101`,
    values: [account_id],
  });
  const data = rows.slice(0, 100).map(present);
  return [{ data, count: data.length }, rows.length > 100 ? data[99]?.id : undefined];
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

async function insert(client: pg.PoolClient, { account_id, currency }: StoredKey, body: PaymentBody) {
  const id = newId();
  const event = newId();
  const at = idTime(id);
  const { rows } = await client.query<PaymentRow>({
    name: 'insert_payment',
    text: insertPayment,
    values: [
      account_id,
      id,
      body.tenant_id.slice('ten_'.length),
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
  const sent = {
    id: publicId('evt', event),
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
  id: publicId('pay', row.id),
  tenant_id: publicId('ten', row.tenant_id),
  lease_id: publicIdOrNull('lease', row.lease_id),
  charge_id: publicIdOrNull('chg', row.charge_id),
  property_id: publicIdOrNull('prop', row.property_id),
  unit_id: publicIdOrNull('unit', row.unit_id),
  amount_cents: row.amount_cents,
  amount: decimal(row.amount_cents, row.currency),
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

const publicId = (prefix: string, uuid: string): string => `${prefix}_${uuid.replaceAll('-', '')}`;
const publicIdOrNull = (prefix: string, uuid: string | null): string | null =>
  uuid === null ? null : publicId(prefix, uuid);

function decimal(cents: number, currency: string): string {
  const digits = decimalsOf(currency);
  return (cents / 10 ** digits).toFixed(digits);
}
