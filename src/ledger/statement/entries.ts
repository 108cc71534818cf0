import { formatId, type IdPrefix } from '../../ids.ts';
import { decimalText } from '../../money.ts';
import type { Owed, Paid } from '../rules/allocation.ts';
import { openingOf } from '../rules/opening.ts';
import {
  describeCharge,
  describeCredit,
  describePayment,
  describeRefund,
  describeReturn,
} from './descriptions.ts';
import type { EntryType, Item, LedgerLine } from './ledger.schema.ts';
import type { ChargeFact, CreditFact, LedgerFacts, PaymentFact, RefundFact } from './ledger.store.ts';

/** Something in the account of a lease, whether it counts or not. */
export interface Entry extends Pick<LedgerLine, 'voided_on' | 'void_reason'> {
  item: Item;
  currency: string;
  counts: 'yes' | 'pending' | 'voided' | 'other_currency' | 'before_ledger';
  /** What it does to the balance. */
  delta: number;
  /** How it takes part in who paid what. */
  owed?: Owed;
  paid?: Paid;
  /** Where that does not follow from who paid what. */
  status?: LedgerLine['status'];
  /** What a payment became when it no longer counted. */
  became?: 'returned' | 'refunded';
}

/** All of them, by day. */
export function entriesIn(lease: LedgerFacts): Entry[] {
  const byId = new Map(lease.charges.map((charge) => [charge.id, charge]));
  const entries = [
    ...openingEntry(lease),
    ...lease.charges.map((charge) => chargeEntry(lease, charge, byId)),
    ...lease.payments.flatMap((payment) => paymentEntries(lease, payment)),
    ...lease.credits.map((credit) => creditEntry(lease, credit)),
    ...lease.refunds.map((refund) => refundEntry(lease, refund)),
  ];
  return entries
    .map((entry) => ({ entry, order: orderOf(entry) }))
    .sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    .map(({ entry }) => entry);
}

/** On a day, charges come before what pays them. */
const ranks: Record<EntryType, number> = {
  opening_balance: 0,
  charge: 1,
  payment: 2,
  credit: 2,
  return: 3,
  deposit_refund: 4,
};
const orderOf = ({ item: { date, type, id } }: Entry): string =>
  `${date} ${ranks[type]} ${id.slice(id.indexOf('_'))}`;

function openingEntry(lease: LedgerFacts): Entry[] {
  const { id, ledger_from, opening_balance_cents: cents, currency } = lease;
  if (cents === 0) return [];
  const entry = entryOf(
    lease,
    { id, amount_cents: Math.abs(cents), currency },
    {
      prefix: 'lease',
      type: 'opening_balance',
      date: ledger_from,
      description: 'Opening balance',
      sign: cents > 0 ? 1 : -1,
    },
  );
  return [{ ...entry, ...openingOf(lease) }];
}

function chargeEntry(lease: LedgerFacts, charge: ChargeFact, byId: Map<string, ChargeFact>): Entry {
  const fined = charge.late_fee_for === null ? undefined : byId.get(charge.late_fee_for);
  const entry = entryOf(lease, charge, {
    prefix: 'chg',
    type: 'charge',
    date: charge.due_on,
    description: describeCharge(charge, lease, fined),
    sign: 1,
  });
  return { ...entry, owed: charge };
}

/** One that came back is two entries: on the day it was paid, and on the day it no longer counted. */
function paymentEntries(lease: LedgerFacts, payment: PaymentFact): Entry[] {
  const { status, paid_on, reversed_on } = payment;
  const entry = entryOf(lease, payment, {
    prefix: 'pay',
    type: 'payment',
    date: paid_on,
    description: describePayment(payment),
    sign: -1,
  });
  if (status === 'failed' || status === 'voided') return [{ ...entry, counts: 'voided', status }];
  if (status === 'pending') return [entry.counts === 'yes' ? { ...entry, counts: 'pending' } : entry];
  const paid = { ...entry, paid: { ...payment, date: paid_on } };
  if (reversed_on === null || (status !== 'returned' && status !== 'refunded')) return [paid];
  const back = entryOf(lease, payment, {
    prefix: 'pay',
    type: 'return',
    date: reversed_on,
    description: describeReturn(payment),
    sign: 1,
  });
  // The payment says why it does not count.
  return entry.counts === 'yes'
    ? [
        { ...paid, became: status },
        { ...back, status },
      ]
    : [paid];
}

function creditEntry(lease: LedgerFacts, credit: CreditFact): Entry {
  const entry = entryOf(lease, credit, {
    prefix: 'crd',
    type: 'credit',
    date: credit.credited_on,
    description: describeCredit(credit),
    sign: -1,
  });
  return { ...entry, paid: { ...credit, date: credit.credited_on, reversed_on: null, period: null } };
}

/** Giving a deposit back changes nothing of what is owed. */
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
  { prefix, type, date, description, sign }: Kind,
): Entry {
  const amount = decimalText(amount_cents, currency);
  return {
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
    ...(voided_on === null ? {} : { status: 'voided' }),
    voided_on,
    void_reason,
  };
}
