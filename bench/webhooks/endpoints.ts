import type pg from 'pg';
import { type Caller, operator } from '../../src/caller.ts';
import type { Database } from '../../src/db/connect.ts';
import { createSecretBox } from '../../src/secrets/secret-box.ts';
import { subscribe } from '../../src/webhooks/webhooks.ts';
import { newAccount } from '../lib/database.ts';
import { secretKey } from '../lib/tenure.ts';
import { batchesOf, type Load, makeWebhooks } from './workload.ts';

/** An endpoint of Tenure's that subscribes to payments. */
export interface Endpoint {
  accountId: string;
  id: string;
}

/** The default of WEBHOOKS_PER_ACCOUNT. */
const mostPerAccount = 100;

/** The actor of the benchmark, in an account. */
export const callerOf = (accountId: string): Caller => ({
  accountId,
  currency: 'USD',
  timeZone: 'UTC',
  permission: 'write',
  source: 'api',
  actor: operator,
});

/** An endpoint for each URL, in as many accounts as needed. */
export async function subscribeAll(db: Database, urls: string[]): Promise<Endpoint[]> {
  const secrets = createSecretBox(secretKey);
  const endpoints: Endpoint[] = [];
  for (const batch of batchesOf(urls, mostPerAccount)) {
    const accountId = await newAccount(db);
    const asked = {
      caller: callerOf(accountId),
      source: 'api' as const,
      events: ['payment.created' as const],
    };
    for (const url of batch) {
      const json = await subscribe(db, secrets, { ...asked, url }, mostPerAccount);
      const { id } = JSON.parse(json) as { id: string };
      endpoints.push({ accountId, id: id.slice('we_'.length) });
    }
  }
  return endpoints;
}

/** The rows that recording this many payments would have left. */
export async function queueDeliveries(
  client: pg.Pool | pg.PoolClient,
  endpoints: Endpoint[],
  load: Load,
): Promise<void> {
  for (const batch of batchesOf(makeWebhooks(load), 5_000)) {
    const to = batch.map(({ endpoint }) => endpoints[endpoint]);
    await client.query(queue, [
      batch.map(({ id }) => id),
      to.map((endpoint) => endpoint?.accountId),
      to.map((endpoint) => endpoint?.id),
      batch.map(({ body }) => body),
    ]);
  }
}

const queue = `
  with load as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) as l(id, account_id, endpoint_id, body)),
  made as (
    insert into events (account_id, id, event, body, created_at)
    select account_id, id, 'payment.created', body, clock_timestamp() from load)
  insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
  select id, account_id, endpoint_id, id, 'payment.created', 'event', true, clock_timestamp(), clock_timestamp()
  from load`;

export async function countRows(pool: pg.Pool, from: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::integer as count from ${from}`);
  return rows[0]?.count ?? 0;
}
