import { todayIn } from '../clock.ts';
import type { WithId } from '../db/records/columns.ts';
import { idTime } from '../ids.ts';
import { firstOfMonth, later } from '../ledger/rules/calendar.ts';
import type { LeaseRow } from './leases.columns.ts';

/** By default a ledger begins with its lease, but a lease that is recorded late brings no old debts. */
export const beginOfLedger = (startDate: string, recordedOn: string): string =>
  later(startDate, firstOfMonth(recordedOn));

interface Change {
  start_date?: string | undefined;
  ledger_from?: string | undefined;
  opening_balance_cents?: number | undefined;
}

/**
 * The change, with the day on which the ledger begins if it does not name one. If a ledger begins no later than its
 * lease, and the lease turns out to begin earlier, so does the ledger: as far back as the default goes, or all the way
 * if somebody asked for more than any default and set no opening balance.
 */
export function withLedgerBegin<Of extends Change>(
  change: Of,
  before: WithId<LeaseRow>,
  timeZone: string,
): Of {
  const { start_date: start, ledger_from: said, opening_balance_cents: opening } = change;
  const from = before.ledger_from;
  if (said !== undefined || from === null || from > before.start_date) return change;
  if (start === undefined || start >= from) return change;
  const recordedOn = todayIn(timeZone, idTime(before.id));
  const isWhole = from < firstOfMonth(recordedOn) && (opening ?? before.opening_balance_cents) === 0;
  const begin = isWhole ? start : beginOfLedger(start, recordedOn);
  return begin < from ? { ...change, ledger_from: begin } : change;
}
