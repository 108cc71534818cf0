import { LRUCache } from 'lru-cache';
import type { Db } from '../db/connect.ts';
import { join, literal, raw, sql } from '../db/sql.ts';
import { conflict } from '../errors.ts';
import { isTestAccount } from '../ids.ts';

/** The tables that grow with use. All other rows follow from rows of these. */
const tables = [
  ...['properties', 'units', 'tenants', 'leases', 'payments', 'charges', 'credits', 'recurring_charges'],
  ...['maintenance_requests', 'files', 'webhook_endpoints', 'history', 'events'],
];

/**
 * Counting hundreds of thousands of records takes a tenth of a second. Above this number, counts are reused for a
 * while.
 */
const soonCounted = 2_000;
const rooms = new LRUCache<string, number>({ max: 10_000, ttl: 5_000, noUpdateTTL: true });

/** Throws if a test account has no room for this many more records. Other accounts have no limit. */
export async function refuseOverQuota(db: Db, accountId: string, most: number, more = 1): Promise<void> {
  if (!isTestAccount(accountId)) return;
  const room = (rooms.get(accountId) ?? most - (await countRecords(db, accountId, most))) - more;
  if (room < 0) throw overQuota(most);
  // One record may bring many others with it, so near the limit they are counted every time.
  if (room > most / 10 && room < most - soonCounted) rooms.set(accountId, room);
  else rooms.delete(accountId);
}

/** The last step of a transaction: throws, which rolls it back, if it has written more than there was room for. */
export async function undoOverQuota(tx: Db, accountId: string, most: number): Promise<void> {
  if (isTestAccount(accountId) && (await countRecords(tx, accountId, most + 1)) > most) throw overQuota(most);
}

const overQuota = (most: number) =>
  conflict(
    'test_quota_exceeded',
    `Test mode has at most ${most} records and events; reset it to continue (POST /test/reset).`,
  );

async function countRecords(db: Db, accountId: string, most: number): Promise<number> {
  const counts = tables.map(
    (table) =>
      sql`(select count(*) from (select from ${raw(table)} t where t.account_id = ${accountId} limit ${literal(most)}) found)`,
  );
  const [row] = await db.query<{ count: number }>(sql`select (${join(counts, ' + ')})::float8 as count`);
  return row?.count ?? 0;
}
