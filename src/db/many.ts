import { idTime } from '../ids.ts';
import { textArray, uuidArray } from './arrays.ts';
import { changedAt } from './changed-at.ts';
import type { Db } from './connect.ts';
import { raw, type Sql, sql } from './sql.ts';

/*
 * Many rows in one statement: an array for each column, so that the text, and with it the prepared statement,
 * is the same for any number of rows (but one).
 */

/** A table of an account's records: the columns that are written, with their Postgres types. */
export interface ManyTable<Row> {
  table: string;
  columns: { [Name in keyof Row & string]: string };
}

export type WithId<Row> = Row & { id: string };

/** With the time that is in its id, for created_at. */
export const withTime = <Row extends { id: string }>(row: Row): Row & { at: string } => ({
  ...row,
  at: idTime(row.id).toISOString(),
});

type Columns = Readonly<Record<string, string>>;

/** The rows as a table `n`. One alone is no array: that saves Postgres a tenth of a small statement. */
export function tableOf(rows: readonly object[], columns: Columns): Sql {
  const { ofOne, ofMany } = textsOf(columns);
  const values: unknown[] = [];
  for (const name in columns) {
    const column = rows.map((row) => (row as Record<string, unknown>)[name] ?? null);
    if (rows.length === 1) values.push(column[0]);
    else
      values.push(columns[name] === 'uuid' ? uuidArray(column as string[]) : textArray(column.map(asText)));
  }
  return rows.length === 1 ? sql(ofOne, ...values) : sql(ofMany, ...values);
}

const asText = (value: unknown): string | null => (value === null ? null : String(value));

interface Texts {
  ofOne: TemplateStringsArray;
  ofMany: TemplateStringsArray;
}

const byColumns = new WeakMap<Columns, Texts>();
const byText = new Map<string, Texts>();

/** For the same columns always the same, so that their statement has one name and one plan. Constant columns have them at once. */
function textsOf(columns: Columns): Texts {
  const known = byColumns.get(columns);
  if (known !== undefined) return known;
  const entries = Object.entries(columns);
  const ofOne = pieces(
    '(select ',
    entries.map(([name, type]) => `::${type} as ${name}`),
    ') n',
  );
  const ofMany = pieces(
    'unnest(',
    // What has no array of ours goes as text.
    entries.map(([, type]) => (type === 'uuid' ? '::uuid[]' : `::text[]::${type}[]`)),
    `) as n(${Object.keys(columns).join(', ')})`,
  );
  const key = ofOne.join('');
  const texts = byText.get(key) ?? { ofOne, ofMany };
  byText.set(key, texts);
  byColumns.set(columns, texts);
  return texts;
}

/** As those of a template: a value stands between any two of them. */
function pieces(before: string, behindEach: string[], behind: string): TemplateStringsArray {
  const strings = [
    before,
    ...behindEach.map((text, at) => text + (at === behindEach.length - 1 ? behind : ', ')),
  ];
  return Object.assign(strings, { raw: strings });
}

export function insertMany<Row extends object>(
  { table, columns }: ManyTable<Row>,
  accountId: string,
  rows: (WithId<Row> & { at: string })[],
): Sql {
  const names = Object.keys(columns);
  const all = { id: 'uuid', ...columns, at: 'timestamptz' };
  return sql`
    insert into ${raw(table)} (account_id, id, ${raw(names.join(', '))}, created_at, updated_at)
    select ${accountId}, n.id, ${raw(names.map((name) => `n.${name}`).join(', '))}, n.at, n.at
    from ${tableOf(rows, all)} returning *`;
}

export function updateMany<Row extends object>(
  { table, columns }: ManyTable<Row>,
  accountId: string,
  rows: WithId<Row>[],
  now: Date,
): Sql {
  const set = Object.keys(columns).map((name) => `${name} = n.${name}`);
  const all = { id: 'uuid', ...columns };
  return sql`
    update ${raw(table)} r set ${raw(set.join(', '))}, updated_at = ${changedAt('r', now)}
    from ${tableOf(rows, all)} where r.account_id = ${accountId} and r.id = n.id returning r.*`;
}

/** As the driver should give them: numbers and dates as the schemas have them. */
const readAs: Record<string, string> = { bigint: 'float8', numeric: 'float8', date: 'text' };

export async function findMany<Row extends object>(
  db: Db,
  { table, columns }: ManyTable<Row>,
  accountId: string,
  ids: string[],
  lock: boolean,
): Promise<WithId<Row>[]> {
  if (ids.length === 0) return [];
  const fields = Object.entries<string>(columns).map(
    ([name, type]) => `${name}${type in readAs ? `::${readAs[type]} as ${name}` : ''}`,
  );
  return db.query<WithId<Row>>(sql`
    select id, ${raw(fields.join(', '))} from ${raw(table)}
    where account_id = ${accountId} and id = any(${ids}::uuid[]) ${raw(lock ? 'for no key update' : '')}`);
}
