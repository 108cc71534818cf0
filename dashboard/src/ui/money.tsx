import { decimalsOf } from './forms/amounts.ts';

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, decimals: number): Intl.NumberFormat {
  const key = `${currency} ${decimals}`;
  const known = formats.get(key);
  if (known) return known;
  const fresh = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  formats.set(key, fresh);
  return fresh;
}

/** An amount in the reader's locale. */
export function formatMoney(cents: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return formatOf(currency, decimals).format(cents / 10 ** decimals);
}

export function formatShortMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(cents / 10 ** decimalsOf(currency));
}

/** An amount in a table, which may break it after the currency. */
export function Money({ cents, currency }: { cents: number | null; currency: string }) {
  return cents === null ? <span className="text-faint">–</span> : breakable(formatMoney(cents, currency));
}

/** Lets an amount break between its currency and its figures, but not between groups of figures. */
export const breakable = (amount: string): string =>
  amount.replace(/(?<=\d)\u00a0(?=\D)|(?<=\D)\u00a0(?=\d)/g, ' ');

interface Amount {
  cents: number | null;
  currency: string;
}

/** The amounts of a table that need the most room: of each currency, the largest. */
export function longestOf(amounts: Iterable<Amount>): string[] {
  const largest = new Map<string, number>();
  for (const { cents, currency } of amounts)
    if (Math.abs(cents ?? 0) > Math.abs(largest.get(currency) ?? 0)) largest.set(currency, cents ?? 0);
  return [...largest].map(([currency, cents]) => breakable(formatMoney(cents, currency)));
}

/** About how wide an amount is in tabular figures, in em; rather too wide than too narrow. */
export function widthOf(amount: string): number {
  let em = 0;
  for (const letter of amount)
    em += /[\s.,’'I]/.test(letter) ? 0.3 : /\d/.test(letter) ? 0.64 : /[a-z]/.test(letter) ? 0.65 : 0.8;
  return em;
}

/** An amount that stands alone, in letters so small that it fits into its container, a `@container`. */
export const FittedMoney = ({ children }: { children: string }) => (
  <span
    className="whitespace-nowrap"
    style={{ fontSize: `min(1em, calc(100cqi / ${widthOf(children).toFixed(1)}))` }}
  >
    {children}
  </span>
);
