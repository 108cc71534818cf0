/**
 * SQL with its values kept apart: sql`select … where id = ${id}`. Fragments nest, so a statement is
 * composed from fixed pieces and its text depends on which pieces were used, never on input. Equal texts
 * get one name, and Postgres plans each named statement once per connection.
 *
 * A fragment carries only its values and a short name of its pieces: the text, several thousand characters long, is put
 * together once for each combination that occurs and found by that name ever after.
 */
export interface Sql {
  /** Which pieces it is made of. Equal for equal texts made in one way. */
  readonly pieces: string;
  readonly values: readonly unknown[];
}

class Fragment implements Sql {
  readonly pieces: string;
  readonly values: readonly unknown[];
  readonly #strings: readonly string[];
  readonly #parts: readonly unknown[];

  constructor(
    pieces: string,
    values: readonly unknown[],
    strings: readonly string[],
    parts: readonly unknown[],
  ) {
    this.pieces = pieces;
    this.values = values;
    this.#strings = strings;
    this.#parts = parts;
  }

  /** Its text, with parameters numbered on from those before it. */
  text(before: number): string {
    let text = this.#strings[0] ?? '';
    let number = before;
    this.#parts.forEach((part, index) => {
      text += part instanceof Fragment ? part.text(number) : `$${number + 1}`;
      number += part instanceof Fragment ? part.values.length : 1;
      text += this.#strings[index + 1];
    });
    return text;
  }
}

const templates = new WeakMap<TemplateStringsArray, string>();
let templateCount = 0;

export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  let pieces = templates.get(strings);
  if (pieces === undefined) {
    pieces = String(++templateCount);
    templates.set(strings, pieces);
  }
  return compose(pieces, strings, parts);
}

function compose(name: string, strings: readonly string[], parts: readonly unknown[]): Sql {
  let pieces = name;
  let values: unknown[] | undefined;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (part instanceof Fragment) {
      // Up to here all were plain values.
      values ??= parts.slice(0, index);
      for (const value of part.values) values.push(value);
      pieces += `(${index} ${part.pieces})`;
    } else values?.push(part);
  }
  return new Fragment(short(pieces), values ?? parts, strings, parts);
}

const shortened = new Map<string, string>();

/** The same name for the same pieces, of a length that does not grow with every level. */
function short(pieces: string): string {
  if (pieces.length <= 40) return pieces;
  let name = shortened.get(pieces);
  if (name === undefined) {
    name = `#${shortened.size}`;
    shortened.set(pieces, name);
  }
  return name;
}

const rawPieces = new Map<string, Sql>();

/** A piece of SQL text written by us: names and expressions, never anything from outside. */
export function raw(text: string): Sql {
  let piece = rawPieces.get(text);
  if (piece === undefined) {
    piece = new Fragment(short(JSON.stringify(text)), [], [text], []);
    rawPieces.set(text, piece);
  }
  return piece;
}

/** A number of ours as part of the text, such as the size of a batch: the plan is made for it. */
export const literal = (number: number): Sql => raw(String(number));

export const none: Sql = raw('');

export function join(parts: readonly Sql[], separator: string): Sql {
  if (parts.length === 0) return none;
  const between = ['', ...Array<string>(parts.length - 1).fill(separator), ''];
  return compose(`join ${parts.length} ${JSON.stringify(separator)}`, between, parts);
}

/** Conditions joined by `and`; where there are none, nothing is filtered. */
export const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? raw('true') : join(conditions, ' and ');

export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

const known = new Map<string, { name: string; text: string }>();
const names = new Map<string, string>();

export function toStatement(query: Sql): Statement {
  let statement = known.get(query.pieces);
  if (statement === undefined) {
    const text = (query as Fragment).text(0);
    const name = names.get(text) ?? `tenure_${names.size + 1}`;
    names.set(text, name);
    statement = { name, text };
    known.set(query.pieces, statement);
  }
  return { name: statement.name, text: statement.text, values: query.values as unknown[] };
}
