import { raw, type Sql, sql } from '../../db/sql.ts';

/* What leases owed on a day, in SQL. It all comes from open_spans, of which only what was open on that day is read. */

/**
 * For each lease with something open, or a credit, on the day: its sums and ages. `where` narrows down the spans `s`.
 */
export const owedOn = (accountId: string, day: string, where: Sql): Sql =>
  sumsByLease(sql`(${openOn(accountId, day, where)})`);

/** The same sums of what `openOn` found. */
export const sumsByLease = (open: Sql): Sql =>
  sql`select a.lease_id, ${sums} from ${open} a group by a.lease_id`;

/** The same sums for one lease. They are zero if nothing is open. */
export const owedByLeaseOn = (accountId: string, day: string, lease: Sql): Sql => sql`
  select ${sums} from (${spansOf(accountId, day, sql`s.lease_id = ${lease} and ${isOpenOn(day)}`)}) a`;

/**
 * Only the sums by which leases that owe something are sorted. With the other sums it takes twice as long for ten
 * thousand leases.
 */
export const owingIn = (open: Sql): Sql => sql`
  select a.lease_id, sum(a.owed)::bigint as cents, min(a.due_on) as oldest_due_on
  from ${open} a where a.owed is not null group by a.lease_id`;

const sums: Sql = raw(`
    coalesce(sum(a.owed), 0) as owed_cents, coalesce(sum(a.credit), 0) as credit_cents,
    coalesce(sum(a.owed) filter (where a.age > 0), 0) as overdue_cents,
    coalesce(sum(a.owed) filter (where a.age <= 30), 0) as days_0_30_cents,
    coalesce(sum(a.owed) filter (where a.age between 31 and 60), 0) as days_31_60_cents,
    coalesce(sum(a.owed) filter (where a.age between 61 and 90), 0) as days_61_90_cents,
    coalesce(sum(a.owed) filter (where a.age > 90), 0) as days_91_cents,
    min(a.due_on) filter (where a.owed is not null) as oldest_due_on`);

/** What was open on the day, by the index of days. */
export const openOn = (accountId: string, day: string, where: Sql): Sql =>
  spansOf(accountId, day, sql`daterange(s.from_day, s.to_day) @> ${day}::date and ${where}`);

/** If the index does not help, this is quicker than making a range of each span. */
const isOpenOn = (day: string): Sql =>
  sql`s.from_day <= ${day}::date and (s.to_day is null or s.to_day > ${day}::date)`;

const spansOf = (accountId: string, day: string, where: Sql): Sql => sql`
    select s.lease_id, s.due_on, ${day}::date - s.due_on as age,
      case when s.kind <> 'credit' then s.amount_cents end as owed,
      case when s.kind = 'credit' then s.amount_cents end as credit
    from open_spans s
    where s.account_id = ${accountId} and ${where}`;

/**
 * What is held of the deposits of lease `l` on a day: paid on their charges, less what was applied or refunded. Without
 * the offset, PostgreSQL would plan and run this once for every mention of the sum.
 */
export const depositHeldOn = (accountId: string, day: string): Sql => sql`
  select greatest(0,
    coalesce((
      select sum(c.amount_cents - coalesce(s.amount_cents, 0)) from charges c
      left join open_spans s on s.account_id = ${accountId} and s.lease_id = l.id and s.kind = 'charge'
        and s.item_id = c.id and ${isOpenOn(day)}
      where c.account_id = ${accountId} and c.lease_id = l.id and c.kind = 'deposit' and c.voided_on is null
        and c.currency = l.currency and c.due_on between l.ledger_from and ${day}::date), 0)
    - coalesce((
      select sum(r.amount_cents) from credits r
      where r.account_id = ${accountId} and r.lease_id = l.id and r.reason = 'deposit' and r.voided_on is null
        and r.currency = l.currency and r.credited_on between l.ledger_from and ${day}::date), 0)
    - coalesce((
      select sum(f.amount_cents) from deposit_refunds f
      where f.account_id = ${accountId} and f.lease_id = l.id and f.voided_on is null
        and f.currency = l.currency and f.refunded_on between l.ledger_from and ${day}::date), 0)) as deposit_held_cents
  offset 0`;
