import type { Charge } from '../../api/records.ts';
import { formatDay, formatMonth } from '../../ui/date.tsx';
import { chargeKind } from '../../ui/words.ts';

/** "Rent, November 2026", "Utilities: water, third quarter". */
export function chargeName({ kind, period, memo }: Pick<Charge, 'kind' | 'period' | 'memo'>): string {
  const name = period ? `${chargeKind[kind]}, ${formatMonth(period)}` : chargeKind[kind];
  return memo ? `${name}: ${memo}` : name;
}

/** The same; late fees say for which rent, if that is among the charges: "Late fees for October 2026 (8)". */
export function chargeNameAmong(charges: Charge[], charge: Charge, fees = 1): string {
  const rent = charges.find(({ id }) => id === charge.late_fee_for);
  const month = rent && (rent.period ? formatMonth(rent.period) : `rent due ${formatDay(rent.due_on)}`);
  const name = fees > 1 ? 'Late fees' : chargeName(charge);
  return `${name}${month ? ` for ${month}` : ''}${fees > 1 ? ` (${fees})` : ''}`;
}

/** What is dated earlier does not count. */
export const beforeLedger = (ledgerFrom = ''): string =>
  `before the ledger of this lease begins (${formatDay(ledgerFrom)})`;
