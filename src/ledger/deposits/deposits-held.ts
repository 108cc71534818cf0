import type { Db } from '../../db/connect.ts';
import { conflict } from '../../errors.ts';
import type { Writing } from '../../events/writer.ts';
import { decimalText } from '../../money.ts';
import { entriesOf, findEntries } from '../entries.store.ts';
import { leastHeld } from '../rules/deposit-held.ts';
import { findDepositMoves } from './deposits.store.ts';

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
  const held = leastHeld(entriesOf(lease), moves, from);
  if (amountCents > held)
    throw conflict(
      'deposit_exceeded',
      `Only ${decimalText(held, lease.currency)} ${lease.currency} is held of the deposit.`,
    );
}
