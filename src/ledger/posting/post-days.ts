import type { Db } from '../../db/connect.ts';
import type { WithId } from '../../db/records/columns.ts';
import type { Writing } from '../../events/writer.ts';
import type { ChargeRow } from '../charges/charges.columns.ts';
import { tellCharges, writeCharges } from '../charges/write-charges.ts';
import { findMarked, takeMarks } from '../freshen.store.ts';
import { eachFined } from '../freshen.ts';
import { recalculateQuietly } from '../recalculate.ts';
import { addDays, later } from '../rules/calendar.ts';
import { eachUnposted } from './schedule.ts';

/*
 * The charges of several days at once, for a clock that is moved on by months. To find the late fees of a lease, its
 * entries are gone through from the first day to the last anyway, so half a year takes little longer than a day.
 */

interface Days {
  first: string;
  last: string;
  /** How many days before they are due charges are posted. */
  ahead: number;
  /** When a day begins. */
  timeOf(day: string): Date;
  /** Makes an id that has the time of a day. */
  idOn(day: string): string;
}

/** What the clock does to charges on a day, as their ids. */
interface Posted {
  scheduled: string[];
  fees: string[];
  /** Late fees that should not have been charged. */
  voided: string[];
}

interface PostedDays {
  byDay: Map<string, Posted>;
  /**
   * When each charge falls due that was posted for a later one of these days. It is written with that time: to update
   * these charges once more took 8 % of the time that a year took.
   */
  dated: Map<string, Date>;
}

/** How many leases are looked for at once. */
const atOnce = 200;

/**
 * Writes all charges that the clock posts on these days, late fees included, and what is open from which day to which.
 * `how` is the context of the first day. Their events are recorded day by day, by tellPosted().
 */
export async function postDays(
  tx: Db,
  how: Writing,
  { first, last, ahead, timeOf, idOn }: Days,
): Promise<PostedDays> {
  const byDay = new Map<string, Posted>();
  const dated = new Map<string, Date>();
  const on = (day: string): Posted => {
    const posted = byDay.get(day) ?? { scheduled: [], fees: [], voided: [] };
    byDay.set(day, posted);
    return posted;
  };
  const dayOf = ({ due_on }: { due_on: string }) => later(first, addDays(due_on, -ahead));
  const leases = new Set<string>();
  for await (const made of eachUnposted(tx, how.accountId, addDays(last, ahead))) {
    const rows = made.map((row): WithId<ChargeRow> => ({ ...row, id: idOn(dayOf(row)) }));
    for (const row of rows)
      if (row.due_on > dayOf(row) && row.due_on <= last) dated.set(row.id, timeOf(row.due_on));
    for (const row of await writeCharges(tx, how, rows, { unlessThere: true, changing: dated })) {
      on(dayOf(row)).scheduled.push(row.id);
      leases.add(row.lease_id);
    }
  }
  for await (const id of eachMarked(tx, how.accountId, last)) leases.add(id);
  for await (const ids of eachFined(tx, how.accountId, { from: first, to: last }))
    for (const id of ids) leases.add(id);
  const changes = await recalculateQuietly(tx, how, [...leases], {
    through: last,
    idOn: (day) => idOn(later(first, day)),
  });
  for (const { voided, made } of changes) {
    if (voided.length > 0) on(first).voided.push(...voided);
    for (const { id, due_on } of made) on(later(first, due_on)).fees.push(id);
  }
  return { byDay, dated };
}

/** Leases with marks up to a day (marks.ts), which are taken. */
async function* eachMarked(tx: Db, accountId: string, through: string): AsyncGenerator<string> {
  for (;;) {
    const marked = await findMarked(tx, accountId, through, atOnce);
    if (marked.length === 0) return;
    yield* await takeMarks(tx, accountId, marked);
  }
}

/** Records the events of what was posted on a day, if anything was. */
export async function tellPosted(tx: Db, how: Writing, posted?: Posted): Promise<void> {
  if (posted === undefined) return;
  const { scheduled, voided, fees } = posted;
  await tellCharges(tx, how, scheduled, 'charge.created');
  await tellCharges(tx, how, voided, 'charge.updated');
  await tellCharges(tx, how, fees, 'charge.created');
}
