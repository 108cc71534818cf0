import { allocate, type Entries, isDeposit, type Ordered, type Share } from './allocation.ts';
import { spansOf } from './spans.ts';

/** What was taken out of a lease's deposit on a day: applied or refunded. */
export interface DepositMove {
  date: string;
  amount_cents: number;
}

/** What is held of a lease's deposits on a day: paid on deposit charges, less what was applied or refunded. */
export const depositHeld = (entries: Ordered, moves: readonly DepositMove[], day: string): number =>
  heldBy(allocate(entries, day).shares, moves, day);

/** The same, if it is known who paid what on that day. */
export function heldBy(shares: readonly Share[], moves: readonly DepositMove[], day: string): number {
  let held = 0;
  for (const { owed, amount_cents } of shares) if (isDeposit(owed)) held += amount_cents;
  for (const { date, amount_cents } of moves) if (date <= day) held -= amount_cents;
  return Math.max(0, held);
}

/** The smallest amount held on a day or any later one. */
export function leastHeld(entries: Entries, moves: readonly DepositMove[], from: string): number {
  const deposits = new Map(entries.owed.filter(isDeposit).map((each) => [each.id, each]));
  /** How much more or less is held from each day on. A charge is paid if it is due and not open. */
  const changes = new Map<string, number>();
  const change = (day: string, cents: number) => {
    const at = day < from ? from : day;
    changes.set(at, (changes.get(at) ?? 0) + cents);
  };
  for (const { due_on, amount_cents } of deposits.values()) change(due_on, amount_cents);
  for (const { kind, item_id, amount_cents, from_day, to_day } of spansOf('', entries)) {
    if (kind !== 'charge' || !deposits.has(item_id)) continue;
    change(from_day, -amount_cents);
    if (to_day !== null) change(to_day, amount_cents);
  }
  for (const { date, amount_cents } of moves) change(date, -amount_cents);
  let held = 0;
  let least = Number.POSITIVE_INFINITY;
  change(from, 0);
  for (const day of [...changes.keys()].sort()) {
    held += changes.get(day) ?? 0;
    least = Math.min(least, held);
  }
  return Math.max(0, least);
}
