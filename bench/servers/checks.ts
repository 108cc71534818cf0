import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/db/connect.ts';
import { sql } from '../../src/db/sql.ts';
import { formatId } from '../../src/ids.ts';
import { probes } from '../../test/support/many-records.ts';
import { connections, type Load } from './wrk.ts';

/* Whether a create did all that it has to: a payment, its event and the delivery to the one subscriber. */

export interface Server {
  name: string;
  pid: number;
  url: string;
}

const quietMs = 300;

/**
 * Every answer has its three rows. wrk leaves without waiting for its last requests, whose rows may be there as well.
 * The event log and the queue begin empty for each server, as a worker would leave the queue.
 */
export async function checkedCreates(name: string, db: Database, create: () => Promise<Load>): Promise<Load> {
  await db.query(sql`truncate events, delivery_queue`);
  const before = await quietCounts(db);
  const done = await create();
  const { payments, events, queued } = await quietCounts(db);
  const made = payments - before.payments;
  const isWhole = events === made && queued === made;
  if (!isWhole || made < done.requests || made > done.requests + connections)
    throw new Error(`${name}: ${done.requests} answers, but ${JSON.stringify({ made, events, queued })}.`);
  return done;
}

/** Waits until nothing is added any more: a server continues with wrk's last requests. */
async function quietCounts(db: Database) {
  let before = -1;
  for (;;) {
    const [row] = await db.query<{ payments: number; events: number; queued: number }>(sql`
      select (select count(*)::integer from payments) as payments,
        (select count(*)::integer from events where event = 'payment.created') as events,
        (select count(*)::integer from delivery_queue) as queued`);
    if (row && row.payments === before) return row;
    before = row?.payments ?? -1;
    await sleep(quietMs);
  }
}

/** The same page from both, each with a tag and a link to the next one. Returns its least number of bytes. */
export async function checkSamePages(servers: Server[], key: string, path: string): Promise<number> {
  let expected: object | undefined;
  for (const { name, url } of servers) {
    // As wrk asks; Tenure alone compresses.
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' };
    const response = await fetch(url + path, { headers });
    strictEqual(response.status, 200, name);
    match(response.headers.get('etag') ?? '', /^"[\w-]{22}"$/, name);
    match(response.headers.get('link') ?? '', /cursor=\w.*rel="next"/, name);
    const page = (await response.json()) as object;
    expected ??= page;
    deepStrictEqual(page, expected, `${name} answers differently from the other.`);
  }
  return JSON.stringify(expected).length;
}

/** One payment by each: the same record, event and queue row, but for ids and times. */
export async function checkSameRows(servers: Server[], key: string, db: Database): Promise<void> {
  const tenant_id = formatId('ten', probes.ten);
  const body = { tenant_id, amount_cents: 98_765, paid_on: '2026-10-05', method: 'card', memo: 'Same' };
  let expected: object | undefined;
  for (const { name, url } of servers) {
    await db.query(sql`truncate events, delivery_queue`);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/payments`, { method: 'POST', headers, body: JSON.stringify(body) });
    strictEqual(response.status, 201, `${name}: ${await response.clone().text()}`);
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    const rows = await db.query<{ event: string; queued: object }>(sql`
      select e.body as event, to_jsonb(q) - '{id,event_id,next_at,created_at}'::text[] as queued from events e
      join delivery_queue q on q.account_id = e.account_id and q.event_id = e.id`);
    strictEqual(rows.length, 1, name);
    deepStrictEqual(JSON.parse(rows[0]?.event ?? '{}').data.payment, data, name);
    const { id: _id, created_at: _created, updated_at: _updated, ...record } = data;
    const written = { record, queued: rows[0]?.queued };
    expected ??= written;
    deepStrictEqual(written, expected, `${name} writes something different from the other.`);
  }
}
