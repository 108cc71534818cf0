import type { Balance, Charge } from '../../api/records.ts';

/** Something that a lease owes today. */
export interface Open {
  id: string;
  kind: Charge['kind'] | 'opening';
  /** Null for what was owed when the ledger began. */
  due_on: string | null;
  open_cents: number;
  /** Of a fee that a policy charged: the rent that was late. */
  late_fee_for: string | null;
}

export interface Share {
  open: Open;
  paid_cents: number;
}

/**
 * When a payment of a day begins to count: today or before, on a later day, or never because the ledger of the lease
 * begins after it.
 */
export function whenItCounts(
  paidOn: string,
  today: string,
  ledgerFrom: string | undefined,
): 'now' | 'later' | 'never' {
  if (ledgerFrom !== undefined && paidOn < ledgerFrom) return 'never';
  return paidOn > today ? 'later' : 'now';
}

/** What is owed, in the order in which payments pay it. The charges are in that order already. */
export function whatIsOwed(
  { owed_cents }: Pick<Balance, 'owed_cents'>,
  charges: (Open & Pick<Charge, 'status'>)[],
): Open[] {
  const due = charges.filter(({ status }) => status !== 'upcoming');
  const open_cents = owed_cents - due.reduce((sum, charge) => sum + charge.open_cents, 0);
  const first: Open = { id: 'opening', kind: 'opening', due_on: null, open_cents, late_fee_for: null };
  return [...(open_cents > 0 ? [first] : []), ...due];
}

/**
 * Whether a late fee fell after the day of a payment. If that payment pays its rent on time, it is voided. Only the
 * server knows, because that depends on every payment of the lease.
 */
export const isLookedAtAgain = ({ late_fee_for, due_on }: Open, paidOn: string): boolean =>
  late_fee_for !== null && due_on !== null && due_on > paidOn;

interface Allocation {
  shares: Share[];
  /** Late fees that may be voided. The payment is shown as if there were none. */
  again: Open[];
  /** What is owed afterwards, without these late fees. */
  left_cents: number;
  /** The part of the payment that pays nothing yet. */
  credit_cents: number;
}

/** What an amount of a day will pay: the chosen charge first, then the others in order. */
export function paidByThis(
  owed: Open[],
  amountCents: number,
  chosen: string | null,
  paidOn: string,
): Allocation {
  const isAgain = (open: Open) => open.id !== chosen && isLookedAtAgain(open, paidOn);
  const certain = owed.filter((open) => !isAgain(open));
  let rest = amountCents;
  const ordered = certain.toSorted((a, b) => Number(b.id === chosen) - Number(a.id === chosen));
  const paid = new Map<Open, number>();
  for (const open of ordered) {
    const share = Math.min(rest, open.open_cents);
    paid.set(open, share);
    rest -= share;
  }
  const shares = certain.map((open) => ({ open, paid_cents: paid.get(open) ?? 0 }));
  const left_cents = sumOf(shares, ({ open, paid_cents }) => open.open_cents - paid_cents);
  return { shares, again: owed.filter(isAgain), left_cents, credit_cents: rest };
}

/**
 * What an amount pays of deposits that it does not name. Money that names nothing pays everything else first, also what
 * falls due later.
 */
export const unnamedDeposits = (shares: Share[], chosen: string | null): Share[] =>
  shares.filter(({ open, paid_cents }) => open.kind === 'deposit' && open.id !== chosen && paid_cents > 0);

interface Money {
  amount_cents: number;
  charge_id?: string | undefined;
}

/** A payment, with a payment of its own for each of these deposits. */
export function withDepositsApart<Payment extends Money>(payment: Payment, deposits: Share[]): Payment[] {
  const amount_cents = payment.amount_cents - sumOf(deposits, ({ paid_cents }) => paid_cents);
  return [
    ...(amount_cents > 0 ? [{ ...payment, amount_cents }] : []),
    ...deposits.map(({ open, paid_cents }) => ({ ...payment, amount_cents: paid_cents, charge_id: open.id })),
  ];
}

/** Shares in rows: the fees for a rent, of which there may be one for each day, have one row. */
export const inRows = (shares: Share[], chosen: string | null): Share[][] => [
  ...Map.groupBy(shares, ({ open }) =>
    open.late_fee_for === null || open.id === chosen ? open.id : `fees for ${open.late_fee_for}`,
  ).values(),
];

export const sumOf = <One>(all: One[], cents: (one: One) => number): number =>
  all.reduce((sum, one) => sum + cents(one), 0);
