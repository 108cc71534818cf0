import { raw, type Sql } from './db/sql.ts';

/** Currencies whose minor unit is not a hundredth (ISO 4217). */
const withoutDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ');
const withThreeDecimals = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

/** Ten thousand million dollars: above any rent, and far inside what JSON numbers hold exactly. */
export const maxCents = 1_000_000_000_000;

const currencies = new Set(Intl.supportedValuesOf('currency'));
export const isCurrency = (code: string): boolean => currencies.has(code);

const decimals = new Map([
  ...withoutDecimals.map((currency) => [currency, 0] as const),
  ...withThreeDecimals.map((currency) => [currency, 3] as const),
]);

/** How many digits stand behind the point. */
export const decimalsOf = (currency: string): number => decimals.get(currency) ?? 2;

/** SQL for the decimal string of an amount, such as 1250.00. Column names only, never input. */
export function decimalAmount(cents: string, currency: string): Sql {
  const list = (codes: string[]) => `('${codes.join("','")}')`;
  return raw(
    `case when ${currency} not in ${list([...withoutDecimals, ...withThreeDecimals])} then (${cents} * 0.01)::text` +
      ` when ${currency} in ${list(withoutDecimals)} then ${cents}::text else (${cents} * 0.001)::text end`,
  );
}
