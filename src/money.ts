import { raw, type Sql } from './db/sql.ts';

/** Currencies whose minor unit is not a hundredth (ISO 4217). */
const withoutDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ');
const withThreeDecimals = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');
const withFourDecimals = ['CLF', 'UYW'];

/** Ten billion dollars: more than any rent, and far less than the largest number that JSON holds exactly. */
export const maxCents = 1_000_000_000_000;

/**
 * Active codes that Intl lacks, or has had only recently: units of account, such as the UF in which rents in Chile are
 * set, and new codes.
 */
const beyondIntl = 'BOV CHE CHW CLF COU MXV SLE USN UYI UYW VED VES XCG ZWG'.split(' ');
/** Former currencies are included, because there are records of the past. */
export const currencies = new Set([...Intl.supportedValuesOf('currency'), ...beyondIntl]);
export const isCurrency = (code: string): boolean => currencies.has(code);

const decimals = new Map([
  ...withoutDecimals.map((currency) => [currency, 0] as const),
  ...withThreeDecimals.map((currency) => [currency, 3] as const),
  ...withFourDecimals.map((currency) => [currency, 4] as const),
]);

/** How many digits come after the decimal point. */
export const decimalsOf = (currency: string): number => decimals.get(currency) ?? 2;

/** SQL for the decimal string of an amount, such as 1250.00. Column names only, never input. */
export function decimalAmount(cents: string, currency: string): Sql {
  const list = (codes: Iterable<string>) => `('${[...codes].join("','")}')`;
  return raw(
    `case when ${currency} not in ${list(decimals.keys())} then (${cents} * 0.01)::text` +
      ` when ${currency} in ${list(withoutDecimals)} then ${cents}::text` +
      ` when ${currency} in ${list(withThreeDecimals)} then (${cents} * 0.001)::text else (${cents} * 0.0001)::text end`,
  );
}

/** The decimal string of an amount, such as 1250.00. */
export function decimalText(cents: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(cents)).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return `${cents < 0 ? '-' : ''}${digits.slice(0, at)}${decimals === 0 ? '' : `.${digits.slice(at)}`}`;
}
