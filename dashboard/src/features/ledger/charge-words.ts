import type { Charge } from '../../api/records.ts';
import { formatDay, formatMonth } from '../../ui/date.tsx';
import { chargeKind } from '../../ui/words.ts';

/** "Rent, November 2026", "Utilities: water, third quarter". */
export function chargeName({ kind, period, memo }: Pick<Charge, 'kind' | 'period' | 'memo'>): string {
  const name = period ? `${chargeKind[kind]}, ${formatMonth(period)}` : chargeKind[kind];
  return memo ? `${name}: ${memo}` : name;
}

/** What is dated earlier does not count. */
export const beforeLedger = (ledgerFrom = ''): string =>
  `before the ledger of this lease begins (${formatDay(ledgerFrom)})`;
