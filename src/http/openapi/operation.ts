import type { z } from 'zod';
import { exampleId } from '../../fields.ts';
import { foldersOf } from '../answers/location.ts';
import { csvContent, listColumns } from '../routes/csv.ts';
import { documentContent, formatsOf, types } from '../routes/formats.ts';
import { hasSecrets, type Route } from '../routes/route.ts';
import { routeName } from '../routes/route-name.ts';
import { errorResponses } from './errors.ts';
import { exampleOf } from './examples.ts';
import { headersOf, ofEveryAnswer } from './headers.ts';
import { type JsonSchema, type SchemaBook, withoutDefaults } from './schemas.ts';

/** One route as an operation of the document. */
export function operation(route: Route, routes: Route[], book: SchemaBook, error: JsonSchema): object {
  const response = book.body(route.response);
  const isAddressed = foldersOf(routes).has(kindOf(exampleOf(response, book.definitions)));
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: route.description ?? describe(route),
    parameters: [...inPath(route, book), ...inQuery(route, book), ...format(route), ...inHeader(route)],
    ...requestBody(route, book),
    responses: {
      [route.success]: {
        description: describeSuccess(route),
        headers: successHeaders(route, isAddressed),
        content: route.sendsFile ? { '*/*': { schema: response } } : json(book, response),
        ...alternatives(route),
      },
      ...(route.sendsFile ? { 206: partOfFile } : {}),
      ...(route.creates ? { 201: created(book, response) } : {}),
      ...(route.method === 'GET' ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
      ...errorResponses(route, error),
    },
  };
}

function requestContent({ form }: Route, book: SchemaBook, body: z.ZodObject): object {
  const schema = book.schema(body);
  return {
    ...json(book, schema),
    ...(form ? { 'multipart/form-data': { schema: asForm(book, schema) } } : {}),
  };
}

/** The same fields, with the file itself. */
function asForm(book: SchemaBook, { $ref, ...schema }: JsonSchema): JsonSchema {
  const fields = $ref === undefined ? schema : (book.definitions[$ref.split('/').at(-1) ?? ''] ?? {});
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  return withoutDefaults({ ...fields, properties: { ...fields.properties, file } });
}

function requestBody(route: Route, book: SchemaBook): object {
  if (route.body)
    return { requestBody: { required: true, content: requestContent(route, book, route.body) } };
  if (!route.upload) return {};
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file.' };
  const { properties = {} } = route.query ? book.schema(route.query) : {};
  const form = { type: 'object', properties: { file, ...properties }, required: ['file'] };
  return {
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: form }, 'application/octet-stream': { schema: file } },
    },
  };
}

/** The answer to a Range request. */
const partOfFile = {
  description: 'The bytes that `Range` asks for.',
  headers: headersOf(ofEveryAnswer),
  content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
};

/** The answer if the record did not exist. */
const created = (book: SchemaBook, response: JsonSchema) => ({
  description: 'Created.',
  headers: headersOf([...ofEveryAnswer, 'ETag', 'Location']),
  content: json(book, response),
});

/**
 * The other forms of the answer besides JSON, described beside its content. As further content, they would make
 * generators type every list as "the list, or text", though only callers who ask for text get it.
 */
function alternatives(route: Route): object {
  const content = { ...csvContent(route), ...documentContent(route) };
  return Object.keys(content).length === 0 ? {} : { 'x-alternatives': content };
}

