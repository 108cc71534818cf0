import type { OpenApiDocument, OpenApiOperation } from './client-types.ts';

/*
 * Writes the API as a Postman collection (v2.1). openapi-to-postmanv2 invents values for parameters and bodies, and
 * gives everything a new id each time. The document's own examples belong together, and the file changes only with
 * them.
 */

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
}

interface Example {
  content: { 'application/json'?: { example: unknown } };
  description?: string;
}

interface Document {
  info: { title: string; description: string };
  tags: { name: string; description?: string }[];
  components: { parameters: Record<string, Parameter> };
}

export function postmanCollection(openApi: OpenApiDocument): object {
  const { info, tags } = openApi as unknown as Document;
  const requests = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const folders = tags.map(({ name, description = '' }) => ({
    name,
    description,
    item: requests
      .filter(({ operation }) => (operation as unknown as { tags: string[] }).tags.includes(name))
      .map(({ path, method, operation }) => item(openApi, path, method, operation)),
  }));
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:3000/api/v1', type: 'string' },
      { key: 'apiKey', value: '', type: 'string', description: 'Settings → API keys: svc_live_…' },
    ],
    item: folders.filter(({ item }) => item.length > 0),
  };
}

function item(openApi: OpenApiDocument, path: string, method: string, operation: OpenApiOperation): object {
  const { components } = openApi as unknown as Document;
  const parameters = ((operation.parameters ?? []) as Parameter[]).map((each) =>
    each.$ref === undefined ? each : (components.parameters[each.$ref.split('/').at(-1) ?? ''] ?? each),
  );
  const body = (operation.requestBody as Example | undefined)?.content['application/json']?.example;
  const takesFile = operation.requestBody !== undefined && body === undefined;
  const request = {
    method,
    header: [
      ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      // The key is a new one each time somebody presses Send.
      ...(method === 'POST' ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
    ],
    url: url(path, parameters),
    description: operation.description ?? '',
    ...(takesFile ? { body: { mode: 'file', file: {} } } : {}),
    ...(body === undefined
      ? {}
      : { body: { mode: 'raw', raw: asJson(body), options: { raw: { language: 'json' } } } }),
  };
  return { name: operation.summary, request, response: answers(request, operation) };
}

/** Filters are listed but switched off. To use one, tick it. */
function url(path: string, parameters: Parameter[]): object {
  const parts = path
    .slice(1)
    .replace(/\{(\w+)\}/g, ':$1')
    .split('/');
  const query = parameters
    .filter((each) => each.in === 'query')
    .map(({ name, required, description = '', example }) => ({
      key: name,
      value: [example].flat().join(','),
      description,
      ...(required ? {} : { disabled: true }),
    }));
  const asked = query.filter((each) => !('disabled' in each)).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{baseUrl}}/${parts.join('/')}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: parts,
    ...(query.length > 0 ? { query } : {}),
    variable: parameters
      .filter((each) => each.in === 'path')
      .map(({ name, description = '', example }) => ({ key: name, value: String(example), description })),
  };
}

function answers(originalRequest: object, { responses }: OpenApiOperation): object[] {
  return (
    Object.entries(responses as unknown as Record<string, Example>)
      // There are no examples of binary content.
      .filter(([status, { content }]) => status.startsWith('2') && content['application/json'])
      .map(([status, { description, content }]) => ({
        name: description,
        originalRequest,
        code: Number(status),
        status: status === '201' ? 'Created' : 'OK',
        _postman_previewlanguage: 'json',
        header: [{ key: 'Content-Type', value: 'application/json' }],
        body: asJson(content['application/json']?.example),
      }))
  );
}

const asJson = (value: unknown): string => JSON.stringify(value, null, 2);
