import { orderIn, readDate } from '../cells/dates.ts';
import type { Survey } from '../survey.ts';
import { headingWords } from './words.ts';

/* What the lines above the header of a sheet say. */

const titleOfProperty = new RegExp(
  `^(?:${headingWords}|property name|immobilie|propiedad)\\s*:\\s*(.*)$`,
  'i',
);

/** `Property: Maple Court` above the header. */
export function propertyInTitle(titles: string[][]): string | null {
  for (const [first = '', second] of titles) {
    const [, name] = titleOfProperty.exec(first) ?? [];
    const found = name || (name === '' ? second : undefined);
    if (found && !/^all\b|^multiple/i.test(found)) return found;
  }
  return null;
}

/** `Maple Court Rent Roll`, or a line that is neither about the report nor a date. */
export function nameInTitle(titles: string[][]): string | null {
  for (const [first = '', ...others] of titles) {
    const name = first
      .replace(/\b(rent\s*roll|mieterliste|[eé]tat locatif|report)\b.*$/i, '')
      .replace(/[\s–—:-]+$/, '');
    if (others.length > 0 || name === '' || /\d{4}|as of|month|date|stand|export|print|page/i.test(name))
      continue;
    return name;
  }
  return null;
}

/** `As of 11/16/2026`, `Exported 11/16/2026`, `Stand: 16.11.2026`. */
export function dayInTitle(titles: string[][], { columns }: Survey): string | null {
  const dates = columns.filter(({ field }) => field?.written === 'date');
  const order = dates.map(({ style }) => style.dateOrder).find((one) => one !== null) ?? null;
  for (const title of titles) {
    const text = title.join(' ');
    if (!/as of|exported|printed|generated|date|stand|datum|au |le |fecha|al /i.test(text)) continue;
    const [found] =
      /\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|[a-z]{3,9}\.? \d{1,2},? \d{4}/i.exec(text) ?? [];
    const reading = readDate(found ?? '', orderIn(found ?? '') ?? order);
    if (reading.kind === 'date') return reading.date;
  }
  return null;
}
