import type { IdPrefix } from '../ids.ts';
import { decimalAmount, decimalText } from '../money.ts';
import { join, raw, type Sql, sql } from './sql.ts';

/*
 * How rows become public JSON, as SQL expressions over columns (never over input).
 *
 * One record's text is put together by `||`, in the statement that writes it or finds it. (row_to_json and json_agg look up
 * the type of every column of every row anew: two thirds slower.) For the hundreds of a list even that is
 * most of the work, and the database the dearest place to do it: there it hands out pieces, one text for the whole page, and the
 * JSON is written here.
 */

/** One field of a record. */
export interface Field {
  name: string;
  /** Its JSON text, which is never SQL's null. */
  json: Sql;
  /** What a list asks for instead: text without control characters, null where the field is null. */
  piece: Sql;
  /** And how that becomes JSON. */
  form: Form;
}

interface Form {
  /** Written before and after what comes. */
  quotes: readonly [string, string];
  change?: (piece: string) => string;
}

/** An expression, or a column such as `p.memo`; a column's own name is the field's unless another is given. */
type Value = string | Sql;

/** Kept with the fields: most records' are the same for every request. */
const objects = new WeakMap<readonly Field[], Sql>();
const pieces = new WeakMap<readonly Field[], Sql>();

export function objectJson(fields: readonly Field[]): Sql {
  let text = objects.get(fields);
  if (text === undefined) {
    const members = fields.map(
      ({ name, json }, index) => sql`${raw(`'${index === 0 ? '{' : ','}"${name}":'`)} || ${json}`,
    );
    text = sql`${join(members, ' || ')} || '}'`;
    objects.set(fields, text);
  }
  return text;
}

/** The record in pieces, as one text. */
export function piecesOf(fields: readonly Field[]): Sql {
  let text = pieces.get(fields);
  if (text === undefined) {
    const ended = fields.map(({ piece }) => sql`${piece}, ${raw(`e'\\x1f'`)}`);
    text = sql`concat(${join(ended, ', ')})`;
    pieces.set(fields, text);
  }
  return text;
}

/** The JSON of each record, from the pieces of all of them. */
export function writeRecords(fields: readonly Field[], text: string): string[] {
  const pieces = text.split('\x1f');
  const forms = fields.map(({ name, form: { quotes, change } }, index) => {
    const lead = `${index === 0 ? '{' : ','}"${name}":`;
    return { nothing: `${lead}null`, open: lead + quotes[0], close: quotes[1], change };
  });
  const records: string[] = [];
  for (let at = 0; at + 1 < pieces.length; ) {
    let record = '';
    for (const { nothing, open, close, change } of forms) {
      const piece = pieces[at++] as string;
      record += piece === '' ? nothing : open + (change === undefined ? piece : change(piece)) + close;
    }
    records.push(`${record}}`);
  }
  return records;
}

const plain: Form = { quotes: ['', ''] };
const quoted: Form = { quotes: ['"', '"'] };

export const id = (prefix: IdPrefix, column: string, name?: string): Field =>
  field(column, name, {
    json: raw(`coalesce('"${prefix}_' || ${hex(column)} || '"', 'null')`),
    piece: raw(hex(column)),
    form: { quotes: [`"${prefix}_`, '"'] },
  });

/** Text that may hold anything. */
export const text = (value: Value, name?: string): Field => {
  const piece = sql`to_json(${toSql(value)})`;
  return field(value, name, { json: sql`coalesce(${piece}::text, 'null')`, piece, form: plain });
};

/** Text that never needs escaping: one of a few words that a constraint lists, or digits. */
export const word = (value: Value, name?: string): Field =>
  field(value, name, {
    json: sql`coalesce('"' || ${toSql(value)} || '"', 'null')`,
    piece: toSql(value),
    form: quoted,
  });

/** Also true and false. */
export const number = (value: Value, name?: string): Field => {
  const piece = sql`(${toSql(value)})::text`;
  return field(value, name, { json: sql`coalesce(${piece}, 'null')`, piece, form: plain });
};

/** An amount as decimal text, from columns of cents and of their currency. */
export const money = (cents: string, currency: string, name: string): Field => ({
  ...word(decimalAmount(cents, currency), name),
  piece: raw(`${currency} || ${cents}`),
  form: { quotes: ['"', '"'], change: (piece) => decimalText(Number(piece.slice(3)), piece.slice(0, 3)) },
});

/** A calendar date. A plain cast would follow the session's DateStyle. */
export const date = text;

export const time = (column: string, name?: string): Field =>
  field(column, name, {
    json: sql`coalesce('"' || ${timestamp(column)} || '"', 'null')`,
    piece: raw(`to_json(${column} at time zone 'UTC')`),
    form: { quotes: ['', 'Z"'], change: toMilliseconds },
  });

/** `"2026-11-01T09:30:00` and three digits of a second: Postgres writes as many as there are, or none. */
function toMilliseconds(piece: string): string {
  const digits = piece.length === 21 ? '.000' : piece.slice(20, -1).padEnd(4, '0').slice(0, 4);
  return piece.slice(0, 20) + digits;
}

/** What is JSON already. */
export const json = (value: Value, name?: string): Field => number(value, name);

/** An object inside the record, or null where its row is not there. */
export const object = (name: string, alias: string, fields: readonly Field[]): Field => {
  const json = sql`case when ${raw(alias)}.id is null then 'null' else ${objectJson(fields)} end`;
  return { name, json, piece: json, form: plain };
};

/** The same as a value of type json, for rows that are not records. */
export const publicObject = (alias: string, fields: readonly Field[]): Sql =>
  sql`case when ${raw(alias)}.id is not null then (${objectJson(fields)})::json end`;

/** `encode` takes a quarter of the time of `translate(id::text, '-', '')`, and every record has several ids. */
const hex = (column: string): string => `encode(uuid_send(${column}), 'hex')`;

export const publicId = (prefix: IdPrefix, column: string): Sql => raw(`'${prefix}_' || ${hex(column)}`);

export const timestamp = (column: string): Sql =>
  raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

function field(value: Value, name: string | undefined, forms: Omit<Field, 'name'>): Field {
  const own = typeof value === 'string' ? value.slice(value.indexOf('.') + 1) : undefined;
  const known = name ?? own;
  if (known === undefined) throw new Error('An expression has no name of its own.');
  return { name: known, ...forms };
}

const toSql = (value: Value): Sql => (typeof value === 'string' ? raw(value) : value);
