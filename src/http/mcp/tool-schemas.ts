import { type IdPrefix, idPrefixes } from '../../ids.ts';
import { type JsonSchema, SchemaBook } from '../openapi/schemas.ts';
import type { Route } from '../routes/route.ts';
import { listToolOf, nounOf } from './tool-names.ts';

/** A JSON Schema of an object, as tools have them. */
export interface ObjectSchema extends JsonSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required: string[];
}

/** As much as an assistant can read at once; it gets more only if it asks. */
export const defaultLimit = 50;

export const isPaged = (route: Route): boolean => route.query !== undefined && 'cursor' in route.query.shape;

/** The route's id, filters and body as the arguments of a tool. */
export function inputSchema(route: Route): ObjectSchema {
  const book = new SchemaBook();
  const query = resolved(book, route.query ? book.schema(route.query) : {});
  const body = resolved(book, route.body ? book.schema(route.body) : {});
  const fields = { ...query.properties, ...body.properties };
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, field(book, name, schema)]),
  );
  if (isPaged(route)) {
    properties.limit = { ...properties.limit, default: defaultLimit };
    properties.cursor = {
      type: 'string',
      description: 'Where to continue: `next_cursor` of the previous page.',
    };
  }
  const required = [query.required ?? [], body.required ?? []].flat() as string[];
  if (!route.id) return { type: 'object', properties, required };
  return {
    type: 'object',
    properties: { id: { type: 'string', description: aboutId(route.id) }, ...properties },
    required: ['id', ...required],
  };
}

/** Follows a reference to a named schema. */
const resolved = (book: SchemaBook, schema: JsonSchema): JsonSchema =>
  schema.$ref ? (book.definitions[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

/** The route's answer, with the next cursor for lists. */
export function outputSchema(route: Route): ObjectSchema {
  const book = new SchemaBook();
  const { properties = {}, required = [] } = book.schema(route.response);
  const schema: ObjectSchema = { type: 'object', properties, required: required as string[] };
  if (isPaged(route)) {
    schema.properties.next_cursor = {
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'Pass it as `cursor` for the next page; null at the end.',
    };
    schema.required = [...schema.required, 'next_cursor'];
  }
  if (Object.keys(book.definitions).length > 0) schema.$defs = book.definitions;
  // A tool's schema stands alone: it contains what it references.
  return JSON.parse(JSON.stringify(schema, withoutPatterns).replaceAll('#/components/schemas/', '#/$defs/'));
}

/**
 * Adds what an assistant must know to fill in the field: the unit of money, where ids come from. What is inside it
 * stands in it, not in a definition elsewhere.
 */
function field(book: SchemaBook, name: string, schema: JsonSchema): JsonSchema {
  const { $ref: _, ...own } = schema;
  const { choices, ...plain } = { ...resolved(book, schema), ...own } as JsonSchema & { choices?: string[] };
  if (choices)
    return {
      type: 'array',
      items: { type: 'string', enum: choices },
      description: 'Any of these; all if left out.',
    };
  const described: JsonSchema = { ...plain, ...about(name, plain) };
  if (plain.items) described.items = field(book, name, plain.items);
  if (plain.anyOf) described.anyOf = plain.anyOf.map((each) => (each.$ref ? field(book, name, each) : each));
  if (plain.properties) {
    described.properties = Object.fromEntries(
      Object.entries(plain.properties).map(([inner, innerSchema]) => [
        inner,
        field(book, inner, innerSchema),
      ]),
    );
  }
  return JSON.parse(JSON.stringify(described, withoutPatterns)) as JsonSchema;
}

function about(name: string, schema: JsonSchema): { description?: string } {
  const { description } = schema as { description?: string };
  const kinds = alternatives(schema);
  const prefix = idPrefixOf(kinds);
  if (prefix) return { description: joined(description, aboutId(prefix)) };
  if (kinds.some(({ format }) => format === 'date-time'))
    return { description: joined(description, 'A timestamp such as 2026-11-15T09:30:00.000Z.') };
  if (kinds.some(({ format }) => format === 'date'))
    return { description: joined(description, 'A date written YYYY-MM-DD.') };
  if (description) return { description };
  if (!name.endsWith('_cents')) return {};
  return { description: 'Amount in minor units: 125000 is 1250.00 (of JPY, ¥125000).' };
}

/** The kinds of value that are possible: null, text, one of several. */
const alternatives = (schema: JsonSchema): JsonSchema[] =>
  schema.anyOf ? [schema, ...schema.anyOf.flatMap(alternatives)] : [schema];

const joined = (first: string | undefined, second: string) => (first ? `${first} ${second}` : second);

const aboutId = (prefix: IdPrefix): string =>
  `Id of a ${nounOf(prefix)} (${prefix}_…), from ${listToolOf(prefix)}.`;

function idPrefixOf(kinds: JsonSchema[]): IdPrefix | undefined {
  const [example] = kinds.flatMap(({ examples }) => examples ?? []);
  const given = /^([a-z]+)_[0-9a-f]{32}$/.exec(String(example))?.[1];
  return Object.values(idPrefixes).find((prefix) => prefix === given);
}

/**
 * The pattern of a date is longer than everything else about it, and `format` says the same. The pattern of a whole
 * number is about its spelling in a URL.
 */
function withoutPatterns(this: unknown, key: string, value: unknown): unknown {
  const { format, type } = this as JsonSchema;
  return key === 'pattern' && (format !== undefined || type === 'integer') ? undefined : value;
}
