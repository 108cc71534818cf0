import type { Db } from '../../db/connect.ts';
import {
  date,
  type Field,
  json,
  number,
  object,
  objectJson,
  present,
  id as publicId,
  rowsOf,
  text,
  uuid,
  word,
} from '../../db/records/json.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import { notFound } from '../../errors.ts';
import type { ChargeKind, ChargeSource } from '../charges/charges.schema.ts';
import type { CreditReason } from '../credits/credits.schema.ts';
import type { Owed, Paid } from '../rules/allocation.ts';
import { leaseStatus } from '../rules/lease-status.ts';
import type { Proration } from '../rules/schedule.ts';
import { tenantNames } from '../tenant-names.ts';
import type { LedgerView } from './ledger.schema.ts';

interface Fact {
  /** A uuid. */
  id: string;
  amount_cents: number;
  currency: string;
}
interface Voidable {
  voided_on: string | null;
  void_reason: string | null;
}

export interface ChargeFact extends Fact, Voidable, Owed {
  memo: string | null;
  kind: ChargeKind;
  source: ChargeSource;
  recurring_charge_id: string | null;
  late_fee_for: string | null;
  /** Whether a person voided it. Otherwise the terms changed, or a fee was corrected. */
  voided_by_hand: boolean;
}

export interface PaymentFact extends Fact, Paid {
  status: 'pending' | 'paid' | 'failed' | 'returned' | 'refunded' | 'voided';
  method: string;
  reference: string | null;
  tenant_id: string;
}

export interface CreditFact extends Fact, Voidable, Paid {
  memo: string | null;
  reason: CreditReason;
}

export interface RefundFact extends Fact, Voidable {
  memo: string | null;
  refunded_on: string;
}

/** Everything recorded in a lease's account. */
export interface LedgerFacts extends Pick<LedgerView, 'lease' | 'tenants' | 'unit'> {
  id: string;
  account: { name: string };
  property: LedgerView['property'] & { address: string[] };
  currency: string;
  ledger_from: string;
  opening_balance_cents: number;
  proration: Proration;
  start_date: string;
  /** The first day that no longer belongs to the lease. */
  until: string | null;
  charges: ChargeFact[];
  payments: PaymentFact[];
  /** Who made the payments: usually one person made them all. */
  payers: { id: string; name: string }[];
  credits: CreditFact[];
  refunds: RefundFact[];
  /** Whether its late fees have to be calculated first (freshen.ts). */
  changed: boolean;
}

const fact = (alias: string): Field[] => [
  present(uuid(`${alias}.id`)),
  present(number(`${alias}.amount_cents`)),
  present(word(`${alias}.currency`)),
];
const memo = (alias: string): Field => text(`${alias}.memo`);
const voidable = (alias: string): Field[] => [date(`${alias}.voided_on`), text(`${alias}.void_reason`)];

const charges = objectJson([
  ...fact('c'),
  memo('c'),
  ...voidable('c'),
  present(word('c.kind')),
  present(word('c.source')),
  present(date('c.due_on')),
  word('c.period'),
  uuid('c.recurring_charge_id'),
  uuid('c.late_fee_for'),
  present(json('c.voided_by_hand')),
]);
const payments = objectJson([
  ...fact('p'),
  present(date('p.paid_on', 'date')),
  date('p.reversed_on'),
  present(word('p.status')),
  uuid('p.charge_id'),
  word('p.period'),
  present(word('p.method')),
  text('p.reference'),
  present(uuid('p.tenant_id')),
]);
const payers = objectJson([
  present(uuid('t.id')),
  present(text(sql`concat_ws(' ', t.first_name, t.last_name)`, 'name')),
]);
/** For credits, which are never reversed and belong to no month. */
const never = (name: string): Field => present(json(raw("'null'"), name));
const credits = objectJson([
  ...fact('k'),
  memo('k'),
  ...voidable('k'),
  present(date('k.credited_on', 'date')),
  present(word('k.reason')),
  uuid('k.charge_id'),
  never('reversed_on'),
  never('period'),
]);
const refunds = objectJson([...fact('d'), memo('d'), ...voidable('d'), present(date('d.refunded_on'))]);

const addressOf = (alias: string): Sql =>
  raw(`to_json(array_remove(array[${alias}.address, ${alias}.address_line2,
    nullif(concat_ws(' ', ${alias}.city, ${alias}.state, ${alias}.postal_code), ''), ${alias}.country], null))::text`);

/** Uses one statement, which is the quickest way for a single lease. */
export async function findLedger(
  db: Db,
  accountId: string,
  leaseId: string,
  { today, through }: { today: string; through: string },
): Promise<LedgerFacts> {
  const mine = sql`account_id = ${accountId} and`;
  const changed = sql`exists (
    select from ledger_changes h where h.${mine} h.lease_id = l.id and h.from_day <= ${through}::date)`;
  const fields: Field[] = [
    present(uuid('l.id')),
    object('account', 'a', [present(text('a.name'))]),
    object('lease', 'l', [
      present(publicId('lease', 'l.id')),
      present(word(leaseStatus('l', today), 'status')),
      present(date('l.start_date')),
      date('l.end_date'),
    ]),
    present(json(sql`(${tenantNames(accountId)})`, 'tenants')),
    object('property', 'p', [
      present(publicId('prop', 'p.id')),
      present(text('p.name')),
      present(json(addressOf('p'), 'address')),
    ]),
    object('unit', 'u', [present(publicId('unit', 'u.id')), present(text('u.name'))]),
    present(word('l.currency')),
    present(date('l.ledger_from')),
    present(number('l.opening_balance_cents')),
    present(word('l.proration')),
    present(date('l.start_date')),
    date('l.until'),
    present(json(rowsOf(charges, sql`charges c where c.${mine} c.lease_id = l.id`), 'charges')),
    present(json('made.payments')),
    // By an array: while the account is small, a join would be planned as one with all tenants.
    present(json(rowsOf(payers, sql`tenants t where t.${mine} t.id = any(made.by)`), 'payers')),
    present(json(rowsOf(credits, sql`credits k where k.${mine} k.lease_id = l.id`), 'credits')),
    present(json(rowsOf(refunds, sql`deposit_refunds d where d.${mine} d.lease_id = l.id`), 'refunds')),
    present(number(changed, 'changed')),
  ];
  const [row] = await db.query<{ json: string }>(sql`
    select ${objectJson(fields)} as json from leases l
    join accounts a on a.id = ${accountId}
    join units u on u.account_id = ${accountId} and u.id = l.unit_id
    join properties p on p.account_id = ${accountId} and p.id = l.property_id
    cross join lateral (
      select coalesce('[' || string_agg(${payments}, ',') || ']', '[]') as payments, array_agg(p.tenant_id) as by
      from payments p where p.${mine} p.lease_id = l.id) made
    where l.account_id = ${accountId} and l.id = ${leaseId}`);
  if (row === undefined) throw notFound();
  return JSON.parse(row.json);
}
