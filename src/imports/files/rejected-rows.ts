import { isDeepStrictEqual } from 'node:util';
import { csvLine, guardText, unguardText } from '../../csv/cells.ts';
import { BrokenCsv, readRows } from '../../csv/rows.ts';
import { TimeSlice } from '../../system/time-slices.ts';
import { type NameOrder, splitPeople } from '../cells/names.ts';
import { type RowError, rejectedHeaders } from '../report.ts';
import type { Survey } from '../survey.ts';

/** People correct these by hand. A file with more errors is corrected as a whole. */
const mostCharacters = 5_000_000;

/**
 * The wrong rows as a file to correct and import again: the columns of the original, and what is wrong with each row.
 * Null if there are none, or too many. Dates are written year first, because the rows that showed their order may be
 * missing here; the same goes for names. What a row took from the rows above it, or from the title of the sheet, is
 * written into the row.
 */
export async function rejectedRows(survey: Survey): Promise<string | null> {
  const wrong = new Map([...survey.leftOut, ...survey.failed]);
  if (wrong.size === 0 || survey.errors.length > 0) return null;
  const has = (name: string) => survey.columns.some(({ field }) => field?.name === name);
  const isFilled = survey.filled !== undefined && !has('property');
  const asOf = has('ledger_from') ? null : (survey.asOf ?? null);
  const headers = survey.columns.map(({ header }) => header);
  const addedHeaders = [
    ...rejectedHeaders,
    ...(isFilled ? ['Property'] : []),
    ...(asOf === null ? [] : ['Balance as of']),
  ];
  let text = csvLine([...addedHeaders, ...headers].map(guardText));
  const slice = new TimeSlice();
  try {
    for await (const { line, cells } of readRows(survey.source, survey.format)) {
      if (slice.isOver()) await slice.next();
      const reasons = wrong.get(line);
      if (reasons === undefined) continue;
      const filled = survey.filled?.get(line);
      const shown = headers.map((_, at) => cellOf(survey, at, cells[at] ?? '', filled));
      const added = [
        String(line),
        reasons.map(reasonOf).join(' '),
        ...(isFilled ? [filled?.property ?? ''] : []),
        ...(asOf === null ? [] : [asOf]),
      ];
      text += csvLine([...added, ...shown].map((cell) => guardText(cell)));
      if (text.length > mostCharacters) return null;
    }
  } catch (error) {
    // Rows before the damage can still be corrected.
    if (!(error instanceof BrokenCsv)) throw error;
  }
  return text;
}

function cellOf(
  { columns }: Survey,
  at: number,
  cell: string,
  filled: { property: string; unit: string } | undefined,
): string {
  const text = unguardText(cell).trim();
  const { field, style } = columns[at] ?? {};
  if (!field || !style) return text;
  if (text === '' && field.name === 'property') return filled?.property ?? '';
  if (text === '' && field.name === 'unit') return filled?.unit ?? '';
  if (field.written === 'names') return plainNames(text, style.nameOrder);
  if (field.written !== 'date' || text === '') return text;
  const reading = field.read(text, style);
  return 'value' in reading && typeof reading.value === 'string' ? reading.value : text;
}

/** Writes names so that they are read the same way without the rest of their column. */
function plainNames(text: string, order: NameOrder): string {
  const found = splitPeople(text, order);
  if (!('people' in found) || isDeepStrictEqual(splitPeople(text), found)) return text;
  const written = [
    found.people.map(({ first_name, last_name }) => `${first_name} ${last_name}`),
    found.people.map(({ first_name, last_name }) => `${last_name}, ${first_name}`),
  ].map((names) => names.join('; '));
  return written.find((names) => isDeepStrictEqual(splitPeople(names), found)) ?? text;
}

const reasonOf = ({ column, reason }: RowError): string =>
  column === null ? reason : `${column}: ${reason}`;
