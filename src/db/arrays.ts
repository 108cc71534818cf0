/*
 * Arrays for parameters such as `${uuids}::uuid[]`, written by us: pg searches every element for what needs escaping, which for
 * a few hundred rows of a dozen columns takes longer than all else that sending the statement does. The one statement that is
 * sent for every batch of deliveries has them in binary form (binary-arrays.ts).
 */

export type Element = string | number | null | undefined;

/** Elements that need no quotes: ids, numbers, words of ours. */
export const plainArray = (elements: Iterable<Element>): string => arrayText(elements, String);

/** Any text. */
export const textArray = (elements: Iterable<Element>): string => arrayText(elements, quoted);

/** Without any value the array is empty: unnest() fills up the shorter ones with nulls. */
function arrayText(elements: Iterable<Element>, write: (element: string | number) => string): string {
  let array = '';
  let any = false;
  for (const element of elements) {
    const missing = element === null || element === undefined;
    array += array === '' ? '{' : ',';
    array += missing ? 'NULL' : write(element);
    any ||= !missing;
  }
  return any ? `${array}}` : '{}';
}

function quoted(element: string | number): string {
  const text = String(element);
  return /["\\]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
}
