import type { Owed, Paid } from './allocation.ts';

interface Opening {
  id: string;
  ledger_from: string;
  opening_balance_cents: number;
}

/** How the opening balance of a lease takes part in who paid what: as a debt before all others, or as a credit. */
export function openingOf({ id, ledger_from, opening_balance_cents: cents }: Opening): {
  owed?: Owed;
  paid?: Paid;
} {
  const part = { id, amount_cents: Math.abs(cents), period: null };
  if (cents > 0) return { owed: { ...part, kind: 'opening', due_on: ledger_from } };
  return cents < 0 ? { paid: { ...part, date: ledger_from, reversed_on: null, charge_id: null } } : {};
}
