import type { Db } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import type { ChargeKind, ChargeSource } from './charges/charges.schema.ts';
import type { Entries, Owed, Paid } from './rules/allocation.ts';
import { openingOf } from './rules/opening.ts';
import type { Span } from './rules/spans.ts';

export interface Charge extends Owed {
  kind: ChargeKind;
  source: ChargeSource;
  late_fee_for: string | null;
}

/**
 * What a lease's ledger is made of. Voided entries, and those before the ledger begins, are not in it, except for late
 * fees: those before it are to be voided, since the rent that they are for does not count.
 */
export interface LeaseEntries {
  id: string;
  property_id: string;
  currency: string;
  ledger_from: string;
  opening_balance_cents: number;
  charges: Charge[];
  /** Payments and credits. */
  paid: Paid[];
  /** Late fees that a person took back. */
  waived: { late_fee_for: string; due_on: string }[];
  spans: Span[];
}

/**
 * The entries of leases, in the order of their ids: so are their late fees made and told, whatever plan Postgres has.
 * With `lock`, nobody else works these leases out until the transaction ends; the entries are read by a statement of
 * their own, which sees what was committed while this one waited.
 */
export async function findEntries(
  tx: Db,
  accountId: string,
  leaseIds: string[],
  lock: boolean,
): Promise<LeaseEntries[]> {
  if (lock)
    await tx.query(sql`
      select id from leases where account_id = ${accountId} and id = any(${leaseIds}::uuid[])
      order by id for no key update`);
  return tx.query<LeaseEntries>(sql`
    select l.id, l.property_id, l.currency, l.ledger_from::text, l.opening_balance_cents::float8,
      coalesce((
        select json_agg(json_build_object('id', c.id, 'kind', c.kind, 'due_on', c.due_on, 'period', c.period,
          'amount_cents', c.amount_cents, 'source', c.source, 'late_fee_for', c.late_fee_for))
        from charges c where c.account_id = ${accountId} and c.lease_id = l.id and c.voided_on is null
          and (c.due_on >= l.ledger_from or c.source = 'late_fee') and c.currency = l.currency), '[]') as charges,
      coalesce((
        select json_agg(json_build_object('id', p.id, 'date', p.day, 'reversed_on', p.reversed_on,
          'amount_cents', p.amount_cents, 'charge_id', p.charge_id, 'period', p.period))
        from (
          select id, paid_on as day, reversed_on, amount_cents, charge_id, period from payments
          where account_id = ${accountId} and lease_id = l.id and paid_on >= l.ledger_from and currency = l.currency
            and status in ('paid', 'returned', 'refunded') and (reversed_on is null or reversed_on > paid_on)
          union all
          select id, credited_on, null, amount_cents, charge_id, null from credits
          where account_id = ${accountId} and lease_id = l.id and voided_on is null
            and credited_on >= l.ledger_from and currency = l.currency) p), '[]') as paid,
      coalesce((
        select json_agg(json_build_object('late_fee_for', c.late_fee_for, 'due_on', c.due_on))
        from charges c where c.account_id = ${accountId} and c.lease_id = l.id and c.voided_by_hand
          and c.source = 'late_fee'), '[]') as waived,
      coalesce((
        select json_agg(json_build_object('kind', s.kind, 'item_id', s.item_id, 'due_on', s.due_on,
          'amount_cents', s.amount_cents, 'from_day', s.from_day, 'to_day', s.to_day))
        from open_spans s where s.account_id = ${accountId} and s.lease_id = l.id), '[]') as spans
    from leases l where l.account_id = ${accountId} and l.id = any(${leaseIds}::uuid[]) order by l.id`);
}

/** As the rules take them. */
export function entriesOf(lease: LeaseEntries): Entries {
  const charges = lease.charges.filter(({ due_on }) => due_on >= lease.ledger_from);
  const opening = openingOf(lease);
  return {
    owed: opening.owed ? [opening.owed, ...charges] : charges,
    paid: opening.paid ? [opening.paid, ...lease.paid] : lease.paid,
  };
}
