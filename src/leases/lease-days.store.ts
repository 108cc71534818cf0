import type { Db } from '../db/connect.ts';
import type { Chunk } from '../db/records/id-chunks.ts';
import { literal, none, raw, type Sql, sql } from '../db/sql.ts';

/** A range of days, both included, and the leases to look at: all, or only some. */
export interface Days {
  from: string;
  to: string;
  among?: string[];
}

const chosen = (accountId: string, { among }: Days, { after }: Chunk): Sql => sql`
  l.account_id = ${accountId} and l.id > ${after}::uuid
  ${among === undefined ? none : sql`and l.id = any(${among}::uuid[])`}`;

/** Something happens to a record on a day. */
export interface OnDay {
  id: string;
  day: string;
}

/** Leases that start, except cancelled ones. */
export const findStarting = (db: Db, accountId: string, days: Days, chunk: Chunk): Promise<OnDay[]> =>
  db.query(sql`
    select l.id, l.start_date::text as day from leases l
    where ${chosen(accountId, days, chunk)} and l.start_date between ${days.from}::date and ${days.to}::date
      and (l.until is null or l.until > l.start_date)
    order by l.id limit ${literal(chunk.most)}`);

/**
 * Leases that end in as many days as the account wants to be notified ahead, unless notice is given, the end is set, or
 * a tenant stays in the unit with another lease. Without `ended_on`, `until` is the day after `end_date`. Only few
 * leases end then, and they come first, because Postgres would rather look at the tenants of all leases.
 */
export const findExpiring = (db: Db, accountId: string, days: Days, chunk: Chunk): Promise<OnDay[]> =>
  db.query(sql`
    select distinct l.id, (l.until - ahead - 1)::text as day
    from accounts a cross join lateral unnest(a.lease_expiring_days) ahead
    cross join lateral (
      select l.id, l.unit_id, l.until from leases l
      where ${chosen(accountId, days, chunk)} and l.notice_given_on is null and l.ended_on is null
        and l.until between ${days.from}::date + ahead + 1 and ${days.to}::date + ahead + 1 offset 0) l
    where a.id = ${accountId}
      and not exists (
        select from leases f
        join lease_tenants ft on ft.account_id = ${accountId} and ft.lease_id = f.id
        join lease_tenants lt on lt.account_id = ${accountId} and lt.lease_id = l.id and lt.tenant_id = ft.tenant_id
        where f.account_id = ${accountId} and f.unit_id = l.unit_id and f.start_date >= l.until
          and (f.until is null or f.until > f.start_date))
    order by l.id limit ${literal(chunk.most)}`);

/** Leases that start, end or are under notice from one of these days on. */
const turning = (accountId: string, { from, to }: Days): Sql => {
  const on = (column: string) => sql`
    select id, unit_id, ${raw(column)} as day from leases
    where account_id = ${accountId} and ${raw(column)} between ${from}::date and ${to}::date`;
  return sql`${on('start_date')} union ${on('until')} union ${on('notice_given_on')}`;
};

export const findUnitsConcerned = (db: Db, accountId: string, days: Days, chunk: Chunk): Promise<OnDay[]> =>
  db.query(sql`
    select distinct l.unit_id as id, l.day::text from (${turning(accountId, days)}) l
    where l.unit_id > ${chunk.after}::uuid order by l.unit_id limit ${literal(chunk.most)}`);

export const findTenantsConcerned = (db: Db, accountId: string, days: Days, chunk: Chunk): Promise<OnDay[]> =>
  db.query(sql`
    select distinct lt.tenant_id as id, l.day::text from (${turning(accountId, days)}) l
    join lease_tenants lt on lt.account_id = ${accountId} and lt.lease_id = l.id
    where lt.tenant_id > ${chunk.after}::uuid order by lt.tenant_id limit ${literal(chunk.most)}`);
