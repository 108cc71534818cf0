import type { JsonSchema } from '../../src/http/openapi/schemas.ts';

/*
 * Writes the types and methods of @tenure/client from the OpenAPI document. openapi-typescript needs the compiler of
 * TypeScript 5 as a library, which TypeScript 7 no longer has. And it writes paths and components, from which the
 * methods would have to be derived by types that no editor shows well.
 */

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}

interface Media {
  content: { 'application/json': { schema: JsonSchema } };
}

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Media;
  responses: Record<string, Media>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, JsonSchema>; parameters: Record<string, Parameter> };
}

export function clientTypes(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isJson(operation))
      .map(([method, operation]) => describe(document, path, method, operation)),
  );
  const usesQuery = operations.some(({ signature }) => signature.includes('OptionsWithQuery'));
  return `${[
    '// Made from openapi.json by `npm run generate`; not to be edited.',
    `import type { List } from './list.ts';\nimport type { Options${usesQuery ? ', OptionsWithQuery' : ''} } from './options.ts';`,
    '/** One value, or several of which any will do. */\nexport type Several<Value> = Value | readonly Value[];',
    ...Object.entries(document.components.schemas).map(([name, schema]) => declaration(name, schema)),
    ...operations.flatMap(({ query }) => query ?? []),
    `/** What can be asked of Tenure, by the names that the API reference uses. */\nexport interface Methods {\n${operations
      .map(({ signature }) => signature)
      .join('\n')}\n}`,
    `/** Each method's request; whether the rest of its arguments is a body or a query; and what the answer is. */\nexport const operations: Record<\n  keyof Methods,\n  readonly [method: string, path: string, takes: 'body' | 'query' | 'nothing', answers: 'list' | 'data' | 'body']\n> = {\n${operations
      .map(({ row }) => row)
      .join('\n')}\n};`,
  ].join('\n\n')}\n`.replaceAll(/[:=] \n/g, (end) => `${end.charAt(0)}\n`);
}

/** The client's `request` sends and reads the content of files. */
const isJson = ({ requestBody, responses }: OpenApiOperation): boolean =>
  [requestBody, responses[200], responses[201]].every(
    (media) => media === undefined || 'application/json' in media.content,
  );

/** An operation as a method, as a row of the table, and with the type of its query. */
function describe(document: OpenApiDocument, path: string, method: string, operation: OpenApiOperation) {
  const { operationId, summary, description, requestBody } = operation;
  const parameters = (operation.parameters ?? []).map((each) => resolved(document, each));
  // The client asks for JSON. Its `request` can ask for other forms.
  const asked = parameters.filter((each) => each.in === 'query' && each.name !== 'format');
  const queryName = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
  const body = requestBody?.content['application/json'].schema;
  const hasQuery = asked.length > 0;
  const takes = body ? 'body' : hasQuery ? 'query' : 'nothing';
  const answer = answerOf(document, operation);
  const needsQuery = asked.some(({ required }) => required);
  const inputs = [
    ...parameters.filter((each) => each.in === 'path').map(({ name }) => `${name}: string`),
    ...(body ? [`body${isNeeded(document, body) ? '' : '?'}: ${typeOf(body, 1)}`] : []),
    ...(takes === 'query' ? [`query${needsQuery ? '' : '?'}: ${queryName}`] : []),
    `options?: ${body && hasQuery ? `OptionsWithQuery<${queryName}>` : 'Options'}`,
  ];
  return {
    query: hasQuery
      ? [
          `/** What ${operationId} can be asked with. */\nexport interface ${queryName} {\n${asked.map(queryField).join('\n')}\n}`,
        ]
      : undefined,
    signature: `${comment([`${summary}.`, description].filter(Boolean).join(' '), 1)}  ${operationId}(${inputs.join(', ')}): ${answer.type};`,
    row: `  ${operationId}: ['${method.toUpperCase()}', '${path}', '${takes}', '${answer.kind}'],`,
  };
}

