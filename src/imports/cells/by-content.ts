import type { FileKind } from '../kind.ts';
import { readAmount } from './amounts.ts';
import { isEmail, isPhone } from './contacts.ts';
import { readDate } from './dates.ts';
import { type Field, longestWritten, type Style } from './field.ts';
import { type Mapping, sameHeader } from './headers.ts';

/*
 * What a column is by what it holds, where its header does not say it.
 */

interface Column {
  header: string;
  field: Field | null;
  style: Style;
}

/** Most cells of a column have to look alike. Files have slips. */
const enough = 0.6;

interface Rows {
  columns: Column[];
  rows: { cells: string[] }[];
  mapping: Mapping;
}

const isSaid = (mapping: Mapping) => {
  const said = new Set(Object.keys(mapping).map(sameHeader));
  return ({ header }: Column) => said.has(sameHeader(header));
};

function mostAre({ rows }: Rows, at: number, is: (cell: string) => boolean): boolean {
  const cells = rows.flatMap((row) => {
    const cell = row.cells[at]?.trim() ?? '';
    return cell === '' || cell.length > longestWritten ? [] : [cell];
  });
  return cells.length > 0 && cells.filter(is).length >= cells.length * enough;
}

/** The columns whose cells show that they are not what their headers say. What somebody has mapped stays. */
export function ruledOut(file: Rows): Set<number> {
  const said = isSaid(file.mapping);
  return new Set(
    file.columns.flatMap((column, at) => {
      const { rulesOut } = column.field ?? {};
      return rulesOut && !said(column) && mostAre(file, at, rulesOut) ? [at] : [];
    }),
  );
}

/** Gives fields that no header was recognised as to the columns that hold such values. */
export function recogniseByContent(kind: FileKind, file: Rows): void {
  const { columns } = file;
  const said = isSaid(file.mapping);
  const open = () => columns.flatMap((column, at) => (column.field === null && !said(column) ? [at] : []));
  const give = (name: string, is: (cell: string) => boolean, only = false) => {
    const field = kind.fields.find((one) => one.name === name);
    if (!field || columns.some((column) => column.field?.name === name)) return;
    const fitting = open().filter((at) => mostAre(file, at, is));
    const column = columns[fitting[0] ?? -1];
    if (column && (!only || fitting.length === 1)) column.field = field;
  };
  give('email', isEmail);
  give('phone', isPhone);
  if (!kind.guesses) return;
  give('rent', isMoney, true);
  if (columns.some(({ field }) => /^(start_date|move_in|end_date)$/.test(field?.name ?? ''))) return;
  // The dates of a lease stand in their order.
  give('start_date', isDate);
  give('end_date', isDate);
}

const isDate = (cell: string): boolean => readDate(cell, null).kind !== 'wrong';

/** An amount with a currency, cents or thousands: a mere number may be anything. */
const isMoney = (cell: string): boolean => {
  const amount = readAmount(cell, null);
  return (
    amount !== null && (amount.currency !== null || amount.fraction.length === 2 || /^\d{3,5}$/.test(cell))
  );
};
