import { csvLine, guardText, unguardText } from '../../csv/cells.ts';
import { BrokenCsv, readRows } from '../../csv/rows.ts';
import { Turns } from '../../system/turns.ts';
import { type RowError, rejectedHeaders } from '../report.ts';
import type { Survey } from '../survey.ts';

/** Somebody mends these by hand; a file with more that is wrong is mended as a whole. */
const mostCharacters = 5_000_000;

/**
 * The rows that were found to be wrong, as a file to mend and to import again: the columns of the original, and what
 * is wrong with each row. Null if there are none, or if they are too much. Dates are written year first, since the
 * rows that showed their order may be missing here; and what a row took from the rows above it stands in the row.
 */
export async function rejectedRows(survey: Survey): Promise<string | null> {
  const wrong = new Map([...survey.leftOut, ...survey.failed]);
  if (wrong.size === 0 || survey.errors.length > 0) return null;
  const isFilled =
    survey.filled !== undefined && !survey.columns.some(({ field }) => field?.name === 'property');
  const headers = survey.columns.map(({ header }) => header);
  let text = csvLine([...rejectedHeaders, ...(isFilled ? ['Property'] : []), ...headers].map(guardText));
  const turns = new Turns();
  try {
    for await (const { line, cells } of readRows(survey.source, survey.format)) {
      if (turns.isOver()) await turns.next();
      const reasons = wrong.get(line);
      if (reasons === undefined) continue;
      const filled = survey.filled?.get(line);
      const shown = headers.map((_, at) => cellOf(survey, at, cells[at] ?? '', filled));
      const added = [
        String(line),
        reasons.map(reasonOf).join(' '),
        ...(isFilled ? [filled?.property ?? ''] : []),
      ];
      text += csvLine([...added, ...shown].map((cell) => guardText(cell)));
      if (text.length > mostCharacters) return null;
    }
  } catch (error) {
    // What stands before the damage can still be mended.
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
  if (field.written !== 'date' || text === '') return text;
  const reading = field.read(text, style);
  return 'value' in reading && typeof reading.value === 'string' ? reading.value : text;
}

const reasonOf = ({ column, reason }: RowError): string =>
  column === null ? reason : `${column}: ${reason}`;
