import type { Db } from '../db/connect.ts';
import { date, json, number, objectJson, present, rowsOf, uuid, word } from '../db/records/json.ts';
import { sql } from '../db/sql.ts';
import type { ChargeKind, ChargeSource } from './charges/charges.schema.ts';
import type { Entries, Owed, Paid } from './rules/allocation.ts';
import { openingOf } from './rules/opening.ts';
import { type Occasion, replacementsOf } from './rules/replacement-of.ts';
import type { Span } from './rules/spans.ts';

export interface Charge extends Owed {
  kind: ChargeKind;
  source: ChargeSource;
  recurring_charge_id: string | null;
  late_fee_for: string | null;
}

interface VoidedCharge extends Occasion {
  id: string;
}

/**
 * The entries of a lease's ledger. Voided entries, and those before the ledger begins, are left out. Late fees from
 * before it begins are included, because they have to be voided: the rent that they are for does not count.
 */
export interface LeaseEntries {
  id: string;
  property_id: string;
  currency: string;
  ledger_from: string;
  opening_balance_cents: number;
  charges: Charge[];
  /** Late fees in a currency that the lease had before. They have to be voided, too. */
  foreign_fees: { id: string }[];
  /** Payments and credits. */
  paid: Paid[];
  /** Late fees that a person voided. */
  waived: { late_fee_for: string; due_on: string }[];
  /** Charges that were voided because they no longer fitted the terms of the lease. */
  replaced: VoidedCharge[];
  spans: Span[];
}

/**
 * The entries of leases, in the order of their ids, so that late fees are made in that order whatever plan Postgres
 * uses. With `lock`, nobody else recalculates these leases until the transaction ends. A second statement then reads
 * the entries, so it sees what was committed while the first one waited.
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
  const mine = sql`account_id = ${accountId} and`;
  const paid = sql`(
    select id, paid_on as day, reversed_on, amount_cents, charge_id, period from payments
    where ${mine} lease_id = l.id and paid_on >= l.ledger_from and currency = l.currency
      and status in ('paid', 'returned', 'refunded') and (reversed_on is null or reversed_on > paid_on)
    union all
    select id, credited_on, null, amount_cents, charge_id, null from credits
    where ${mine} lease_id = l.id and voided_on is null and credited_on >= l.ledger_from and currency = l.currency) p`;
  const counted = sql`charges c where c.${mine} c.lease_id = l.id and c.voided_on is null
    and (c.due_on >= l.ledger_from or c.source = 'late_fee') and c.currency = l.currency`;
  const foreignFees = sql`charges c where c.${mine} c.lease_id = l.id and c.voided_on is null
    and c.source = 'late_fee' and c.currency <> l.currency`;
  const waived = sql`charges c where c.${mine} c.lease_id = l.id and c.voided_by_hand and c.source = 'late_fee'`;
  const replaced = sql`charges c where c.${mine} c.lease_id = l.id and c.voided_on is not null
    and not c.voided_by_hand and c.source = 'schedule'`;
  const spans = sql`open_spans s where s.${mine} s.lease_id = l.id`;
  const lease = [
    ...leaseFields,
    present(json(rowsOf(chargeJson, counted), 'charges')),
    present(json(rowsOf(objectJson([present(uuid('c.id'))]), foreignFees), 'foreign_fees')),
    present(json(rowsOf(paidJson, paid), 'paid')),
    present(json(rowsOf(waivedJson, waived), 'waived')),
    present(json(rowsOf(replacedJson, replaced), 'replaced')),
    present(json(rowsOf(spanJson, spans), 'spans')),
  ];
  const rows = await tx.query<{ json: string }>(sql`
    select ${objectJson(lease)} as json from leases l
    where l.account_id = ${accountId} and l.id = any(${leaseIds}::uuid[]) order by l.id`);
  return rows.map((row) => JSON.parse(row.json) as LeaseEntries);
}

const leaseFields = [
  present(uuid('l.id')),
  present(uuid('l.property_id')),
  present(word('l.currency')),
  present(date('l.ledger_from')),
  present(number('l.opening_balance_cents')),
];
const occasion = [
  present(uuid('c.id')),
  present(word('c.kind')),
  present(date('c.due_on')),
  word('c.period'),
  uuid('c.recurring_charge_id'),
];
const chargeJson = objectJson([
  ...occasion,
  present(number('c.amount_cents')),
  present(word('c.source')),
  uuid('c.late_fee_for'),
]);
const paidJson = objectJson([
  present(uuid('p.id')),
  present(date('p.day', 'date')),
  date('p.reversed_on'),
  present(number('p.amount_cents')),
  uuid('p.charge_id'),
  word('p.period'),
]);
const waivedJson = objectJson([present(uuid('c.late_fee_for')), present(date('c.due_on'))]);
const replacedJson = objectJson(occasion);
const spanJson = objectJson([
  present(word('s.kind')),
  present(uuid('s.item_id')),
  present(date('s.due_on')),
  present(number('s.amount_cents')),
  present(date('s.from_day')),
  date('s.to_day'),
]);

/** In the form that the rules expect. */
export function entriesOf(lease: LeaseEntries): Entries {
  const charges = lease.charges.filter(({ due_on }) => due_on >= lease.ledger_from);
  const opening = openingOf(lease);
  const replacements = replacementsOf(charges, lease.replaced);
  const paid = lease.paid.map((each) => {
    const named = replacements.get(each.charge_id ?? '');
    return named === undefined ? each : { ...each, charge_id: named.charge.id };
  });
  return {
    owed: opening.owed ? [opening.owed, ...charges] : charges,
    paid: opening.paid ? [opening.paid, ...paid] : paid,
  };
}
