import type { Db } from '../db/connect.ts';
import { literal, sql } from '../db/sql.ts';

export async function findMarked(
  db: Db,
  accountId: string,
  through: string,
  most: number,
): Promise<string[]> {
  const rows = await db.query<{ lease_id: string }>(sql`
    select distinct lease_id from ledger_changes where account_id = ${accountId} and from_day <= ${through}::date
    order by lease_id limit ${literal(most)}`);
  return rows.map(({ lease_id }) => lease_id);
}

const accountsAtOnce = 100;

/** Accounts with marks, at most as many as are handled in one round. */
export function findMarkedAccounts(db: Db): Promise<{ account_id: string; time_zone: string }[]> {
  return db.query(sql`/* across accounts */
    select a.id as account_id, a.time_zone
    from (select distinct account_id from ledger_changes limit ${literal(accountsAtOnce)}) marked join accounts a on a.id = marked.account_id
    where not a.erasing`);
}

/**
 * Locks leases and takes their marks. If two processes want the same lease, the second finds its marks gone. Entries
 * are read after this, so an entry that is added later leaves a new mark.
 */
export async function takeMarks(tx: Db, accountId: string, leaseIds: string[]): Promise<string[]> {
  await tx.query(sql`
    select id from leases where account_id = ${accountId} and id = any(${leaseIds}::uuid[])
    order by id for no key update`);
  const rows = await tx.query<{ lease_id: string }>(sql`
    delete from ledger_changes where account_id = ${accountId} and lease_id = any(${leaseIds}::uuid[])
    returning lease_id`);
  return [...new Set(rows.map(({ lease_id }) => lease_id))];
}

/**
 * The due days of rents that may get a fee on one of these days, by any policy that was ever set. `null` means any due
 * day, because of daily fees; an empty list means none.
 */
export async function findFinedDueDays(
  tx: Db,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<string[] | null> {
  const policies = await tx.query<{ due_on: string; is_daily: boolean }>(sql`
    select distinct (day::date - 1 - (policy ->> 'grace_days')::integer)::text as due_on,
      jsonb_typeof(policy -> 'daily') = 'object' as is_daily
    from late_fee_policies cross join generate_series(${from}::date, ${to}::date, interval '1 day') day
    where account_id = ${accountId} and jsonb_typeof(policy) = 'object'`);
  return policies.some(({ is_daily }) => is_daily) ? null : policies.map(({ due_on }) => due_on);
}

export interface LateLease {
  id: string;
  property_id: string;
  /** The due days of late rents. */
  due_on: string[];
}

/**
 * Leases with rent that was or will be open at the end of one of these days. If due days are given, only rents due on
 * those count. What is open comes first, and each charge is looked up by its id: a join would be planned the other way
 * round while the account's tables are small, and that plan is kept when they have grown.
 */
export async function findLate(
  tx: Db,
  accountId: string,
  { from, to, dueOn }: { from: string; to: string; dueOn: string[] | null },
  after: string | null,
  most: number,
): Promise<LateLease[]> {
  return tx.query<LateLease>(sql`
    select s.lease_id as id, c.property_id, array_agg(c.due_on::text) as due_on from open_spans s
    cross join lateral (
      select property_id, due_on from charges
      where account_id = ${accountId} and id = s.item_id and kind = 'rent' offset 0) c
    where s.account_id = ${accountId} and s.kind = 'charge' and daterange(s.from_day, s.to_day) && daterange(${from}::date, ${to}::date, '[]')
      and (${dueOn}::date[] is null or s.due_on = any(${dueOn}::date[]))
      and (${after}::uuid is null or s.lease_id > ${after}::uuid)
    group by s.lease_id, c.property_id order by s.lease_id limit ${literal(most)}`);
}