/** For example listPayments, rotateWebhookSecret or getRentRollReport. */
function operationId(route: Route): string {
  const name = isReport(route) ? `${routeName(route)}-report` : routeName(route);
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const isReport = (route: Route) => route.path.startsWith('/reports/');

/** Describes a route that has no description of its own. */
function describe(route: Route): string {
  if (route.method === 'PATCH') return 'Changes only the fields that are sent. Null clears a field.';
  if (route.method === 'DELETE') return 'A record that others refer to cannot be deleted.';
  if (route.method === 'POST') return 'With an `Idempotency-Key`, a repeated request takes effect only once.';
  if (isPaged(route))
    return 'Newest first. If there is more, the `Link` header has the address of the next page.';
  return route.id ? 'The record as it is now.' : 'All of them in one answer.';
}

/** What a successful answer contains, and in which other forms it is available. */
function describeSuccess(route: Route): string {
  const asked = formatsOf(route).map((format) => `\`Accept: ${types[format]}\` or \`?format=${format}\``);
  return [success(route), ...(asked.length > 0 ? [`In another form with ${asked.join(', or ')}.`] : [])].join(
    ' ',
  );
}

function success(route: Route): string {
  if (route.stepwise) return 'The result for each item.';
  if (route.success === 201) return route.id ? 'Done.' : 'Created.';
  if (route.method === 'DELETE') return 'Deleted.';
  if (route.method !== 'GET') return 'The record as it is now.';
  if (isReport(route)) return 'The rows of the report.';
  if (listColumns(route) === null) return 'The record.';
  return isNewestFirst(route) ? 'The records, newest first.' : 'The rows.';
}

const isNewestFirst = (route: Route) => route.query !== undefined && 'created_since' in route.query.shape;
const isCounted = (route: Route) => route.query !== undefined && 'total' in route.query.shape;
const isPaged = (route: Route) => route.query !== undefined && 'cursor' in route.query.shape;

function inPath(route: Route, book: SchemaBook): object[] {
  if (route.params) return parametersOf(book, route.params, 'path');
  if (!route.id) return [];
  const schema = { type: 'string', pattern: `^${route.id}_[0-9a-f]{32}$` };
  return [{ name: 'id', in: 'path', required: true, schema, example: exampleId(route.id) }];
}

function inQuery(route: Route, book: SchemaBook): object[] {
  return route.query ? parametersOf(book, route.query, 'query') : [];
}

function parametersOf(book: SchemaBook, parameters: z.ZodObject, location: 'path' | 'query'): object[] {
  const schema = book.schema(parameters);
  return Object.entries(schema.properties ?? {}).map(([name, given]) => {
    const { description, choices, examples, ...kind } = given as JsonSchema & { choices?: string[] };
    const shown = choices ? { type: 'array', items: { type: 'string', enum: choices } } : kind;
    return {
      name,
      in: location,
      required: schema.required?.includes(name) ?? false,
      ...(description ? { description } : {}),
      ...(choices ? { style: 'form', explode: false } : {}),
      schema: shown,
      example: examples?.[0] ?? (choices ? choices.slice(0, 1) : exampleOf(kind, book.definitions, '', name)),
    };
  });
}

function format(route: Route): object[] {
  if (route.documents === undefined)
    return formatsOf(route).length === 0 ? [] : [{ $ref: '#/components/parameters/Format' }];
  const { schema, ...parameter } = sharedParameters.Format;
  return [{ ...parameter, schema: { ...schema, enum: ['json', ...formatsOf(route)] } }];
}

function inHeader(route: Route): object[] {
  const name = {
    POST: 'IdempotencyKey',
    GET: 'IfNoneMatch',
    PATCH: 'IfMatch',
    DELETE: 'IfMatch',
    PUT: 'IfMatch',
  }[route.method];
  const others = [...(route.method === 'PUT' ? ['CreateOnly'] : []), ...(route.body ? ['Prefer'] : [])];
  return [name, ...others].map((each) => ({
    $ref: `#/components/parameters/${each}`,
  }));
}

/** The parameters that many routes share, for `components.parameters`. */
export const sharedParameters = {
  Format: {
    name: 'format',
    in: 'query',
    required: false,
    description: 'The form of the answer, for callers who cannot send `Accept`. It wins over that header.',
    schema: { type: 'string', enum: ['json', 'csv'] },
    example: 'json',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a repeat safe: for 24 hours the same request with the same key returns the first answer, and nothing is done twice.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: '3f1c9a52-6d0e-4b7f-9a53-0c2f8e1d7b64',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: 'With `handling=strict`, unknown fields of the body are refused (400) instead of ignored.',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of an earlier answer: if nothing has changed since, the answer is 304 without a body.',
    schema: { type: 'string' },
    example: '"Zg3P0mXvJ5fQh1bTqk2d9A"',
  },
  CreateOnly: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'With `*`, the record is only created: if it already exists, the answer is 412 and nothing is done.',
    schema: { type: 'string' },
    example: '*',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of the record as you saw it: if it has changed since, the answer is 412 and nothing is done.',
    schema: { type: 'string' },
    example: '"Zg3P0mXvJ5fQh1bTqk2d9A"',
  },
};

/**
 * Whether answers have an ETag: what GET shows, and a record after it was made or changed, unless it contains a secret.
 */
const isTagged = (route: Route, isAddressed: boolean): boolean =>
  !hasSecrets(route) &&
  (route.success === 201 ? isAddressed : ['GET', 'PUT', 'PATCH'].includes(route.method));

/** The prefix of a record's id, taken from an answer that shows the record. */
function kindOf(answer: unknown): string {
  const { data } = answer as { data?: { id?: string } };
  return data?.id?.split('_')[0] ?? '';
}

/** The answer to an If-None-Match, for `components.responses`. */
export const notModified = {
  NotModified: {
    description: 'Nothing has changed since the answer whose `ETag` is in `If-None-Match`.',
    headers: headersOf([...ofEveryAnswer, 'ETag']),
  },
};

function successHeaders(route: Route, isAddressed: boolean): object {
  return headersOf([
    ...ofEveryAnswer,
    ...(isPaged(route) ? (['Link'] as const) : []),
    ...(isTagged(route, isAddressed) ? (['ETag'] as const) : []),
    ...(route.success === 201 && isAddressed ? (['Location'] as const) : []),
    ...(isCounted(route) ? (['X-Total-Count'] as const) : []),
    ...(route.method === 'POST' ? (['Idempotent-Replayed'] as const) : []),
    ...(route.warn ? (['Warning'] as const) : []),
    ...(route.body ? (['Preference-Applied'] as const) : []),
  ]);
}

export const json = (book: SchemaBook, schema: JsonSchema) => ({
  'application/json': { schema, example: exampleOf(schema, book.definitions) },
});
