import type { ChargeKind } from '../charges/charges.schema.ts';
import type { CreditReason } from '../credits/credits.schema.ts';
import { addDays, daysInMonth, monthOf } from '../rules/calendar.ts';
import type { ChargeFact, CreditFact, LedgerFacts, PaymentFact, RefundFact } from './ledger.store.ts';

/* Describes an entry in words that a tenant understands. */

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

const monthName = (date: string): string => months[Number(date.slice(5, 7)) - 1] ?? '';
const monthAndYear = (date: string): string => `${monthName(date)} ${date.slice(0, 4)}`;

/** 3 November 2026 */
export const dayInWords = (date: string): string => `${Number(date.slice(8))} ${monthAndYear(date)}`;

const chargeNames: Record<ChargeKind, string> = {
  rent: 'Rent',
  deposit: 'Deposit',
  late_fee: 'Late fee',
  returned_payment: 'Fee for a returned payment',
  utility: 'Utilities',
  parking: 'Parking',
  pet: 'Pet',
  repair: 'Repair',
  fee: 'Fee',
  other: 'Other charge',
};

type LeaseTerms = Pick<LedgerFacts, 'start_date' | 'until' | 'proration'>;

/** `fined` is the rent that a late fee is for. */
export function describeCharge(charge: ChargeFact, lease: LeaseTerms, fined: ChargeFact | undefined): string {
  const { kind, period, memo } = charge;
  const name = chargeNames[kind];
  if (kind === 'rent' && period !== null)
    return noted(`${name} for ${monthAndYear(period)}${partOfMonth(charge, period, lease)}`, memo);
  if (fined === undefined) return noted(name, memo);
  const rent =
    fined.period === null ? `due on ${dayInWords(fined.due_on)}` : `of ${monthAndYear(fined.period)}`;
  return noted(`${name} for rent ${rent}`, memo);
}

/**
 * The days that a first or last month is charged for, if only in part. A voided charge was for the dates that the lease
 * had then.
 */
function partOfMonth(
  { source, voided_on }: ChargeFact,
  period: string,
  { start_date, until, proration }: LeaseTerms,
): string {
  if (source !== 'schedule' || voided_on !== null || proration === 'none') return '';
  const last = until === null ? null : addDays(until, -1);
  if (period !== monthOf(start_date) && (last === null || period !== monthOf(last))) return '';
  const days = daysInMonth(`${period}-01`);
  const from = monthOf(start_date) === period ? Number(start_date.slice(8)) : 1;
  const to = last !== null && monthOf(last) === period ? Number(last.slice(8)) : days;
  if (from === 1 && to === days) return '';
  return from === to ? ` (${to} ${monthName(period)})` : ` (${from} to ${to} ${monthName(period)})`;
}

const methods: Record<string, string> = {
  cash: ', cash',
  check: ', check',
  bank_transfer: ', bank transfer',
  card: ', card',
  online: ', online',
};

/** The memo is left out, because landlords write notes to themselves there. */
export const describePayment = ({ method, reference }: PaymentFact, payer: string): string =>
  `Payment by ${payer}${methods[method] ?? ''}${reference === null ? '' : `, ref ${reference}`}`;

export const describeReturn = ({ date, status }: PaymentFact): string =>
  `Payment of ${dayInWords(date)} ${status === 'refunded' ? 'refunded' : 'returned'}`;

const creditNames: Record<CreditReason, string> = {
  concession: 'Concession',
  write_off: 'Write-off',
  adjustment: 'Adjustment',
  deposit: 'Deposit applied',
};

export const describeCredit = ({ reason, memo }: CreditFact): string => noted(creditNames[reason], memo);

export const describeRefund = ({ memo }: RefundFact): string => noted('Deposit refunded', memo);

const noted = (name: string, memo: string | null): string => (memo === null ? name : `${name}: ${memo}`);
