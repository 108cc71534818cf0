import { isNoDate } from '../cells/words.ts';
import { monthToMonth, standingIn } from './words.ts';

/** What a row says about a lease, by the fields of leases. */
export interface Terms {
  /** What tells leases of one unit apart. */
  key: string;
  /** Whether the row says nothing about the lease except who else is in it. */
  isBare: boolean;
  /** Whether the row does not say when the lease began. */
  startIsAssumed: boolean;
  cells: Record<string, string>;
  notes: string[];
}

interface Day {
  today: string;
  /** The day for which the sheet was made. */
  asOf: string | null;
  /** Whether the sheet has a column for the end. */
  hasEnd: boolean;
  /** Whether the sheet has a column for the balance. An empty cell is then a balance of 0. */
  hasBalance: boolean;
}

export const isIso = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');

/** The lease's terms, or the reason why the row has none. */
export function leaseTerms(
  cells: Record<string, string>,
  { today, asOf, hasEnd, hasBalance }: Day,
): Terms | { none: string | null } {
  const standing = standingIn(cells);
  if (standing === 'applicant') return { none: 'Applicants become tenants without a lease.' };
  const { end, endedOn, notes } = endOf(cells, standing, today);
  // A tenant who is gone has left before the agreed end, but nobody knows when.
  const isToCome = end === null || (isIso(end) && end > today);
  if (standing === 'ended' && isToCome && endedOn === null)
    return { none: 'Leases that have ended, but without a given end, are left out.' };
  const given = cells.start_date && !isNoDate(cells.start_date) ? cells.start_date : cells.move_in;
  const isBare = !given && !cells.rent && !cells.lease_id && !end;
  const start = given ?? `${today.slice(0, 7)}-01`;
  if (!given && !isBare) notes.push(`Leases without a first day start on ${start}, unless they are known.`);
  const day = cells.ledger_from ?? asOf ?? today;
  const begins = hasBalance && (isIso(start) ? start <= day : true) ? day : undefined;
  if (begins && cells.ledger_from === undefined)
    notes.push(`Balances are those of ${begins}: the ledger of these leases begins on that day.`);
  if (cells.due_day !== undefined && dueDay(cells.due_day) === undefined)
    notes.push('Due days that are not a day of the month are left out.');
  const all = {
    external_id: cells.lease_id,
    start_date: start,
    end_date: hasEnd || end !== null ? (end ?? 'none') : undefined,
    ended_on: endedOn ?? undefined,
    notice_given_on: cells.notice_given_on,
    rent: cells.rent,
    deposit: cells.deposit,
    currency: cells.currency,
    due_day: dueDay(cells.due_day),
    balance: cells.balance ?? (begins && cells.opening_balance === undefined ? '0' : undefined),
    opening_balance: cells.opening_balance,
    ledger_from: begins,
  };
  const said = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    key: cells.lease_id ?? start,
    isBare,
    startIsAssumed: !given,
    cells: Object.fromEntries(said),
    notes,
  };
}

/** When the lease ends: as agreed, or when the tenants leave. */
function endOf(cells: Record<string, string>, standing: string | null, today: string) {
  const notes: string[] = [];
  const agreed = cells.end_date && !isNoDate(cells.end_date) ? cells.end_date : null;
  const leaves = cells.move_out && !isNoDate(cells.move_out) ? cells.move_out : null;
  const goesOn = monthToMonth(cells.lease_type ?? '') ?? (isNoDate(cells.end_date ?? '') ? 'now' : null);
  if (leaves !== null && (standing === 'ended' || (isIso(leaves) && leaves <= today)))
    return { end: agreed, endedOn: leaves, notes };
  // A tenant who leaves on a later day has given notice, and that day is the last one.
  if (leaves !== null) return { end: leaves, endedOn: null, notes };
  if (goesOn === 'now') return { end: null, endedOn: null, notes };
  const isOver = isIso(agreed ?? undefined) && (agreed ?? '') < today;
  if (isOver && goesOn === 'after') return { end: null, endedOn: null, notes };
  if (isOver && standing === 'current') {
    notes.push('Current leases past their end continue month to month.');
    return { end: null, endedOn: null, notes };
  }
  return { end: agreed, endedOn: null, notes };
}

/** A day of the month; leases are due no later than the 28th. */
function dueDay(text: string | undefined): string | undefined {
  return /^\d{1,2}$/.test(text ?? '') ? String(Math.min(Number(text), 28)) : undefined;
}
