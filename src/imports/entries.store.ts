import type { Db } from '../db/connect.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { leaseRunsOn } from '../ledger/rules/lease-status.ts';
import { type Found, idsByRow, numbered } from './imports.store.ts';

interface LeaseWanted {
  unit_id: string | null;
  tenant_id: string | null;
  day: string;
}

/**
 * The lease of a unit, a tenant, or both that runs on a day, or ended on it; or else the next one; or else the one that
 * ended last. Returns several if they are equal in this.
 */
export const findLeasesOn = (db: Db, accountId: string, wanted: LeaseWanted[]): Promise<Found> =>
  idsByRow(
    db,
    sql`
    select n.at, array_agg(l.id::text order by l.id) as ids
    from ${numbered(wanted, { unit_id: 'uuid', tenant_id: 'uuid', day: 'date' })}
    cross join lateral (
      select c.id, rank() over (order by case when ${leaseRunsOn('c', raw('n.day'))} then 0 when c.ended_on = n.day then 1
        when c.start_date > n.day then 2 + c.start_date - n.day else 1000000 + n.day - c.until end) as ranking
      from (
        select l.id, l.start_date, l.until, l.ended_on from lease_tenants lt
        join leases l on l.account_id = ${accountId} and l.id = lt.lease_id
        where lt.account_id = ${accountId} and lt.tenant_id = n.tenant_id
          and (n.unit_id is null or l.unit_id = n.unit_id)
        union all
        select l.id, l.start_date, l.until, l.ended_on from leases l
        where l.account_id = ${accountId} and l.unit_id = n.unit_id and n.tenant_id is null) c
      where c.until is null or c.until > c.start_date) l
    where l.ranking = 1 group by n.at`,
  );

export async function findCurrenciesOf(
  db: Db,
  accountId: string,
  leaseIds: string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; currency: string }>(
    sql`select id, currency from leases where account_id = ${accountId} and id = any(${leaseIds}::uuid[])`,
  );
  return new Map(rows.map(({ id, currency }) => [id, currency]));
}

/** Entries that rows with keys may mean: only those that Tenure made itself and that have no key yet. */
const mayBe = (accountId: string, kind: 'charge' | 'credit', own: Sql): Sql => sql`
  (not n.keyed or (${own} and not exists (
    select from import_keys k where k.account_id = ${accountId} and k.kind = ${kind} and k.record_id = e.id)))`;

export interface ChargeLike {
  keyed: boolean;
  lease_id: string;
  kind: string;
  amount_cents: number;
  due_on: string;
  period: string | null;
}

/** The charges that each row may mean, oldest first. What Tenure voided by itself does not count. */
export const findChargesLike = (db: Db, accountId: string, charges: ChargeLike[]): Promise<Found> =>
  idsByRow(
    db,
    sql`
    select n.at, array_agg(e.id::text order by e.id) as ids
    from ${numbered(charges, {
      keyed: 'boolean',
      lease_id: 'uuid',
      kind: 'text',
      amount_cents: 'bigint',
      due_on: 'date',
      period: 'text',
    })}
    join charges e on e.account_id = ${accountId} and e.lease_id = n.lease_id and e.due_on = n.due_on
      and e.kind = n.kind and e.amount_cents = n.amount_cents and e.period is not distinct from n.period
      and (e.voided_on is null or e.voided_by_hand)
      and ${mayBe(accountId, 'charge', raw("e.source in ('schedule', 'late_fee')"))}
    group by n.at`,
  );

export interface OccasionWanted {
  lease_id: string;
  kind: string;
  /** The month of a rent. */
  period: string | null;
}

/**
 * The charges that leases made by themselves and that stand, by the index of what is wanted: either those that rows of
 * files are known to be, or the others.
 */
export async function findScheduled(
  db: Db,
  accountId: string,
  wanted: OccasionWanted[],
  { known }: { known: boolean },
): Promise<Map<number, string>> {
  if (wanted.length === 0) return new Map();
  const columns = { lease_id: 'uuid', kind: 'text', period: 'text' };
  const rows = await db.query<{ at: number; id: string }>(sql`
    select n.at, c.id from ${numbered(
      wanted.map(({ lease_id, kind, period }) => ({ lease_id, kind, period })),
      columns,
    )}
    join charges c on c.account_id = ${accountId} and c.lease_id = n.lease_id and c.kind = n.kind
      and c.period is not distinct from n.period and c.voided_on is null and c.source = 'schedule'
      and c.recurring_charge_id is null and ${known} = exists (
        select from import_keys k where k.account_id = ${accountId} and k.kind = 'charge' and k.record_id = c.id)`);
  return new Map(rows.map(({ at, id }) => [at, id]));
}

export interface CreditLike {
  lease_id: string;
  amount_cents: number;
  credited_on: string;
  reason: string;
}

/** The credits that each row may mean, oldest first. */
export const findCreditsLike = (db: Db, accountId: string, credits: CreditLike[]): Promise<Found> =>
  idsByRow(
    db,
    sql`
    select n.at, array_agg(e.id::text order by e.id) as ids
    from ${numbered(credits, { lease_id: 'uuid', amount_cents: 'bigint', credited_on: 'date', reason: 'text' })}
    join credits e on e.account_id = ${accountId} and e.lease_id = n.lease_id and e.credited_on = n.credited_on
      and e.amount_cents = n.amount_cents and e.reason = n.reason
    group by n.at`,
  );
