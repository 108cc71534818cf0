import { floatArray, integerArray, textArray, uuidArray } from '../arrays.ts';
import { join, raw, type Sql, sql } from '../sql.ts';

type Types = Readonly<Record<string, string>>;

/**
 * Rows as a table `n` with columns of these types. Each column is one array, so the text, and with it the prepared
 * statement, is the same for any number of rows. A single row needs no arrays, which saves Postgres a tenth of a small
 * statement.
 */
export function rowsAsTable(rows: readonly object[], types: Types): Sql {
  const columns = Object.entries(types).map(([name, type]) => ({
    name,
    type,
    values: rows.map((row) => plain(type, (row as Record<string, unknown>)[name] ?? null)),
  }));
  if (rows.length === 1) {
    const one = columns.map(({ name, type, values }) => sql`${values[0]}::${raw(`${type} as ${name}`)}`);
    return sql`(select ${join(one, ', ')}) n`;
  }
  return sql`unnest(${join(columns.map(asArray), ', ')}) as n(${raw(Object.keys(types).join(', '))})`;
}

/** pg would turn a list into a Postgres array. */
const plain = (type: string, value: unknown): unknown =>
  type === 'jsonb' && value !== null ? JSON.stringify(value) : value;

/** Types without a binary encoder of ours are sent as text. */
function asArray({ type, values }: { type: string; values: unknown[] }): Sql {
  if (type === 'uuid') return sql`${uuidArray(values as string[])}::uuid[]`;
  if (type === 'float8') return sql`${floatArray(values as number[])}::float8[]`;
  if (type === 'integer') return sql`${integerArray(values as number[])}::integer[]`;
  if (type === 'smallint') return sql`${integerArray(values as number[])}::integer[]::smallint[]`;
  return sql`${textArray(values.map(asText))}::${raw(`text[]::${type}[]`)}`;
}

const asText = (value: unknown): string | null => (value === null ? null : String(value));
