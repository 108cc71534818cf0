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

/**
 * Takes back fields whose cells show that the column is something else, and gives those that no header was recognised as
 * to the columns that hold such values. What somebody has mapped stays.
 */
export function recogniseByContent(
  kind: FileKind,
  columns: Column[],
  rows: { cells: string[] }[],
  mapping: Mapping,
): void {
  const said = new Set(Object.keys(mapping).map(sameHeader));
  const cellsOf = (at: number) =>
    rows.flatMap(({ cells }) => {
      const cell = cells[at]?.trim() ?? '';
      return cell === '' || cell.length > longestWritten ? [] : [cell];
    });
  const mostAre = (at: number, is: (cell: string) => boolean) => {
    const cells = cellsOf(at);
    return cells.length > 0 && cells.filter(is).length >= cells.length * enough;
  };
  columns.forEach((column, at) => {
    const { rulesOut } = column.field ?? {};
    if (rulesOut && !said.has(sameHeader(column.header)) && mostAre(at, rulesOut)) column.field = null;
  });
  const open = () =>
    columns.flatMap(({ field, header }, at) => (field === null && !said.has(sameHeader(header)) ? [at] : []));
  const give = (name: string, is: (cell: string) => boolean, only = false) => {
    const field = kind.fields.find((one) => one.name === name);
    if (!field || columns.some((column) => column.field?.name === name)) return;
    const fitting = open().filter((at) => mostAre(at, is));
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
