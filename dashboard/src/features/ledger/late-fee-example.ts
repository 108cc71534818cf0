import type { LateFees } from '../../api/records.ts';

type Policy = Exclude<LateFees, string>;

export interface ExampleFee {
  on: string;
  cents: number;
}

/** What a policy charges for a rent that is never paid, up to a number of days after it fell due. */
export function exampleFees(policy: Policy, rentCents: number, dueOn: string, days: number): ExampleFee[] {
  if (rentCents < policy.min_open_cents) return [];
  const fees: ExampleFee[] = [];
  let left = policy.cap_cents ?? Number.POSITIVE_INFINITY;
  const first = policy.grace_days + 1;
  for (let after = first; after <= days; after++) {
    const fee = after === first ? policy.first : policy.daily;
    const cents = fee === null ? 0 : Math.min(centsOf(fee, rentCents), left);
    // A first fee may round to zero even if a daily one does not.
    if (cents <= 0 && after > first) break;
    if (cents > 0) fees.push({ on: addDays(dueOn, after), cents });
    left -= cents;
  }
  return fees;
}

/** All of the rent is open, so both percentages are the same. */
function centsOf(fee: Policy['first'], rentCents: number): number {
  if ('fixed_cents' in fee) return fee.fixed_cents;
  const percent = 'percent_of_rent' in fee ? fee.percent_of_rent : fee.percent_of_open;
  const hundredths = Math.round(percent * 100);
  return Math.floor((rentCents * hundredths + 5_000) / 10_000);
}

export const addDays = (date: string, count: number): string =>
  new Date(Date.parse(date) + count * 86_400_000).toISOString().slice(0, 10);
