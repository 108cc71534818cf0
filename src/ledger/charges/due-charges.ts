import type { Db } from '../../db/connect.ts';
import { eachChunk, everything } from '../../db/records/id-chunks.ts';
import type { SubscribableEvent } from '../../events/catalogue.ts';
import type { Writing } from '../../events/writer.ts';
import { type ChargeDay, type Days, findChangingOn, findOpenOn } from './due-charges.store.ts';
import { countAsChanged, tellCharges } from './write-charges.ts';

/** Records `charge.due` for charges that fall due today and are open. */
export const tellDue = (tx: Db, how: Writing): Promise<void> => tellOpen(tx, how, 'due_on', 'charge.due');

/** Records `charge.overdue` for charges that have been overdue since the day began. */
export const tellOverdue = (tx: Db, how: Writing): Promise<void> =>
  tellOpen(tx, how, 'overdue_from', 'charge.overdue');

const tellOpen = (
  tx: Db,
  how: Writing,
  column: 'due_on' | 'overdue_from',
  event: SubscribableEvent,
): Promise<void> =>
  eachChunk(
    async (chunk) => idsOf(await findOpenOn(tx, how.accountId, column, only(how.today), chunk)),
    (ids) => tellCharges(tx, how, ids, event),
  );

/** Marks charges as changed that look different because the day has begun. */
export const turnCharges = (tx: Db, how: Writing): Promise<void> =>
  eachChunk(
    async (chunk) => idsOf(await findChangingOn(tx, how.accountId, only(how.today), chunk)),
    (ids) => countAsChanged(tx, how, ids),
  );

const only = (day: string): Days => ({ from: day, to: day });
const idsOf = (found: ChargeDay[]): string[] => found.map(({ id }) => id);

/** The charges that change, fall due and become overdue on a day. */
export interface ChargesOfDay {
  changing: string[];
  due: string[];
  overdue: string[];
}

/** What each of these days brings. There must be few charges. */
export async function findChargesByDay(
  tx: Db,
  accountId: string,
  days: Days,
): Promise<Map<string, ChargesOfDay>> {
  const byDay = new Map<string, ChargesOfDay>();
  const note = (what: keyof ChargesOfDay, found: ChargeDay[]) => {
    for (const { id, day } of found) {
      const charges = byDay.get(day) ?? { changing: [], due: [], overdue: [] };
      charges[what].push(id);
      byDay.set(day, charges);
    }
  };
  note('changing', await findChangingOn(tx, accountId, days, everything));
  note('due', await findOpenOn(tx, accountId, 'due_on', days, everything));
  note('overdue', await findOpenOn(tx, accountId, 'overdue_from', days, everything));
  return byDay;
}

/**
 * Records what a day brings to charges, if anything: the same as turnCharges(), tellDue() and tellOverdue(). Charges that
 * are `dated` to this day already count as changed.
 */
export async function tellChargesOf(
  tx: Db,
  how: Writing,
  charges: ChargesOfDay | undefined,
  dated: ReadonlyMap<string, Date>,
): Promise<void> {
  if (charges === undefined) return;
  const isDated = (id: string) => dated.get(id)?.getTime() === how.now.getTime();
  await countAsChanged(
    tx,
    how,
    charges.changing.filter((id) => !isDated(id)),
  );
  await tellCharges(tx, how, charges.due, 'charge.due');
  await tellCharges(tx, how, charges.overdue, 'charge.overdue');
}
