import type { Db } from '../../db/connect.ts';
import { rowsAsTable } from '../../db/records/rows-as-table.ts';
import { literal, raw, type Sql, sql } from '../../db/sql.ts';
import type { Recurring } from '../rules/recurrence.ts';
import type { Occasion } from '../rules/replacement-of.ts';
import type { Terms } from '../rules/schedule.ts';

export interface ScheduledLease extends Terms {
  id: string;
  currency: string;
  next_charge_on: string | null;
  recurring: (Recurring & { id: string; kind: string; memo: string | null; next_charge_on: string | null })[];
}

/** The terms by which leases charge. */
export function findTerms(tx: Db, accountId: string, leaseIds: string[]): Promise<ScheduledLease[]> {
  return tx.query<ScheduledLease>(sql`
    select l.id, l.start_date::text, l.until::text, l.rent_cents::float8, l.rent_changes, l.due_day, l.proration,
      l.deposit_cents::float8, l.currency, l.ledger_from::text,
      (select s.next_charge_on::text from lease_schedules s
       where s.account_id = ${accountId} and s.lease_id = l.id) as next_charge_on,
      coalesce((
        select json_agg(json_build_object('id', r.id, 'kind', r.kind, 'memo', r.memo, 'every', r.every,
          'starts_on', r.starts_on, 'ends_on', r.ends_on, 'amount_cents', r.amount_cents,
          'amount_changes', r.amount_changes, 'next_charge_on', r.next_charge_on) order by r.id)
        from recurring_charges r where r.account_id = ${accountId} and r.lease_id = l.id), '[]') as recurring
    from leases l where l.account_id = ${accountId} and l.id = any(${leaseIds}::uuid[]) order by l.id`);
}

export interface PostedCharge {
  id: string;
  lease_id: string;
  kind: string;
  due_on: string;
  period: string | null;
  amount_cents: number;
  recurring_charge_id: string | null;
  currency: string;
  /** Whether it was made by the schedule and is not voided. */
  scheduled: boolean;
}

/** The charges made by schedules, including those that a person voided, and rents that people made. */
export function findPosted(tx: Db, accountId: string, leaseIds: string[]): Promise<PostedCharge[]> {
  return tx.query<PostedCharge>(sql`
    select c.id, c.lease_id, c.kind, c.due_on::text, c.period, c.amount_cents::float8, c.recurring_charge_id, c.currency,
      c.source = 'schedule' and c.voided_on is null as scheduled
    from charges c
    where c.account_id = ${accountId} and c.lease_id = any(${leaseIds}::uuid[])
      and (c.source = 'schedule' and (c.voided_on is null or c.voided_by_hand)
        or c.kind = 'rent' and c.period is not null and c.voided_on is null)`);
}

/** The charges from schedules that a person voided. */
export function findTakenBack(
  tx: Db,
  accountId: string,
  leaseIds: string[],
): Promise<(Occasion & { lease_id: string })[]> {
  return tx.query(sql`
    select c.lease_id, c.kind, c.due_on::text, c.period, c.recurring_charge_id from charges c
    where c.account_id = ${accountId} and c.lease_id = any(${leaseIds}::uuid[]) and c.voided_by_hand
      and c.source = 'schedule'`);
}

/** Leases with something to post up to a day, in the order of their ids. */
const dueLeases = (accountId: string, through: string): Sql => sql`
  select lease_id as id from lease_schedules where account_id = ${accountId} and next_charge_on <= ${through}::date
  union
  select lease_id from recurring_charges where account_id = ${accountId} and next_charge_on <= ${through}::date
  order by id`;

export async function findDueLeases(db: Db, accountId: string, through: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(dueLeases(accountId, through));
  return rows.map(({ id }) => id);
}

/**
 * The same, in batches of this size. They are sorted once, and those posted in the meantime are not looked at again.
 */
export async function* readDueLeases(
  tx: Db,
  accountId: string,
  through: string,
  atOnce: number,
): AsyncGenerator<string[]> {
  await tx.query(sql`declare due_leases no scroll cursor for ${dueLeases(accountId, through)}`);
  for (;;) {
    const rows = await tx.query<{ id: string }>(sql`fetch ${literal(atOnce)} from due_leases`);
    if (rows.length > 0) yield rows.map(({ id }) => id);
    if (rows.length < atOnce) break;
  }
  await tx.query(raw('close due_leases'));
}

export interface NextCharge {
  id: string;
  next_charge_on: string | null;
}

/** The next charge of a recurring charge, in the currency of its lease. */
export interface NextRecurring extends NextCharge {
  currency: string;
}

export async function setNextCharges(
  tx: Db,
  accountId: string,
  next: { leases: NextCharge[]; recurring: NextRecurring[] },
): Promise<void> {
  const types = { id: 'uuid', next_charge_on: 'date' };
  if (next.leases.length > 0)
    await tx.query(sql`
      insert into lease_schedules (account_id, lease_id, next_charge_on)
      select ${accountId}, n.id, n.next_charge_on from ${rowsAsTable(next.leases, types)}
      on conflict (account_id, lease_id) do update set next_charge_on = excluded.next_charge_on
      where lease_schedules.next_charge_on is distinct from excluded.next_charge_on`);
  if (next.recurring.length > 0)
    await tx.query(sql`
      update recurring_charges r set next_charge_on = n.next_charge_on, currency = n.currency
      from ${rowsAsTable(next.recurring, { ...types, currency: 'text' })}
      where r.account_id = ${accountId} and r.id = n.id
        and (r.next_charge_on, r.currency) is distinct from (n.next_charge_on, n.currency)`);
}

export async function postDaysOf(tx: Db, accountId: string): Promise<number> {
  const [row] = await tx.query<{ days: number }>(
    sql`select post_days_before_due as days from accounts where id = ${accountId}`,
  );
  return row?.days ?? 0;
}
