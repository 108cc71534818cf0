import { TimeSlice } from '../../system/time-slices.ts';
import type { FileKind } from '../kind.ts';
import { readAmount } from './amounts.ts';
import { isEmail, isPhone } from './contacts.ts';
import { readDate } from './dates.ts';
import { type Field, longestWritten, type Style } from './field.ts';
import { type Mapping, sameHeader, wordsOf } from './headers.ts';
import { splitPeople } from './names.ts';

/* Recognises a column by its contents if its header does not say what it is. */

interface Column {
  header: string;
  field: Field | null;
  style: Style;
  /** Whether the field was recognised by the contents of the column. */
  isGuessed?: boolean;
}

/** Most cells of a column have to look alike. Files contain slips. */
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

/** The columns whose cells show that they are not what their headers say. Columns that somebody has mapped stay. */
export function ruledOut(file: Rows): Set<number> {
  const said = isSaid(file.mapping);
  return new Set(
    file.columns.flatMap((column, at) => {
      const { rulesOut } = column.field ?? {};
      return rulesOut && !said(column) && mostAre(file, at, rulesOut) ? [at] : [];
    }),
  );
}

/**
 * Words for people other than the tenant, and for what is neither about tenants nor about the terms of their leases.
 */
const others =
  /^(manage|verwalt|hausmeister|gestion|administrad|owner|eigentum|proprietaire|propietari|agen|makler|broker|realtor|emergenc|notfall|urgence|vendor|supplier|contractor|landlord|vermieter|bailleur|arrendador|guarant|cosign|burg|garant|fiador|aval|employ|arbeitgeber|reference|kin|bank|lender|lawyer|attorney|compan|fax|ssn|social|tax|account|polic|parcel|apn|meter|licen|plate|fee|insur|versicher|assur|segur|inspect|built|paid|market|id|code|key|serial)/;

/** Words that leave open what a column holds: `Column 7`, `Info`, `What they pay`. */
const vague =
  /^(\d+|column|col|unnamed|untitled|field|header|info|information|detail|data|value|contact|other|misc|number|amount|sum|price|date|day|when|what|how|much|who|they|them|we|i|the|a|is|of|in|out|on|at|per|each|every|monthly|pay|get|from|to|since|until|spalte|feld|angabe|wert|betrag|preis|datum|colonne|champ|valeur|montant|prix|columna|campo|dato|valor|importe|precio|fecha)$/;

const isOthers = ({ header }: Column): boolean => wordsOf(header).some((word) => others.test(word));
const isVague = ({ header }: Column): boolean =>
  !/\p{L}/u.test(header) || (wordsOf(header).length > 0 && wordsOf(header).every((word) => vague.test(word)));

/** Gives fields that no header was recognised for to columns that hold such values. */
export async function recogniseByContent(kind: FileKind, file: Rows): Promise<void> {
  const { columns } = file;
  const slice = new TimeSlice();
  const said = isSaid(file.mapping);
  const open = (column: Column) => column.field === null && !said(column);
  const give = async (
    name: string,
    is: (cell: string) => boolean,
    fits: (column: Column) => boolean,
    only = false,
  ) => {
    const field = kind.fields.find((one) => one.name === name);
    if (!field || columns.some((column) => column.field?.name === name)) return;
    const fitting: Column[] = [];
    for (const [at, column] of columns.entries()) {
      if (slice.isOver()) await slice.next();
      if (open(column) && fits(column) && mostAre(file, at, is)) fitting.push(column);
    }
    const [column] = fitting;
    if (column && (!only || fitting.length === 1)) Object.assign(column, { field, isGuessed: true });
  };
  // An address or a number belongs to somebody, most likely to the tenant. An amount or a date may be of anything.
  const mayBeTheirs = (column: Column) => !isOthers(column);
  await give('email', isEmail, mayBeTheirs);
  await give('phone', isPhone, mayBeTheirs);
  if (!kind.guesses) return;
  if (!columns.some(({ field }) => /^(tenants|first_name|last_name)$/.test(field?.name ?? '')))
    await give('tenants', isPeople, isVague, true);
  await give('rent', isMoney, isVague, true);
  if (columns.some(({ field }) => /^(start_date|move_in|end_date)$/.test(field?.name ?? ''))) return;
  // The dates of a lease come in their order.
  await give('start_date', isDate, isVague);
  await give('end_date', isDate, isVague);
}

/** Ada Okafor; Okafor, Ada; Dev & Mina Patel: at least two capitalised words, and no numbers. */
const isPeople = (cell: string): boolean =>
  !/[\d@$€£]/.test(cell) && (cell.match(/\p{Lu}\p{L}+/gu)?.length ?? 0) >= 2 && 'people' in splitPeople(cell);

const isDate = (cell: string): boolean => readDate(cell, null).kind !== 'wrong';

/** An amount with a currency, cents or thousands: a mere number may be anything. */
const isMoney = (cell: string): boolean => {
  const amount = readAmount(cell, null);
  return (
    amount !== null && (amount.currency !== null || amount.fraction.length === 2 || /^\d{3,5}$/.test(cell))
  );
};
