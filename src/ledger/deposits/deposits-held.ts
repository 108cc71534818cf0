import type { Db } from '../../db/connect.ts';
import { conflict } from '../../errors.ts';
import type { Writing } from '../../events/writer.ts';
import { decimalText } from '../../money.ts';
import { entriesOf, findEntries } from '../entries.store.ts';
import { allocate, inOrder, type Ordered, type Share, turningDays } from '../rules/allocation.ts';
import { type DepositMove, findDepositMoves } from './deposits.store.ts';

/** What is held of a lease's deposits on a day: paid on deposit charges, less what was applied or given back. */
export const depositHeld = (entries: Ordered, moves: readonly DepositMove[], day: string): number =>
  heldBy(allocate(entries, day).shares, moves, day);

/** The same where it is known who paid what on that day. */
export function heldBy(shares: readonly Share[], moves: readonly DepositMove[], day: string): number {
  let held = 0;
  for (const { owed, amount_cents } of shares) if (owed.kind === 'deposit') held += amount_cents;
  for (const { date, amount_cents } of moves) if (date <= day) held -= amount_cents;
  return Math.max(0, held);
}

/** 409 if more would be taken than is held, on that day or any later one. */
export async function refuseMoreThanHeld(
  tx: Db,
  how: Writing,
  leaseId: string,
  amountCents: number,
  from: string,
): Promise<void> {
  const [lease] = await findEntries(tx, how.accountId, [leaseId], false);
  const moves = await findDepositMoves(tx, how.accountId, leaseId);
  if (lease === undefined) return;
  const entries = inOrder(entriesOf(lease));
  const days = [from, ...turningDays(entries), ...moves.map(({ date }) => date)].filter((day) => day >= from);
  const held = Math.min(...days.map((day) => depositHeld(entries, moves, day)));
  if (amountCents > held)
    throw conflict(`Only ${decimalText(held, lease.currency)} ${lease.currency} is held of the deposit.`);
}
