import { LRUCache } from 'lru-cache';
import type { Db } from '../db/connect.ts';
import { join, literal, raw, sql } from '../db/sql.ts';
import { conflict } from '../errors.ts';

/** What grows with use. The rest follows from these. */
const tables = [
  ...['properties', 'units', 'tenants', 'leases', 'payments', 'charges', 'credits', 'recurring_charges'],
  ...['maintenance_requests', 'webhook_endpoints', 'history', 'events'],
];

/** Counting takes a tenth of a second where there are hundreds of thousands, so it is not done for every request. */
const rooms = new LRUCache<string, number>({ max: 10_000, ttl: 5_000 });

/** Refuses what would add records to a test account that has as many as it may have. */
export async function refuseOverQuota(db: Db, accountId: string, most: number): Promise<void> {
  const room = rooms.get(accountId) ?? most - (await countRecords(db, accountId, most));
  if (room <= 0)
    throw conflict(
      'test_quota_exceeded',
      `Test mode has at most ${most} records and events; reset it to go on (POST /test/reset).`,
    );
  // A single request may add thousands: near the limit every one is counted.
  if (room > most / 10) rooms.set(accountId, room);
}

async function countRecords(db: Db, accountId: string, most: number): Promise<number> {
  const counts = tables.map(
    (table) =>
      sql`(select count(*) from (select from ${raw(table)} t where t.account_id = ${accountId} limit ${literal(most)}) found)`,
  );
  const [row] = await db.query<{ count: number }>(sql`select (${join(counts, ' + ')})::float8 as count`);
  return row?.count ?? 0;
}
