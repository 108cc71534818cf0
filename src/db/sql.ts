/**
 * SQL with its values kept apart: sql`select … where id = ${id}`. Fragments nest, so a statement is composed from fixed
 * pieces, and its text depends on which pieces are used, never on input.
 */
export interface Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

/** There is one string more than values: a value goes between each two of them. */
class Fragment implements Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

export function sql(template: readonly string[], ...parts: unknown[]): Sql {
  const strings = [template[0] ?? ''];
  const values: unknown[] = [];
  for (const [at, part] of parts.entries()) {
    const after = template[at + 1] ?? '';
    if (part instanceof Fragment) {
      strings[strings.length - 1] += part.strings[0] ?? '';
      for (let inner = 1; inner < part.strings.length; inner++) strings.push(part.strings[inner] ?? '');
      for (const value of part.values) values.push(value);
      strings[strings.length - 1] += after;
    } else {
      values.push(part);
      strings.push(after);
    }
  }
  return new Fragment(strings, values);
}

/** A piece of SQL text written by us: names and expressions, never anything from outside. */
export const raw = (text: string): Sql => new Fragment([text], []);

/** A number of ours as part of the text, such as the size of a batch, so that the plan is made for it. */
export const literal = (number: number): Sql => raw(String(number));

export const none: Sql = raw('');

export function join(parts: readonly Sql[], separator: string): Sql {
  if (parts.length === 0) return none;
  return sql(['', ...Array<string>(parts.length - 1).fill(separator), ''], ...parts);
}

/** Conditions joined by `and`. Without any, nothing is filtered. */
export const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? raw('true') : join(conditions, ' and ');

export interface Statement {
  text: string;
  values: unknown[];
}

export function toStatement({ strings, values }: Sql): Statement {
  let text = strings[0] ?? '';
  for (let at = 1; at < strings.length; at++) text += `$${at}${strings[at]}`;
  return { text, values: values.map(written) };
}

/** pg would format a time piece by piece, in this machine's time zone. */
const written = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);
