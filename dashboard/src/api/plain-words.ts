/*
 * The API speaks to programs, in field names, minor units and ids. These turn its messages into words for people.
 */

const sentences: [RegExp, string][] = [
  // In a field that takes an amount, the API's example would be off by a factor of a hundred.
  [/Must be a whole number of minor units[^.]*\.00\./g, 'Must be an amount, such as 1250 or 1,250.50.'],
  [/Must be an id such as [^.]*\./g, 'Choose one from the list.'],
  [/Must be a date written YYYY-MM-DD\./g, 'Must be a date.'],
  [/Must be an https address\./g, 'Must be a web address, such as https://hooks.example.com/tenure.'],
  [/There is no (\w+) with this id here\./g, 'This $1 no longer exists.'],
  [/There is no tenant with one of these ids here\./g, 'One of these tenants no longer exists.'],
];

export const inPlainWords = (text: string): string =>
  withPlainNames(sentences.reduce((told, [pattern, words]) => told.replace(pattern, words), text));

/** The API marks names of fields as code. */
export const withPlainNames = (text: string): string =>
  text.replace(/`(\w+)`/g, (_, name) => plainName(name).toLowerCase());

/** `start_date` is "Start date", `rent_cents` "Rent". */
export function plainName(name: string): string {
  const words = name.replace(/_(cents|ids?)$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
