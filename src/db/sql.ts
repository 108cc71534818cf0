/**
 * SQL with its values kept apart: sql`select … where id = ${id}`. Fragments nest, so a statement is
 * composed from fixed pieces and its text depends on which pieces were used, never on input. Equal texts
 * get one name, and Postgres plans each named statement once per connection.
 */
export interface Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

class Fragment implements Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (!values.some((value) => value instanceof Fragment)) return new Fragment(strings, values);
  const texts: string[] = [];
  const flat: unknown[] = [];
  let text = strings[0] ?? '';
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value instanceof Fragment) {
      text += value.strings[0];
      for (let at = 0; at < value.values.length; at++) {
        flat.push(value.values[at]);
        texts.push(text);
        text = value.strings[at + 1] ?? '';
      }
    } else {
      flat.push(value);
      texts.push(text);
      text = '';
    }
    text += strings[index + 1];
  }
  texts.push(text);
  return new Fragment(texts, flat);
}

/** A piece of SQL text written by us: names and expressions, never anything from outside. */
export const raw = (text: string): Sql => new Fragment([text], []);

export const none: Sql = raw('');

export function join(parts: readonly Sql[], separator: string): Sql {
  if (parts.length === 0) return none;
  const between = ['', ...Array<string>(parts.length - 1).fill(separator), ''];
  return sql(between as unknown as TemplateStringsArray, ...parts);
}

/** Conditions joined by `and`; where there are none, nothing is filtered. */
export const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? raw('true') : join(conditions, ' and ');

export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

const names = new Map<string, string>();

export function toStatement(query: Sql): Statement {
  let text = query.strings[0] ?? '';
  for (let index = 1; index < query.strings.length; index++) text += `$${index}${query.strings[index]}`;
  let name = names.get(text);
  if (name === undefined) {
    name = `tenure_${names.size + 1}`;
    names.set(text, name);
  }
  return { name, text, values: query.values as unknown[] };
}
