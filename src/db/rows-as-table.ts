import { textArray, uuidArray } from './arrays.ts';
import { type Sql, sql } from './sql.ts';

type Types = Readonly<Record<string, string>>;

/**
 * Rows as a table `n` with columns of these types: an array for each column, so that the text, and with it the prepared
 * statement, is the same for any number of rows. One alone is no array: that saves Postgres a tenth of a small statement.
 */
export function rowsAsTable(rows: readonly object[], types: Types): Sql {
  const { ofOne, ofMany } = textsOf(types);
  const values: unknown[] = [];
  for (const name in types) {
    const column = rows.map((row) => (row as Record<string, unknown>)[name] ?? null);
    if (rows.length === 1) values.push(column[0]);
    else values.push(types[name] === 'uuid' ? uuidArray(column as string[]) : textArray(column.map(asText)));
  }
  return rows.length === 1 ? sql(ofOne, ...values) : sql(ofMany, ...values);
}

const asText = (value: unknown): string | null => (value === null ? null : String(value));

interface Texts {
  ofOne: TemplateStringsArray;
  ofMany: TemplateStringsArray;
}

const byTypes = new WeakMap<Types, Texts>();
const byText = new Map<string, Texts>();

/** For the same columns always the same, so that their statement has one name and one plan. */
function textsOf(types: Types): Texts {
  const known = byTypes.get(types);
  if (known !== undefined) return known;
  const entries = Object.entries(types);
  const ofOne = pieces(
    '(select ',
    entries.map(([name, type]) => `::${type} as ${name}`),
    ') n',
  );
  const ofMany = pieces(
    'unnest(',
    // What has no array of ours goes as text.
    entries.map(([, type]) => (type === 'uuid' ? '::uuid[]' : `::text[]::${type}[]`)),
    `) as n(${Object.keys(types).join(', ')})`,
  );
  const key = ofOne.join('');
  const texts = byText.get(key) ?? { ofOne, ofMany };
  byText.set(key, texts);
  byTypes.set(types, texts);
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
