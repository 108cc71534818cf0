import { decimalsOf } from '../ui/forms/amounts.ts';

/* The API speaks to programs, in field names, minor units and ids. This turns its messages into words for people. */

const sentences: [RegExp, string][] = [
  [/Must be at most \d{12,}\./g, 'Must be a smaller amount.'],
  [/Must be an id such as [^.]*\./g, 'Choose one from the list.'],
  [/Must be one of [\w, -]+\./g, 'Choose one from the list.'],
  [/Must be null \(never\)[^.]*\./g, 'Choose one from the list.'],
  [/Must name at least one of: [\w.,* ]+\./g, 'Choose at least one event.'],
  [/Must be a policy, such as .*/g, 'Must be a policy.'],
  [/Must be a list of \{[^.]*\./g, 'Must be a list.'],
  [/Must be a date written YYYY-MM-DD\./g, 'Must be a date.'],
  [/Must be between 1900-01-01 and 2999-12-31\./g, 'Must be between the years 1900 and 2999.'],
  [/Must be after the first day of the lease, `start_date`\./g, 'Must be after the first day of the lease.'],
  [/Must be a month written YYYY-MM\./g, 'Must be a month.'],
  [/Must be a timestamp such as \S+Z\./g, 'Must be a date and time.'],
  [/Must be an ISO 4217 code such as USD\./g, 'Choose a currency from the list.'],
  [/Must be an IANA time zone such as [\w/]+\./g, 'Choose a time zone from the list.'],
  [/Must be an? (?:two-letter )?ISO 3166 code such as US\./g, 'Choose a country from the list.'],
  [/Must not contain NUL characters or broken Unicode\./g, 'Has characters that cannot be stored.'],
  [/Must be an https address\./g, 'Must be a web address, such as https://hooks.example.com/tenure.'],
  [/There is no charge with this id here, or it was voided\./g, 'This charge has been voided.'],
  [/There is no (\w+) with this id here\./g, 'This $1 no longer exists.'],
  [/There is no tenant with one of these ids here\./g, 'One of these tenants no longer exists.'],
];

/** `currency` is that of the field, if it is an amount. */
export function inPlainWords(text: string, currency = 'USD'): string {
  const [, inList = '', message = text] = text.match(/^(\[\d+\][\w.]*): (.*)$/s) ?? [];
  const told = sentences.reduce(
    (before, [pattern, words]) => before.replace(pattern, words),
    withoutPath(message).replace(amounts, () => `Must be an amount, such as ${exampleIn(currency)}.`),
  );
  // Nobody numbers what they typed in one field.
  const ofEach = inList === '' ? told : told.replace(/^Must /, 'Each must ');
  return withPlainDates(withPlainNames(ofEach));
}

/** Several errors of one field, each of them once. */
export const allInPlainWords = (texts: string[], currency?: string): string =>
  [...new Set(texts.map((text) => inPlainWords(text, currency)))].join(' ');

/** For a field that takes an amount, the API's example would be off by a factor of a hundred. */
const amounts = /Must be a whole number of minor units(?:[^.]*\.00)?\./g;

function exampleIn(currency: string): string {
  const decimals = decimalsOf(currency);
  return decimals === 0 ? '1250 or 1,250, without decimals' : `1250 or 1,250.${'50'.padEnd(decimals, '0')}`;
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** Days as the dashboard shows them. */
const withPlainDates = (text: string): string =>
  text.replace(/\b\d{4}-\d{2}-\d{2}\b/g, (date) => day.format(new Date(`${date}T00:00:00Z`)));

/** `first.fixed_cents: Must be…`, if the form has no field of its own for it. */
const withoutPath = (text: string): string =>
  text.replace(/^[a-z][\w.]*(?=: )/, (path) => plainName(path.split('.').at(-1) ?? ''));

/** The API marks field names as code. */
export const withPlainNames = (text: string): string =>
  text.replace(/`(\w+)`/g, (_, name) => plainName(name).toLowerCase());

/** Labels of fields whose names would not do. */
const names: Record<string, string> = {
  area_sqft: 'Area',
  due_on: 'Due',
  ended_on: 'Ended',
  ends_on: 'Last day',
  first: 'First fee',
  daily: 'Daily fee',
  fixed_cents: 'Amount',
  late_fees: 'Late fees',
  ledger_from: 'Ledger begins on',
  market_rent_cents: 'Asking rent',
  min_open_cents: 'Smallest unpaid amount',
  open_cents: 'Unpaid',
  percent_of_open: 'Percentage of the unpaid amount',
  percent_of_rent: 'Percentage of the rent',
  cap_cents: 'Maximum fee',
  q: 'Search',
  skip_actors: 'Skipped keys',
  starts_on: 'First due on',
  url: 'URL',
};

/** `start_date` is "Start date", `rent_cents` "Rent". */
export function plainName(name: string): string {
  const own = Object.hasOwn(names, name) ? names[name] : undefined;
  if (own) return own;
  const words = name.replace(/_(cents|ids?)$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
