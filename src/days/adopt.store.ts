import type { Db } from '../db/connect.ts';
import type { Chunk } from '../db/records/id-chunks.ts';
import { literal, type Sql, sql } from '../db/sql.ts';

/** How many records are handled at once. There are only few, unless an import runs in an older release. */
const atOnce = 1_000;

/** Some records of an account. */
interface Found {
  account_id: string;
  ids: string[];
}

/** Reversed payments whose day of reversal is missing. */
export const findWithoutDay = (db: Db): Promise<Found[]> =>
  found(
    db,
    sql`select p.account_id, p.id from payments p
      where p.status in ('returned', 'refunded') and p.reversed_on is null limit ${literal(atOnce)}`,
  );

/** Leases without a schedule. They charge nothing, because their next charge was never written down. */
export const findUnscheduled = (db: Db): Promise<Found[]> =>
  found(
    db,
    sql`select l.account_id, l.id from account_clocks k join leases l on l.account_id = k.account_id
      left join lease_schedules s on s.account_id = l.account_id and s.lease_id = l.id
      where k.adopts_until is not null and s.lease_id is null limit ${literal(atOnce)}`,
  );

const found = (db: Db, records: Sql): Promise<Found[]> =>
  db.query<Found>(sql`/* across accounts */
    select r.account_id, array_agg(r.id::text order by r.id) as ids from (${records}) r group by r.account_id`);

/** Accounts that no older process writes to any longer. */
export async function findAdopted(db: Db, now: Date): Promise<string[]> {
  const rows = await db.query<{ account_id: string }>(sql`/* across accounts */
    select account_id from account_clocks where adopts_until <= ${now} order by adopts_until limit ${literal(atOnce)}`);
  return rows.map(({ account_id }) => account_id);
}

export async function endAdopting(db: Db, accountId: string): Promise<void> {
  await db.query(sql`update account_clocks set adopts_until = null where account_id = ${accountId}`);
}

interface Account {
  time_zone: string;
  currency: string;
}

/** Waits if another worker has the account or is turning its day. */
export async function takeAccount(tx: Db, accountId: string): Promise<Account> {
  const [account] = await tx.query<Account>(sql`
    select a.time_zone, a.currency from account_clocks k join accounts a on a.id = k.account_id
    where k.account_id = ${accountId} for update of k`);
  if (account === undefined) throw new Error('An account has no clock.');
  return account;
}

export async function findLeases(db: Db, accountId: string, { after, most }: Chunk): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from leases where account_id = ${accountId} and id > ${after}::uuid order by id limit ${literal(most)}`);
  return rows.map(({ id }) => id);
}

export async function findTenantsOf(tx: Db, accountId: string, leaseIds: string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select distinct tenant_id as id from lease_tenants
    where account_id = ${accountId} and lease_id = any(${leaseIds}::uuid[])`);
  return rows.map(({ id }) => id);
}
