import type { Db } from '../../db/connect.ts';
import { eachChunk } from '../../db/records/id-chunks.ts';
import type { Writing } from '../../events/writer.ts';
import { findOpenOn, findTurning } from './due-charges.store.ts';
import { countAsChanged, tellCharges } from './write-charges.ts';

/**
 * Tells which charges fall due today, and which have been overdue since the day began, if something of them is open.
 */
export async function tellDueCharges(tx: Db, how: Writing): Promise<void> {
  const { accountId, today } = how;
  for (const [column, event] of [
    ['due_on', 'charge.due'],
    ['overdue_from', 'charge.overdue'],
  ] as const)
    await eachChunk(
      (chunk) => findOpenOn(tx, accountId, column, today, chunk),
      (ids) => tellCharges(tx, how, ids, event),
    );
}

/** Charges that show something else because the day began count as changed. */
export const turnCharges = (tx: Db, how: Writing): Promise<void> =>
  eachChunk(
    (chunk) => findTurning(tx, how.accountId, how.today, chunk),
    (ids) => countAsChanged(tx, how, ids),
  );
