import type { LateFees } from '../../api/records.ts';
import { decimalsOf } from '../../ui/forms/amounts.ts';

type Policy = Exclude<LateFees, string>;

type TypedFee = Record<string, number | string | null>;

/** A policy as its fields have it: text that is no number is kept as it is. */
interface TypedPolicy {
  grace_days: number | string | null;
  first: TypedFee | null;
  daily: TypedFee | null;
  cap_cents: number | string | null;
  min_open_cents: number | string;
}

/** The policy as typed so far, if nothing is missing in it and nothing is wrong, by the server's rules. */
export function completePolicy(typed: TypedPolicy): Policy | null {
  const { grace_days, first, daily, cap_cents, min_open_cents } = typed;
  const isComplete =
    isWholeWithin(grace_days, 0, 60) &&
    isFee(first) &&
    (daily === null || isFee(daily)) &&
    (cap_cents === null || isWholeWithin(cap_cents, 1, mostCents)) &&
    isWholeWithin(min_open_cents, 0, mostCents);
  return isComplete ? (typed as Policy) : null;
}

/** As much as the server takes. */
const mostCents = 1_000_000_000_000;

const isWholeWithin = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

function isFee(fee: TypedFee | null): boolean {
  const [[kind, value] = []] = Object.entries(fee ?? {});
  if (kind === 'fixed_cents') return isWholeWithin(value, 1, mostCents);
  return typeof value === 'number' && value > 0 && value <= 100 && Number(value.toFixed(2)) === value;
}

/** What a month's rent of a thousand is multiplied by in currencies where a thousand would be no rent. */
const factors: [number, string][] = [
  [
    10,
    'BDT CZK DKK DOP EGP ETB GTQ HKD HNL INR KGS MAD MDL MKD MUR MXN NIO NOK PHP SEK THB TRY TWD UAH UYU ZAR',
  ],
  [50, 'AFN ALL AOA DZD HTG JMD KES LKR NPR PKR RSD RUB XPF'],
  [100, 'AMD BIF CRC CVE DJF HUF ISK JPY KMF KZT MWK MZN NGN RWF SDG SSP XAF XOF YER'],
  [500, 'ARS CDF CLP IQD KRW MGA MMK MNT TZS UGX'],
  [5_000, 'COP GNF IDR IRR KHR LAK LBP PYG UZS VND'],
];

/** A believable rent for an example, in minor units. It is never so low that nothing is charged for it. */
export function exampleRent(currency: string, minOpenCents: number): number {
  const factor = factors.find(([, codes]) => codes.includes(currency))?.[0] ?? 1;
  return Math.max(1_000 * factor * 10 ** decimalsOf(currency), minOpenCents);
}

/** How many days of unpaid rent an example shows: at least these, and some days after the first fee. */
export const exampleDays = (graceDays: number): number => Math.max(30, graceDays + 10);

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

/** What follows the last fee of an example, if anything does. */
export interface AfterExample {
  /** The day on which the maximum is reached. */
  cappedOn: string | null;
  /** What each further day costs; 0 if nothing more is charged. */
  dailyCents: number;
}

/** `fees` are those of the example, charged up to its last day. */
export function afterExample(policy: Policy, rentCents: number, fees: ExampleFee[]): AfterExample {
  const charged = fees.reduce((sum, { cents }) => sum + cents, 0);
  const isCapped = policy.cap_cents !== null && charged >= policy.cap_cents;
  return {
    cappedOn: isCapped ? (fees.at(-1)?.on ?? null) : null,
    dailyCents: policy.daily === null || isCapped ? 0 : centsOf(policy.daily, rentCents),
  };
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
