/** Something that a lease owes today. */
export interface Open {
  id: string;
  name: string;
  /** Null for what was owed when the ledger began. */
  due_on: string | null;
  open_cents: number;
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

interface Allocation {
  shares: { open: Open; paid_cents: number }[];
  /** What is owed afterwards. */
  left_cents: number;
  /** The part of the payment that pays nothing yet. */
  credit_cents: number;
}

/** What an amount will pay: the chosen charge first, then the others in order. */
export function paidByThis(owed: Open[], amountCents: number, chosen: string | null): Allocation {
  let rest = amountCents;
  const ordered = owed.toSorted((a, b) => Number(b.id === chosen) - Number(a.id === chosen));
  const paid = new Map<Open, number>();
  for (const open of ordered) {
    const share = Math.min(rest, open.open_cents);
    paid.set(open, share);
    rest -= share;
  }
  const shares = owed.map((open) => ({ open, paid_cents: paid.get(open) ?? 0 }));
  const left_cents = shares.reduce((sum, { open, paid_cents }) => sum + open.open_cents - paid_cents, 0);
  return { shares, left_cents, credit_cents: rest };
}
