import { type JsonSchema, SchemaBook } from '../openapi/schemas.ts';
import type { Route } from '../routes/route.ts';

/** The JSON Schema of an object, in the form that tools use. */
export interface ObjectSchema extends JsonSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
}

/** As many records as an assistant can read at once. It gets more only if it asks. */
export const defaultLimit = 50;
export const mostRecords = 200;

/**
 * Parameters that are left out: filters for programs that synchronise copies, and parameters whose result is in
 * headers. An assistant has `search`, and sees names beside ids.
 */
const forPrograms = new Set([
  'total',
  'expand',
  'created_since',
  'updated_since',
  'external_id',
  'email',
  'phone',
  'after',
  'wait',
]);

export const isPaged = (route: Route): boolean => route.query !== undefined && 'cursor' in route.query.shape;

/**
 * The route's id, filters and body as the arguments of a tool, described in as few words as suffice to fill them in: an
 * assistant reads all tools before it does anything. The API checks what is left out here, such as lengths and formats
 * of ids, and its refusals say what is wrong. `told` are fields that another tool describes.
 */
export function inputSchema(route: Route, told: Record<string, JsonSchema> = {}): ObjectSchema {
  const book = new SchemaBook();
  const query = resolved(book, route.query ? book.schema(route.query) : {});
  const body = resolved(book, route.body ? book.schema(route.body) : {});
  const properties: Record<string, JsonSchema> = route.id ? { id: { type: 'string' } } : {};
  const how = { book, clears: route.method === 'PATCH' };
  for (const [name, schema] of Object.entries(query.properties ?? {}))
    if (!forPrograms.has(name)) properties[name] = plain(name, brief(schema, how));
  for (const [name, schema] of Object.entries(body.properties ?? {}))
    properties[name] = withoutTold(plain(name, brief(schema, how)), told[name]);
  if (isPaged(route)) {
    properties.limit = { type: 'integer', maximum: mostRecords };
    properties.cursor = { type: 'string' };
  }
  const required = [...(route.id ? ['id'] : []), ...(query.required ?? []), ...(body.required ?? [])];
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

/** A field without the values that another tool names. A field that differs is described in full. */
function withoutTold(field: JsonSchema, told: JsonSchema | undefined): JsonSchema {
  const said = ({ description, enum: values, items }: JsonSchema) =>
    JSON.stringify([description, values, items]);
  if (told === undefined || said(field) !== said(told)) return field;
  const { description: _, enum: __, anyOf: ___, ...rest } = field;
  return rest.items?.properties ? { ...rest, items: { type: 'object' } } : rest;
}

/** Drops the description if it is long and the same in many tools. */
function plain(name: string, { description, ...field }: JsonSchema): JsonSchema {
  return description === undefined || selfEvident.has(name) ? field : { ...field, description };
}

const selfEvident = new Set(['q', 'external_id', 'currency']);

interface How {
  book: SchemaBook;
  /** Whether null clears a field. Otherwise null means the same as leaving the field out. */
  clears: boolean;
}

/** With more values than this, a choice becomes text. The error for a wrong value lists them all. */
const mostChoices = 12;

function brief(schema: JsonSchema, how: How): JsonSchema {
  const { $ref: _, ...own } = schema;
  const { choices, ...full } = { ...resolved(how.book, schema), ...own } as JsonSchema & {
    choices?: string[];
  };
  if (choices) return { type: 'array', items: choice(choices) };
  const kinds = (full.anyOf ?? []).filter(({ type }) => type !== 'null' || how.clears);
  // One kind of value, or a time, which may also be a day.
  const [only] = kinds;
  if (only && (kinds.length === 1 || kinds.every(({ format }) => format?.startsWith('date'))))
    return describedAs(full, brief(only, how));
  if (kinds.length > 1) return describedAs(full, { anyOf: kinds.map((kind) => inWords(kind, how)) });
  const short: JsonSchema = {};
  if (full.type) short.type = how.clears || !Array.isArray(full.type) ? full.type : full.type[0];
  // In a URL, yes and no are words.
  if (full.enum?.join() === 'true,false') return describedAs(full, { type: 'boolean' });
  if (full.enum) Object.assign(short, choice(full.enum));
  if (full.format?.startsWith('date')) short.format = full.format;
  if (full.items) short.items = brief(full.items, how);
  if (full.properties) {
    short.properties = Object.fromEntries(
      Object.entries(full.properties).map(([name, inner]) => [name, brief(inner, how)]),
    );
    if (full.required && full.required.length > 0) short.required = full.required;
  }
  return describedAs(full, short);
}

const choice = (values: unknown[]): JsonSchema =>
  values.length > mostChoices ? { type: 'string' } : { type: 'string', enum: values };

/** The instructions say how amounts are written, once for all tools. */
const isAboutCents = /^Amount in minor units/;

const describedAs = ({ description }: JsonSchema, short: JsonSchema): JsonSchema =>
  description && !isAboutCents.test(description)
    ? { ...short, description: firstSentence(description) }
    : short;

const firstSentence = (text: string): string => sentences(text, 1);

/**
 * As many sentences as fit, and at least the first. A sentence of fewer than twenty characters goes with the next one.
 */
export function sentences(text: string, most: number): string {
  let kept = '';
  for (const sentence of text.split(/(?<=[^.]{20}\.) (?=[A-Z`])/))
    if (kept === '' || kept.length + sentence.length < most) kept += `${kept && ' '}${sentence}`;
    else break;
  return kept;
}

/**
 * Describes one kind of value among several. An object is described by its fields' names alone: `{grace_days,
 * cap_cents?}`.
 */
function inWords(schema: JsonSchema, { book }: How): JsonSchema {
  const { type, const: value, properties } = resolved(book, schema);
  if (value !== undefined) return { const: value };
  return properties ? { type: 'object', description: namesIn(schema, book) } : { type: type ?? 'string' };
}

function namesIn(schema: JsonSchema, book: SchemaBook): string {
  const { properties = {}, required = [], anyOf = [] } = resolved(book, schema);
  const object = anyOf.find((kind) => resolved(book, kind).properties);
  if (object) return namesIn(object, book);
  const names = Object.entries(properties).map(([name, inner]) => {
    const inside = namesIn(inner, book);
    return `${name}${required.includes(name) ? '' : '?'}${inside && `: ${inside}`}`;
  });
  return names.length > 0 ? `{${names.join(', ')}}` : '';
}

/** Follows a reference to a named schema. */
const resolved = (book: SchemaBook, schema: JsonSchema): JsonSchema =>
  schema.$ref ? (book.definitions[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
