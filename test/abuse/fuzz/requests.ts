import fc from 'fast-check';
import type { JsonSchema } from '../../../src/http/openapi/schemas.ts';
import { document } from '../../support/conform.ts';
import { anything, fieldNames, fromSchema, ids, type Schemas, strings } from './values.ts';

/** One request, with notes (see values.ts) where a run fills in what it knows. */
export interface Draft {
  method: string;
  /** The operation's path in the document, such as /payments/{id}. */
  path: string;
  id: string;
  query: [string, string][];
  body: { json: unknown } | { raw: string } | null;
  headers: Record<string, string>;
  as: 'writer' | 'reader' | 'other' | 'nobody';
}

interface Parameter {
  name: string;
  required?: boolean;
  in: string;
  schema: JsonSchema;
}
interface Described {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json'?: { schema: JsonSchema } } };
}

const schemas = document.components.schemas as Schemas;

/**
 * Every operation of the document. Those that write are sent more often, so that there is something to find, and
 * because more of them are refused.
 */
export function requests(): fc.Arbitrary<Draft> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      weight: method === 'get' ? 2 : 5,
      arbitrary: requestOf(path, method.toUpperCase(), operation as unknown as Described),
    })),
  );
  return fc.oneof(...operations);
}

function requestOf(path: string, method: string, described: Described): fc.Arbitrary<Draft> {
  const parameters = (described.parameters ?? []).filter((each): each is Parameter => 'schema' in each);
  const schema = described.requestBody?.content['application/json']?.schema;
  const isFile = described.requestBody !== undefined && schema === undefined;
  const prefix = parameters.find((each) => each.in === 'path')?.schema.pattern?.match(/^\^([a-z]+)_/)?.[1];
  const named = path.includes('{external_id}') ? mostly(externalIds, strings.map(inPath)) : fc.constant('');
  return fc.record({
    method: mostly(fc.constant(method), fc.constantFrom(...(method === 'GET' ? ['HEAD', 'PUT'] : ['PUT']))),
    path: fc.constant(path),
    id: prefix ? mostly(ids(prefix), fc.oneof(ids('prop'), strings.map(inPath))) : named,
    // A file can only be added to a record.
    query: queryOf(
      parameters
        .filter((each) => each.in === 'query')
        .map((each) => (isFile && each.name === 'record' ? { ...each, required: true } : each)),
    ),
    body: schema
      ? path.includes('{external_id}')
        ? mostly(bodyOf(schema).map(withoutExternalId), bodyOf(schema))
        : bodyOf(schema)
      : isFile
        ? strings.map((raw) => ({ raw }))
        : rarely(fc.constant({ raw: '{}' })),
    headers: isFile
      ? headersOf(method).map((headers) => ({ 'content-type': 'application/octet-stream', ...headers }))
      : headersOf(method),
    as: fc.oneof(
      { weight: 40, arbitrary: fc.constant('writer' as const) },
      { weight: 2, arbitrary: fc.constantFrom('reader' as const, 'other' as const) },
      { weight: 1, arbitrary: fc.constant('nobody' as const) },
    ),
  });
}

/** The external_id is in the path, and another one in the body is refused. */
function withoutExternalId(body: Draft['body']): Draft['body'] {
  if (body === null || !('json' in body) || typeof body.json !== 'object' || body.json === null) return body;
  return { json: withField(body.json as Record<string, unknown>, 'external_id', null) };
}

/** There are few, so that requests repeat them. Every run begins with records that have the first one. */
const externalIds = fc.constantFrom('crm-1', 'crm-2');

/** Mostly the first, and now and then the second. */
const mostly = <Value>(rule: fc.Arbitrary<Value>, exception: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 9, arbitrary: rule }, { weight: 1, arbitrary: exception });

const rarely = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: values });

const inPath = (text: string): string => encodeURIComponent(text.toWellFormed()).slice(0, 3_000) || 'x';

