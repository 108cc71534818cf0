import { unguardText } from '../csv/cells.ts';
import type { Row } from '../csv/rows.ts';
import { isStorable, notStorable } from '../fields.ts';
import { decimalsOf } from '../money.ts';
import { type Amount, chooseCurrency, toCents } from './cells/amounts.ts';
import { type Field, longestText, type Style } from './cells/field.ts';
import type { Draft, Kind, Problem } from './kind.ts';
import type { RowError } from './report.ts';
import type { Survey } from './survey.ts';

/** Reads a row's cells by its columns. */
export function readDraft({ columns }: Survey, row: Row): Draft {
  const draft: Draft = {
    row,
    line: row.line,
    cells: {},
    values: {},
    problems: [],
    keys: { id: null, external: null },
    recordId: null,
    before: { count: 0, line: 0 },
  };
  columns.forEach((column, at) => {
    // Reports from other systems have hundreds of columns that we do not import.
    if (column.field === null) return;
    if (column.field.written === 'names') draft.nameOrder = column.style.nameOrder;
    readCell(draft, column.field, column.style, cellText(row.cells[at] ?? ''));
  });
  const { id, external_id } = draft.cells;
  draft.keys = { id: asText(id), external: asText(external_id) };
  return draft;
}

const cellText = (cell: string): string => unguardText(cell).trim();

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** How accountants write that there is no amount or date. */
const nothing = /^([-–—]+|n\/?a|#n\/a|none|null)$/i;

function readCell(draft: Draft, field: Field, style: Style, written: string): void {
  draft.cells[field.name] = null;
  const cell = field.written !== undefined && nothing.test(written) ? '' : written;
  if (cell === '') {
    if (field.empty === 'refused') draft.problems.push({ field: field.name, reason: 'Must not be empty.' });
    if (field.empty === 'cleared' && field.fills !== null) draft.values[field.fills] = null;
    return;
  }
  if (!isStorable(cell)) {
    draft.problems.push({ field: field.name, reason: notStorable });
    return;
  }
  if (cell.length > longestText) {
    draft.problems.push({ field: field.name, reason: `Must have at most ${longestText} characters.` });
    return;
  }
  const reading = field.read(cell, style);
  if ('reason' in reading) {
    draft.problems.push({ field: field.name, reason: reading.reason });
    return;
  }
  draft.cells[field.name] = reading.value;
  if (field.fills === null) return;
  if (reading.value === null && field.empty !== 'cleared')
    draft.problems.push({ field: field.name, reason: 'Must not be empty.' });
  else draft.values[field.fills] = reading.value;
}

export interface Currencies {
  account: string;
  /** The currencies of the account's leases. A payment without a currency may be in any of them. */
  leases: string[];
}

/** Turns the row's amounts into minor units of its currency. */
export function convertAmounts(kind: Kind, draft: Draft, currencies: Currencies): void {
  const amounts = Object.keys(kind.money).flatMap((field) => {
    const amount = draft.cells[field] as Amount | null | undefined;
    return amount ? [{ field, amount }] : [];
  });
  const said = asText(draft.values.currency)?.trim().toUpperCase() ?? null;
  const named = amounts.map(({ field, amount }) => ({
    field,
    currency: chooseCurrency(amount.currency, said ?? currencies.account),
  }));
  const symbol = named.find(({ currency }) => currency !== null);
  const currency = said ?? symbol?.currency ?? currencies.account;
  const other = named.find((one) => one.currency !== null && one.currency !== currency);
  if (other) {
    draft.problems.push({
      field: other.field,
      reason: `The amount is in ${other.currency}, the row in ${currency}.`,
    });
    return;
  }
  if (!kind.hasCurrency && currency !== currencies.account) {
    const field = symbol?.field ?? '';
    draft.problems.push({ field, reason: `Must be in ${currencies.account}, the currency of the account.` });
    return;
  }
  const unsaid = said === null && !symbol && kind.noun === 'payment' && amounts.length > 0;
  if (unsaid && currencies.leases.some((one) => decimalsOf(one) !== decimalsOf(currency))) {
    draft.problems.push({
      field: 'currency',
      reason: 'Name the currency: the leases here have currencies with different decimals.',
    });
    return;
  }
  draft.decimals = decimalsOf(currency);
  if (kind.hasCurrency && symbol && said === null) draft.values.currency = currency;
  for (const { field, amount } of amounts) settleAmount(kind, draft, field, amount, currency);
  for (const [field, cents] of Object.entries(kind.money))
    if (draft.cells[field] === null && draft.cells[cents] === undefined && emptyClears(kind, field))
      draft.values[cents] = null;
}

const emptyClears = (kind: Kind, name: string): boolean =>
  kind.fields.find((field) => field.name === name)?.empty === 'cleared';

function settleAmount(kind: Kind, draft: Draft, field: string, amount: Amount, currency: string): void {
  const target = kind.money[field] ?? field;
  const cents = toCents(amount, currency);
  const written = draft.cells[target];
  if (typeof cents === 'string') draft.problems.push({ field, reason: cents });
  else if (cents < 0 && !kind.signed?.includes(field))
    draft.problems.push({ field, reason: 'Must be more than zero; it is negative.' });
  else if (typeof written === 'number' && written !== cents)
    draft.problems.push({
      field,
      reason: `Differs from ${target}; leave out one of the two columns.`,
    });
  // People write 0 if there is no amount.
  else draft.values[target] = cents === 0 && emptyClears(kind, field) ? null : cents;
}

/** A problem as it is reported, at the column of the file that caused it. */
export function toRowError(survey: Survey<Kind>, draft: Draft, { field, reason }: Problem): RowError {
  return { line: draft.line, column: headerOf(survey, field), reason };
}

function headerOf({ kind, columns }: Survey<Kind>, name: string): string {
  const byName = (wanted: string | undefined) => columns.find(({ field }) => field?.name === wanted);
  const amount = Object.entries(kind.money).find(([, cents]) => cents === name)?.[0];
  const group = kind.needs.find((names) => names.includes(name)) ?? [];
  const column =
    byName(name) ??
    // Another system's ids are external ids here, whatever their column is called.
    (name === 'external_id' ? byName('id') : undefined) ??
    columns.find(({ field }) => field?.fills === name) ??
    byName(amount) ??
    columns.find(({ field }) => field !== null && group.includes(field.name));
  return column?.header || name;
}
