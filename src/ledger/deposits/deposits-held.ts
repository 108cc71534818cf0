import type { Db } from '../../db/connect.ts';
import { conflict } from '../../errors.ts';
import type { Writing } from '../../events/writer.ts';
import { decimalText } from '../../money.ts';
import { entriesOf, findEntries } from '../entries.store.ts';
import { leastHeld } from '../rules/deposit-held.ts';
import { type DepositTaken, findDepositMoves, findDepositsTaken } from './deposits.store.ts';

/** Throws a 409 if more would be taken than is held on that day or any later one. */
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
  const held = leastHeld(entriesOf(lease), moves, from);
  if (amountCents > held)
    throw conflict(
      'deposit_exceeded',
      `Only ${decimalText(held, lease.currency)} ${lease.currency} is held of the deposit on ${from} and all later days.`,
    );
}

/**
 * Throws a 409 if the work leaves less charged as a deposit, on any day, than was applied or refunded by then: the
 * money paid for it would also become a credit of the tenant, who has already had it. A bounced payment is different,
 * because the deposit is then owed. A shortage from before may remain. The leases must already be locked.
 */
export async function keepDepositsCharged<Result>(
  tx: Db,
  { accountId }: Writing,
  leaseIds: string[],
  work: () => Promise<Result>,
): Promise<Result> {
  if (leaseIds.length === 0) return work();
  const before = shortest(await findDepositsTaken(tx, accountId, leaseIds));
  const result = await work();
  for (const short of shortest(await findDepositsTaken(tx, accountId, leaseIds)).values()) {
    const was = before.get(short.lease_id);
    if (missing(short) > Math.max(0, was === undefined ? 0 : missing(was))) throw tooLittleCharged(short);
  }
  return result;
}

const missing = ({ taken_cents, charged_cents }: DepositTaken): number => taken_cents - charged_cents;

/** For each lease, the first of the days on which most is missing. */
function shortest(days: DepositTaken[]): Map<string, DepositTaken> {
  const found = new Map<string, DepositTaken>();
  for (const day of days) {
    const other = found.get(day.lease_id);
    if (other === undefined || missing(day) > missing(other)) found.set(day.lease_id, day);
  }
  return found;
}

function tooLittleCharged({ currency, day, taken_cents, charged_cents }: DepositTaken): Error {
  const money = (cents: number) => `${decimalText(cents, currency)} ${currency}`;
  return conflict(
    'deposit_exceeded',
    `${money(taken_cents)} of the deposit was applied or refunded by ${day}, and only ${money(charged_cents)} of it ` +
      'would be charged by then. Leave as much charged, or void what was applied first.',
  );
}
