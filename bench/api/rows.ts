import { deepStrictEqual, strictEqual } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/db/connect.ts';
import { sql } from '../../src/db/sql.ts';
import { formatId } from '../../src/ids.ts';
import { probes } from '../../test/support/many-records.ts';
import type { Server } from './contenders.ts';
import { connections } from './load/wrk.ts';

/* Whether a create did all that it has to: a payment, its event and the delivery to the one subscriber. */

const quietMs = 300;

export interface Counts {
  payments: number;
  events: number;
  queued: number;
}

export async function counts(db: Database): Promise<Counts> {
  const [row] = await db.query<Counts>(sql`select (select count(*)::integer from payments) as payments,
    (select count(*)::integer from events where event = 'payment.created') as events,
    (select count(*)::integer from delivery_queue) as queued`);
  if (!row) throw new Error('Nothing was counted.');
  return row;
}

/** When nothing is added any more: a server goes on with what wrk asked for last. */
export async function quietCounts(db: Database): Promise<Counts> {
  let before = await counts(db);
  for (;;) {
    await sleep(quietMs);
    const now = await counts(db);
    if (now.payments === before.payments && now.queued === before.queued) return now;
    before = now;
  }
}

/** Every answer has its three rows. wrk leaves without waiting for what it asked last: those may be there as well. */
export function checkRows(name: string, before: Counts, after: Counts, answers: number): void {
  const grown = {
    payments: after.payments - before.payments,
    events: after.events - before.events,
    queued: after.queued - before.queued,
  };
  const same = grown.payments === grown.events && grown.payments === grown.queued;
  const unanswered = grown.payments - answers;
  if (!same || unanswered < 0 || unanswered > connections)
    throw new Error(`${name}: ${answers} answers, but the rows grew by ${JSON.stringify(grown)}.`);
}

/** One payment by each: the same record, event and queue row, but for ids and times. */
export async function sameRows(db: Database, key: string, servers: Server[]): Promise<void> {
  const body = {
    tenant_id: formatId('ten', probes.ten),
    amount_cents: 98_765,
    paid_on: '2026-10-05',
    method: 'card',
    memo: 'Same',
  };
  let expected: object | undefined;
  for (const server of servers) {
    await db.query(sql`truncate events, delivery_queue`);
    const response = await fetch(`${server.url}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    strictEqual(response.status, 201, `${server.name}: ${await response.clone().text()}`);
    const { data } = (await response.json()) as { data: { id: string; created_at: string } };
    const rows = await db.query<{ event: string; queued: object }>(sql`
      select e.body as event, to_jsonb(q) - '{id,event_id,next_at,created_at}'::text[] as queued from events e
      join delivery_queue q on q.account_id = e.account_id and q.event_id = e.id`);
    strictEqual(rows.length, 1, server.name);
    const event = JSON.parse(rows[0]?.event ?? '{}');
    deepStrictEqual(event.data.payment, data, server.name);
    const {
      id: _id,
      created_at: _created,
      updated_at: _updated,
      ...record
    } = data as Record<string, unknown>;
    const written = { record, queued: rows[0]?.queued };
    expected ??= written;
    deepStrictEqual(written, expected, `${server.name} writes otherwise than the others.`);
  }
}
