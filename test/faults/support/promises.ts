import type pg from 'pg';
import { expect } from 'vitest';
import { until } from '../../support/process.ts';
import type { Received, Receiver } from '../../support/receiver.ts';
import type { Writers } from './writers.ts';

/**
 * What must be true whatever died when: every acknowledged write is there and reached every endpoint, each change has
 * one event, each write with a key was done once, and no delivery was sent more than five times.
 */
export async function expectPromisesKept(
  db: pg.Pool,
  receiver: Receiver,
  paths: string[],
  { acknowledged, keyed }: Writers,
): Promise<{ writes: number; deliveries: number; duplicates: number }> {
  const count = async (text: string): Promise<number> => Number((await db.query(text)).rows[0]?.count);
  await until(async () => (await count('select count(*) from delivery_queue')) === 0);

  const { rows } = await db.query<{ id: string; name: string }>(
    `select 'ten_' || replace(id::text, '-', '') as id, last_name as name from tenants
     union all select 'pay_' || replace(id::text, '-', ''), reference from payments`,
  );
  const kept = new Set(rows.map(({ id }) => id));
  expect(
    [...acknowledged].filter((id) => !kept.has(id)),
    'acknowledged and lost',
  ).toEqual([]);

  const times = new Map<string, number>();
  for (const { name } of rows) times.set(name, (times.get(name) ?? 0) + 1);
  expect(
    [...keyed].filter((name) => times.get(name) !== 1),
    'keyed and not written once',
  ).toEqual([]);

  for (const path of paths) {
    const heard = new Set(receiver.received.filter((one) => one.path === path).map(recordOf));
    expect(
      [...kept].filter((id) => !heard.has(id)),
      `${path} never heard of them`,
    ).toEqual([]);
  }

  // Each change has one event, in the same transaction.
  const events = await db.query<{ id: string }>(
    `select coalesce(body::json #>> '{data,tenant,id}', body::json #>> '{data,payment,id}') as id from events`,
  );
  expect(events.rows.map(({ id }) => id).sort()).toEqual([...kept].sort());

  expect(await count('select count(*) from deliveries')).toBe(kept.size * paths.length);
  expect(await count("select count(*) from deliveries where status <> 'succeeded'")).toBe(0);
  expect(await count('select max(attempts) as count from deliveries')).toBeLessThanOrEqual(5);
  const sends = new Map<string, number>();
  for (const { headers } of receiver.received) {
    const id = headers['x-service-delivery'] ?? '';
    sends.set(id, (sends.get(id) ?? 0) + 1);
  }
  expect(Math.max(...sends.values())).toBeLessThanOrEqual(5);
  return {
    writes: acknowledged.size,
    deliveries: sends.size,
    duplicates: receiver.received.length - sends.size,
  };
}

function recordOf({ body }: Received): string {
  const { tenant, payment } = JSON.parse(body).data;
  return (tenant ?? payment).id;
}
