/*
 * Text in the cells of a CSV file. Spreadsheets run a cell that starts like a formula, so such text gets an apostrophe
 * in front. An import removes it again, so exported text comes back unchanged.
 */

/**
 * Whether text starts like a formula: with = + - @ (or their full-width forms), after blanks or not, or with a tab or
 * line end.
 */
const formula = /^'*(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

/** A negative number is not a formula, and sums must still work. */
const negativeNumber = /^-\d+(?:\.\d+)?$/;

export function guardText(text: string): string {
  return formula.test(text) && !negativeNumber.test(text) ? `'${text}` : text;
}

export function unguardText(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}

/**
 * RFC 4180, with more quotes than it needs: a spreadsheet that expects semicolons or tabs must not see new cells inside
 * a text, and leading and trailing blanks must survive.
 */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

/** One row with its line end. Using a library would take more code than the rule, and more time. */
export function csvLine(cells: string[]): string {
  return `${cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
