/**
 * SQL with its values kept apart: sql`select … where id = ${id}`. Fragments nest, so a statement is
 * composed from fixed pieces and its text depends on which pieces were used, never on input. Equal texts
 * get one name, and Postgres plans each named statement once per connection.
 *
 * A fragment carries only its values and its shape, which stands for the pieces it is made of: the text, several thousand
 * characters long, is put together once for each shape.
 */
export interface Sql {
  readonly shape: Shape;
  readonly values: readonly unknown[];
}

/** A template, and which fragments are in which of its places: a node of the tree of all that occur. */
class Shape {
  static #count = 0;
  readonly #id = Shape.#count++;
  readonly #next = new Map<number, Shape>();
  statement: { name: string; text: string } | undefined;

  /** This one with another fragment in it. */
  with(place: number, inner: Shape): Shape {
    const key = inner.#id * mostPlaces + place;
    let next = this.#next.get(key);
    if (next === undefined) {
      next = new Shape();
      this.#next.set(key, next);
    }
    return next;
  }
}

/** More than any template or list of conditions has. */
const mostPlaces = 4096;

class Fragment implements Sql {
  readonly shape: Shape;
  readonly values: readonly unknown[];
  readonly #strings: readonly string[];
  readonly #parts: readonly unknown[];

  constructor(
    shape: Shape,
    values: readonly unknown[],
    strings: readonly string[],
    parts: readonly unknown[],
  ) {
    this.shape = shape;
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

const templates = new WeakMap<TemplateStringsArray, Shape>();

export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  let shape = templates.get(strings);
  if (shape === undefined) {
    shape = new Shape();
    templates.set(strings, shape);
  }
  return compose(shape, strings, parts);
}

function compose(template: Shape, strings: readonly string[], parts: readonly unknown[]): Sql {
  let shape = template;
  let values: unknown[] | undefined;
  for (let place = 0; place < parts.length; place++) {
    const part = parts[place];
    if (part instanceof Fragment) {
      // Up to here all were plain values.
      values ??= parts.slice(0, place);
      for (const value of part.values) values.push(value);
      shape = shape.with(place, part.shape);
    } else values?.push(part);
  }
  return new Fragment(shape, values ?? parts, strings, parts);
}

const rawPieces = new Map<string, Sql>();

/** A piece of SQL text written by us: names and expressions, never anything from outside. */
export function raw(text: string): Sql {
  let piece = rawPieces.get(text);
  if (piece === undefined) {
    piece = new Fragment(new Shape(), [], [text], []);
    rawPieces.set(text, piece);
  }
  return piece;
}

/** A number of ours as part of the text, such as the size of a batch: the plan is made for it. */
export const literal = (number: number): Sql => raw(String(number));

export const none: Sql = raw('');

const joints = new Map<string, { shape: Shape; strings: string[] }>();

export function join(parts: readonly Sql[], separator: string): Sql {
  if (parts.length === 0) return none;
  const key = parts.length + separator;
  let joint = joints.get(key);
  if (joint === undefined) {
    const strings = ['', ...Array<string>(parts.length - 1).fill(separator), ''];
    joint = { shape: new Shape(), strings };
    joints.set(key, joint);
  }
  return compose(joint.shape, joint.strings, parts);
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
  const { shape, values } = query;
  if (shape.statement === undefined) {
    const text = (query as Fragment).text(0);
    const name = names.get(text) ?? `tenure_${names.size + 1}`;
    names.set(text, name);
    shape.statement = { name, text };
  }
  return { ...shape.statement, values: values.map(written) };
}

/** pg would write a time part by part, in the time zone of this machine. */
const written = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);