function answerOf(
  document: OpenApiDocument,
  { responses }: OpenApiOperation,
): { kind: string; type: string } {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = success?.content['application/json'].schema ?? {};
  const { properties = {} } = schema.$ref ? (document.components.schemas[nameOf(schema.$ref)] ?? {}) : schema;
  const { data, count } = properties;
  if (data?.items && count) return { kind: 'list', type: `List<${typeOf(data.items, 1)}>` };
  if (data && Object.keys(properties).length === 1)
    return { kind: 'data', type: `Promise<${typeOf(data, 1)}>` };
  return { kind: 'body', type: `Promise<${typeOf(schema, 1)}>` };
}

/** A body without required fields may be left out, except that of a change, which must have some. */
function isNeeded(document: OpenApiDocument, schema: JsonSchema): boolean {
  const named = schema.$ref ? document.components.schemas[nameOf(schema.$ref)] : schema;
  return (named?.required ?? []).length > 0 || named?.minProperties !== undefined;
}

const resolved = (document: OpenApiDocument, parameter: Parameter): Parameter =>
  parameter.$ref === undefined
    ? parameter
    : (document.components.parameters[nameOf(parameter.$ref)] ?? parameter);

function queryField({ name, required, description, schema }: Parameter): string {
  return `${comment(description, 1)}  ${key(name)}${required ? '' : '?'}: ${queryType(schema)};`;
}

function queryType(schema: JsonSchema): string {
  if (schema.items) return `Several<${typeOf(schema.items, 1)}>`;
  return schema.enum?.join() === 'true,false' ? 'boolean' : typeOf(schema, 1);
}

function declaration(name: string, schema: JsonSchema): string {
  const about = comment(schema.description, 0);
  if (schema.properties) return `${about}export interface ${name} ${typeOf(schema, 0)}`;
  return `${about}export type ${name} = ${typeOf(schema, 0)};`;
}

function typeOf(schema: JsonSchema, depth: number): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum)
    return union(
      schema.enum.map((value) => JSON.stringify(value)),
      depth,
    );
  const either = schema.anyOf ?? schema.oneOf;
  if (either)
    return union(
      either.map((each) => typeOf(each, depth)),
      depth,
    );
  if (Array.isArray(schema.type))
    return union(
      schema.type.map((type) => typeOf({ ...schema, type }, depth)),
      depth,
    );
  if (schema.type === 'array') {
    const item = typeOf(schema.items ?? {}, depth);
    return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === 'object') return objectType(schema, depth);
  return (
    { integer: 'number', number: 'number', boolean: 'boolean', string: 'string', null: 'null' }[
      schema.type ?? ''
    ] ?? 'unknown'
  );
}

function objectType({ properties, required = [], additionalProperties }: JsonSchema, depth: number): string {
  if (!properties) {
    const isMap = typeof additionalProperties === 'object' && additionalProperties !== null;
    return `Record<string, ${isMap ? typeOf(additionalProperties as JsonSchema, depth) : 'unknown'}>`;
  }
  const indent = '  '.repeat(depth + 1);
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      `${comment(field.description, depth + 1)}${indent}${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field, depth + 1)};\n`,
  );
  return `{\n${fields.join('')}${'  '.repeat(depth)}}`;
}

/** On one line, or with a line for each type where that would be too long. */
function union(types: string[], depth: number): string {
  const distinct = [...new Set(types.map((type) => type.replace(/^\n\s+\| /, '')))];
  const line = distinct.join(' | ');
  const indent = `\n${'  '.repeat(depth + 1)}| `;
  return line.length > 80 ? `${indent}${distinct.join(indent)}` : line;
}

function comment(text: string | undefined, depth: number): string {
  if (!text) return '';
  const indent = '  '.repeat(depth);
  const safe = text.replaceAll('*/', '*\\/');
  const wide = new RegExp(`(.{1,${106 - indent.length}})(?: |$)`, 'g');
  const lines = [...safe.replace(/\s+/g, ' ').matchAll(wide)].map(([, line]) => line);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

const key = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`);
const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';