function queryOf(parameters: Parameter[]): fc.Arbitrary<[string, string][]> {
  const unknown = fc.tuple(fieldNames, strings);
  if (parameters.length === 0) return rarely(unknown).map((pair) => (pair ? [pair] : []));
  const required = parameters.filter((each) => each.required).map(parameter);
  const others = [
    ...parameters.filter((each) => !each.required).map((each) => ({ weight: 4, arbitrary: parameter(each) })),
    { weight: 1, arbitrary: unknown },
    { weight: 1, arbitrary: fc.constant<[string, string]>(['format', 'csv']) },
  ];
  return mostly(
    fc
      .tuple(fc.tuple(...required), fc.array(fc.oneof(...others), { maxLength: 3 }))
      .map((pairs) => pairs.flat()),
    fc.array(fc.oneof(...others), { maxLength: 4 }),
  );
}

function parameter({ name, schema }: Parameter): fc.Arbitrary<[string, string]> {
  const right =
    name === 'cursor'
      ? fc.nat({ max: 9 }).map((at) => `@cursor:${at}`)
      : name === 'record'
        ? fc.oneof(ids('prop'), ids('ten'))
        : fromSchema(schema, schemas, name);
  return fc.tuple(fc.constant(name), mostly(right.map(asText), strings));
}

const asText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

function bodyOf(schema: JsonSchema): fc.Arbitrary<Draft['body']> {
  const right = fromSchema(schema, schemas) as fc.Arbitrary<Record<string, unknown>>;
  const fields = Object.keys(resolved(schema).properties ?? {});
  const spoilt = fc
    .tuple(
      right,
      fc.array(fc.tuple(mostly(fc.constantFrom(...fields), fieldNames), fc.option(anything, { freq: 5 })), {
        minLength: 1,
        maxLength: 2,
      }),
    )
    .map(([body, changes]) =>
      changes.reduce<Record<string, unknown>>((made, [name, value]) => withField(made, name, value), body),
    );
  return fc.oneof(
    { weight: 12, arbitrary: right.map((json) => ({ json })) },
    { weight: 6, arbitrary: spoilt.map((json) => ({ json })) },
    { weight: 1, arbitrary: anything.map((json) => ({ json })) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          '',
          '{',
          '[]',
          'null',
          '"text"',
          '\ufeff{}',
          '{"a":1e999}',
          '['.repeat(5_000),
          '{"a":'.repeat(5_000),
        )
        .map((raw) => ({ raw })),
    },
  );
}

const resolved = (schema: JsonSchema): JsonSchema =>
  schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

/** JSON.stringify keeps an own key `__proto__`, but an assignment would not make one. Null removes the field. */
function withField(body: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = body;
  if (value === null) return rest;
  return Object.defineProperty(rest, name, { value, enumerable: true, configurable: true, writable: true });
}

function headersOf(method: string): fc.Arbitrary<Record<string, string>> {
  return fc
    .record({
      accept: rarely(
        fc.constantFrom(
          'text/csv',
          'application/json',
          '*/*',
          'text/csv;q=0.5, application/json;q=0.1',
          ';;;',
          'image/png',
        ),
      ),
      'content-type': rarely(
        fc.constantFrom(
          'application/json',
          'text/plain',
          'multipart/form-data',
          ';;;',
          'application/json; charset=utf-16',
        ),
      ),
      'user-agent': rarely(fc.constantFrom('Zapier', 'curl/8', '')),
      // There are few, so that they come again, with the same request and with others.
      'idempotency-key':
        method === 'POST'
          ? rarely(fc.constantFrom('a', 'b', 'x'.repeat(255), 'x'.repeat(256), 'with blank', 'é', ''))
          : fc.constant(null),
      'x-request-id': rarely(fc.constantFrom('mine', '')),
      'x-forwarded-for': rarely(fc.constantFrom('10.0.0.1', 'nonsense')),
      'x-account': rarely(fc.constant('acct_0190f3a0c0de7abc8def0123456789ab')),
    })
    .map((headers) =>
      Object.fromEntries(
        Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
      ),
    );
}
