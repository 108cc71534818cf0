import { formatId, type IdPrefix } from '../../ids.ts';
import { decimalText } from '../../money.ts';
import { compare, type Owed, type Paid } from '../rules/allocation.ts';
import { openingOf } from '../rules/opening.ts';
import { replacementsOf } from '../rules/replacement-of.ts';
import {
  describeCharge,
  describeCredit,
  describePayment,
  describeRefund,
  describeReturn,
} from './descriptions.ts';
import type { EntryType, Item, LedgerLine } from './ledger.schema.ts';
import type { ChargeFact, CreditFact, LedgerFacts, PaymentFact, RefundFact } from './ledger.store.ts';

/** An entry in a lease's account, whether it counts or not. */
export interface Entry extends Pick<LedgerLine, 'voided_on' | 'void_reason'> {
  /** Orders entries by day. */
  order: string;
  item: Item;
  currency: string;
  counts: 'yes' | 'pending' | 'voided' | 'other_currency' | 'before_ledger';
  /** What it does to the balance. */
  delta: number;
  /** How it takes part in who paid what. */
  owed: Owed | undefined;
  paid: Paid | undefined;
  /** Set if it does not follow from who paid what. */
  status: LedgerLine['status'] | undefined;
  /** What a payment became when it no longer counted. */
  became: 'returned' | 'refunded' | undefined;
}

/** All entries, by day. */
export function entriesIn(lease: LedgerFacts): Entry[] {
  const byId = new Map(lease.charges.map((charge) => [charge.id, charge]));
  const entries = openingEntry(lease);
  for (const charge of lease.charges) entries.push(chargeEntry(lease, charge, byId));
  const paying = payingIn(lease);
  const payers = new Map(lease.payers.map(({ id, name }) => [id, name]));
  for (const payment of lease.payments) {
    const payer = payers.get(payment.tenant_id) ?? '';
    entries.push(...paymentEntries(lease, payment, payer, paying(payment)));
  }
  for (const credit of lease.credits) entries.push(creditEntry(lease, credit, paying(credit)));
  for (const refund of lease.refunds) entries.push(refundEntry(lease, refund));
  return entries.sort((a, b) => compare(a.order, b.order));
}

/** Payments and credits as the rules see them, naming the charge that replaced the one they name. */
function payingIn({ charges }: LedgerFacts): (paid: Paid) => Paid {
  const standing = charges.filter(({ voided_on }) => voided_on === null);
  const replacements = replacementsOf(
    standing,
    charges.filter((each) => each.voided_on !== null && !each.voided_by_hand && each.source === 'schedule'),
  );
  return (paid) => {
    const named = replacements.get(paid.charge_id ?? '');
    return named ? { ...paid, charge_id: named.charge.id } : paid;
  };
}

/** On the same day, charges come before the money that pays them. */
const ranks: Record<EntryType, number> = {
  opening_balance: 0,
  charge: 1,
  payment: 2,
  credit: 2,
  return: 3,
  deposit_refund: 4,
};

function openingEntry(lease: LedgerFacts): Entry[] {
  const { id, ledger_from, opening_balance_cents: cents, currency } = lease;
  if (cents === 0) return [];
  const fact = { id, amount_cents: Math.abs(cents), currency };
  const entry = entryOf(lease, fact, {
    prefix: 'lease',
    type: 'opening_balance',
    date: ledger_from,
    description: 'Opening balance',
    sign: cents > 0 ? 1 : -1,
    ...openingOf(lease),
  });
  return [entry];
}

function chargeEntry(lease: LedgerFacts, charge: ChargeFact, byId: Map<string, ChargeFact>): Entry {
  const fined = charge.late_fee_for === null ? undefined : byId.get(charge.late_fee_for);
  return entryOf(lease, charge, {
    prefix: 'chg',
    type: 'charge',
    date: charge.due_on,
    description: describeCharge(charge, lease, fined),
    sign: 1,
    owed: charge,
  });
}

/** A returned payment is two entries: on the day it was paid, and on the day it was returned. */
function paymentEntries(lease: LedgerFacts, payment: PaymentFact, payer: string, paid: Paid): Entry[] {
  const { status, date, reversed_on } = payment;
  const entry = entryOf(lease, payment, {
    prefix: 'pay',
    type: 'payment',
    date,
    description: describePayment(payment, payer),
    sign: -1,
    paid,
  });
  if (status === 'failed' || status === 'voided') return [{ ...entry, counts: 'voided', status }];
  if (entry.counts !== 'yes') return [entry];
  if (status === 'pending') return [{ ...entry, counts: 'pending' }];
  if (reversed_on === null || status === 'paid') return [entry];
  const back = entryOf(lease, payment, {
    prefix: 'pay',
    type: 'return',
    date: reversed_on,
    description: describeReturn(payment),
    sign: 1,
  });
  // The payment itself says why it does not count.
  return [
    { ...entry, became: status },
    { ...back, status },
  ];
}

const creditEntry = (lease: LedgerFacts, credit: CreditFact, paid: Paid): Entry =>
  entryOf(lease, credit, {
    prefix: 'crd',
    type: 'credit',
    date: credit.date,
    description: describeCredit(credit),
    sign: -1,
    paid,
  });

/** Refunding a deposit does not change what is owed. */
const refundEntry = (lease: LedgerFacts, refund: RefundFact): Entry =>
  entryOf(lease, refund, {
    prefix: 'ref',
    type: 'deposit_refund',
    date: refund.refunded_on,
    description: describeRefund(refund),
    sign: 0,
  });

interface Kind {
  prefix: IdPrefix;
  type: EntryType;
  date: string;
  description: string;
  sign: 1 | -1 | 0;
  owed?: Owed;
  paid?: Paid;
}

interface Fact {
  id: string;
  amount_cents: number;
  currency: string;
  voided_on?: string | null;
  void_reason?: string | null;
}

function entryOf(
  lease: LedgerFacts,
  { id, amount_cents, currency, voided_on = null, void_reason = null }: Fact,
  { prefix, type, date, description, sign, owed, paid }: Kind,
): Entry {
  const amount = decimalText(amount_cents, currency);
  return {
    order: `${date} ${ranks[type]} ${id}`,
    item: { date, type, id: formatId(prefix, id), description, amount_cents, amount },
    currency,
    counts:
      voided_on !== null
        ? 'voided'
        : currency !== lease.currency
          ? 'other_currency'
          : date < lease.ledger_from
            ? 'before_ledger'
            : 'yes',
    delta: sign * amount_cents,
    owed,
    paid,
    status: voided_on === null ? undefined : 'voided',
    became: undefined,
    voided_on,
    void_reason,
  };
}
