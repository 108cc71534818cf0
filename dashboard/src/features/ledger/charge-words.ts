import type { Charge } from '../../api/records.ts';
import { formatMonth } from '../../ui/date.tsx';
import { chargeKind } from '../../ui/words.ts';

/** "Rent, November 2026", "Utilities: water, third quarter". */
export function chargeName({ kind, period, memo }: Pick<Charge, 'kind' | 'period' | 'memo'>): string {
  const name = period ? `${chargeKind[kind]}, ${formatMonth(period)}` : chargeKind[kind];
  return memo ? `${name}: ${memo}` : name;
}
