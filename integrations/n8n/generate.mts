/*
 * Writes nodes/Tenure/generated.json: what the nodes know about Tenure's records, events and fields. It comes from the
 * OpenAPI document alone, and so from the schemas that check requests. Run it after a change to them:
 *
 *   npm run generate
 *
 * test/n8n.test.ts at the root fails while the file is stale.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import type { JsonSchema } from '../../src/http/openapi/schemas.ts';
import { routes } from '../../src/http/routes/routes.ts';

interface Field {
  /** As the API has it. */
  name: string;
  label: string;
  kind: 'text' | 'number' | 'boolean' | 'day' | 'moment' | 'choice' | 'choices' | 'ids' | 'json';
  required: boolean;
  description?: string;
  choices?: string[];
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  schema: JsonSchema;
}

interface Operation {
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
}

const document = openApiDocument(routes) as {
  paths: Record<string, Record<'get' | 'post' | 'patch' | 'delete', Operation | undefined>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, JsonSchema> };
};

const resources: Record<string, string> = {
  property: '/properties',
  unit: '/units',
  tenant: '/tenants',
  lease: '/leases',
  payment: '/payments',
  charge: '/charges',
  credit: '/credits',
  recurring_charge: '/recurring-charges',
  maintenance_request: '/maintenance',
  balance: '/balances',
};

/** The node has paging and formats of its own. */
const notAsked = ['limit', 'cursor', 'format', 'total', 'expand'];

export function generatedText(): string {
  const events = Object.entries(document.webhooks)
    .filter(([name]) => name !== 'webhook.test')
    .map(([value, { post }]) => ({ value, description: post.description }));
  return asText({
    comment: 'Made by generate.mts from the OpenAPI document; not to be edited.',
    events,
    resources: Object.entries(resources).map(([value, path]) => resource(value, path)),
  });
}

/** As our formatter writes it: a list of words on one line if it fits. */
function asText(value: object): string {
  const mostColumns = 110;
  const text = JSON.stringify(value, null, 2).replace(
    /^(.*)\[\n\s+("[^"\n]*"(?:,\n\s+"[^"\n]*")*)\n\s+\]/gm,
    (whole, before: string, words: string) => {
      const line = `${before}[${words.replace(/,\n\s+/g, ', ')}]`;
      return line.length <= mostColumns ? line : whole;
    },
  );
  return `${text}\n`;
}

function resource(value: string, path: string) {
  const [list, one] = [document.paths[path], document.paths[`${path}/{id}`]];
  const filters = (list?.get?.parameters ?? []).filter(
    (each) => each.in === 'query' && !notAsked.includes(each.name),
  );
  return {
    value,
    label: titled(value),
    path,
    filters: filters.map(({ name, schema, description }) => field(name, { ...schema, description }, [])),
    ...(list?.post ? { create: fieldsOf(list.post) } : {}),
    ...(one?.patch ? { update: fieldsOf(one.patch) } : {}),
    get: one?.get !== undefined,
    delete: one?.delete !== undefined,
  };
}

function fieldsOf({ requestBody }: Operation): Field[] {
  const { properties = {}, required = [] } = resolved(requestBody?.content['application/json'].schema);
  return Object.entries(properties).map(([name, schema]) => field(name, schema, required));
}

function field(name: string, schema: JsonSchema, required: string[]): Field {
  const full = resolved(schema);
  const description = schema.description ?? full.description;
  const values = (full.items ? resolved(full.items) : full).enum as string[] | undefined;
  return {
    name,
    label: titled(name),
    kind: kindOf(name, full),
    required: required.includes(name),
    ...(description ? { description } : {}),
    ...(values ? { choices: values } : {}),
  };
}

function kindOf(name: string, { type, format, items, enum: values, anyOf }: JsonSchema): Field['kind'] {
  const kinds = (anyOf ?? []).filter((each) => each.type !== 'null');
  if (kinds.some((each) => each.format === 'date-time')) return 'moment';
  if (kinds.length > 1) return 'json';
  if (items) return resolved(items).enum ? 'choices' : name.endsWith('_ids') ? 'ids' : 'json';
  if (values) return 'choice';
  if (type === 'object') return 'json';
  if (format === 'date') return 'day';
  if (format === 'date-time') return 'moment';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'text';
}

/** The schema without references and without "or null". */
function resolved(schema: JsonSchema | undefined): JsonSchema {
  if (!schema) return {};
  if (schema.$ref) {
    const { $ref, ...own } = schema;
    return { ...resolved(document.components.schemas[$ref.split('/').at(-1) ?? '']), ...own };
  }
  const kinds = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (kinds.length === 1)
    return { ...resolved(kinds[0]), ...(schema.description && { description: schema.description }) };
  return { ...schema, type: [schema.type].flat().find((type) => type !== 'null') };
}

const words: Record<string, string> = {
  id: 'ID',
  ids: 'IDs',
  q: 'Search',
  sqft: '(Sq Ft)',
  cents: '(Minor Units)',
  line2: 'Line 2',
};

const titled = (name: string): string =>
  name
    .split('_')
    .map((word) => words[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('nodes/Tenure/generated.json', import.meta.url), generatedText());
