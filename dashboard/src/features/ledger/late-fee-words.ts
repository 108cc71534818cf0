import type { LateFees } from '../../api/records.ts';
import { formatMoney } from '../../ui/money.tsx';
import { count } from '../../ui/words.ts';

export type Policy = Exclude<LateFees, string>;
export type Fee = Policy['first'];

/** "5 % of the rent" */
function feeInWords(fee: Fee, currency: string): string {
  if ('fixed_cents' in fee) return formatMoney(fee.fixed_cents, currency);
  if ('percent_of_rent' in fee) return `${fee.percent_of_rent.toLocaleString()} % of the rent`;
  return `${fee.percent_of_open.toLocaleString()} %% of the open amount`;
}

/** "$50.00 after 5 days of grace, then $5.00 a day, at most $200.00" */
export function lateFeesInWords(lateFees: LateFees, currency: string): string {
  if (lateFees === 'inherit') return 'Same as the property or account';
  if (lateFees === 'none') return 'None';
  const { grace_days, first, daily, cap_cents, min_open_cents } = lateFees;
  const grace = grace_days === 0 ? 'from the first day' : `after ${count(grace_days, 'day')} of grace`;
  return [
    `${feeInWords(first, currency)} ${grace}`,
    daily && `then ${feeInWords(daily, currency)} a day`,
    cap_cents !== null && `at most ${formatMoney(cap_cents, currency)}`,
    min_open_cents > 0 && `if at least ${formatMoney(min_open_cents, currency)} is open`,
  ]
    .filter(Boolean)
    .join(', ');
}
