/*
 * Writes generated.json: what the integration knows about Tenure's records, events and inputs. It comes from the
 * OpenAPI document alone, and so from the schemas that check requests. Run it after a change to them:
 *
 *   npm run generate
 *
 * test/zapier.test.ts at the root fails while the file is stale.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import type { JsonSchema } from '../../src/http/openapi/schemas.ts';
import { routes } from '../../src/http/routes/routes.ts';
import { currencies, decimalsOf } from '../../src/money.ts';

type Sample = Record<string, unknown>;

interface JsonContent {
  content: { 'application/json': { schema: JsonSchema; example: { data: Record<string, Sample> } } };
}

/** What a POST answers with. */
interface Created {
  schema: JsonSchema;
  example: { data: Sample };
}

interface Operation {
  description: string;
  requestBody: JsonContent;
}

interface Input {
  /** Its name in the API, where `*_cents` take whole minor units. */
  name: string;
  kind: 'text' | 'integer' | 'number' | 'boolean' | 'money' | 'date' | 'moment' | 'list' | 'ids';
  /** In the platform's form. */
  field: Record<string, unknown>;
  /** The fields of each item of a list. */
  items?: Input[];
}

/** Which schema describes the input of which action. */
const actionSchemas = {
  create_property: 'PropertyCreate',
  create_unit: 'UnitCreate',
  create_tenant: 'TenantCreate',
  update_tenant: 'TenantPatch',
  create_lease: 'LeaseCreate',
  record_payment: 'PaymentCreate',
  create_charge: 'ChargeCreate',
  create_credit: 'CreditCreate',
  create_recurring_charge: 'RecurringChargeCreate',
  create_maintenance_request: 'MaintenanceRequestCreate',
  update_maintenance_request: 'MaintenanceRequestPatch',
};

/** How an id can be chosen: by a hidden trigger that lists records, or by a search earlier in the Zap. */
const choosers: Record<string, { dynamic: string; search?: string }> = {
  prop: { dynamic: 'property_list.id.choice', search: 'find_property.id' },
  unit: { dynamic: 'unit_list.id.choice', search: 'find_unit.id' },
  ten: { dynamic: 'tenant_list.id.choice', search: 'find_tenant.id' },
  lease: { dynamic: 'lease_list.id.choice', search: 'find_lease.id' },
  chg: { dynamic: 'charge_list.id.choice' },
};

const document = openApiDocument(routes) as {
  paths: Record<
    string,
    {
      get?: { responses: { 200: { content: Partial<JsonContent['content']> } } };
      post?: { responses: { 201: { content: { 'application/json': Created } } } };
    }
  >;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, JsonSchema> };
};
const definitions = document.components.schemas;

export function generatedText(): string {
  const events = Object.entries(document.webhooks).filter(([name]) => name !== 'webhook.test');
  const records = {
    ...Object.fromEntries(events.map(([event, { post }]) => recordOf(event, post))),
    recurring_charge: createdAt('/recurring-charges'),
  };
  return asText({
    comment: 'Made by generate.ts from the OpenAPI document; not to be edited.',
    currencyDecimals: unusualDecimals(),
    records: mapValues(records, ({ schema, sample }, record) => ({
      noun: titled(record),
      path: listPath(schema),
      fields: outputFields(schema),
      sample,
    })),
    triggers: events.map(([event, { post }]) => trigger(event, post)),
    inputs: mapValues(actionSchemas, (name) => inputsOf(resolved(definitions[name]))),
  });
}

/** The record that an event carries, with the document's example of it. */
function recordOf(event: string, post: Operation): [string, { schema: JsonSchema; sample: Sample }] {
  const [record = ''] = event.split('.');
  const { schema, example } = post.requestBody.content['application/json'];
  const sample = example.data[record] ?? {};
  return [record, { schema: resolved(resolved(schema).properties?.data?.properties?.[record]), sample }];
}

/** A record that has no events. */
function createdAt(path: string): { schema: JsonSchema; sample: Sample } {
  const created = document.paths[path]?.post?.responses[201].content['application/json'];
  if (!created) throw new Error(`Nothing is created at ${path}.`);
  return { schema: resolved(resolved(created.schema).properties?.data), sample: created.example.data };
}

/** The path of the list of these records, such as `/maintenance`. */
function listPath(schema: JsonSchema): string {
  const listed = Object.entries(document.paths).find(([, { get }]) => {
    // A file's content is no JSON.
    const answer = get?.responses[200].content['application/json'];
    const { data } = answer ? (resolved(answer.schema).properties ?? {}) : {};
    return data?.items && resolved(data.items).properties === schema.properties;
  });
  if (!listed) throw new Error('A record has no list.');
  return listed[0];
}

function trigger(event: string, post: Operation): object {
  const [record, { sample }] = recordOf(event, post);
  const verb = event.slice(record.length + 1);
  const noun = titled(record);
  return {
    key: `${record}_${verb}`,
    event,
    record,
    noun,
    label: `${verb === 'created' ? 'New' : titled(verb)} ${noun}`,
    description: triggersWhen(post.description),
    sample: { ...sample, ...atThatMoment[event] },
  };
}

/** How a record looks after one of these events. */
const atThatMoment: Record<string, Sample> = {
  'property.created': { unit_count: 0, occupied_unit_count: 0 },
  'unit.created': { status: 'vacant' },
  'tenant.created': { property: null, unit: null, lease: null, lease_status: 'none' },
  'lease.ended': { ended_on: '2026-11-14', status: 'ended' },
  'charge.due': { due_on: '2026-11-15', period: '2026-11', status: 'open' },
  'charge.overdue': { due_on: '2026-11-14', period: '2026-11', status: 'open' },
  'charge.updated': {
    status: 'voided',
    voided_on: '2026-11-15',
    void_reason: 'Entered twice.',
    open_cents: 0,
    open: '0.00',
  },
  'credit.updated': { voided_on: '2026-11-15', void_reason: 'Entered twice.' },
  'maintenance_request.created': { status: 'open', cost: null, cost_cents: null },
  'maintenance_request.completed': {
    status: 'completed',
    completed_at: '2026-11-15T09:30:00.000Z',
    resolution: 'New washer.',
  },
};

/** Turns "A lease was made. (…)" into the platform's style: "Triggers when a lease is made." */
function triggersWhen(meaning: string): string {
  const sentence = meaning
    .replace(/ \([^)]*\)/g, '')
    .replace(' was ', ' is ')
    .replace(' began', ' begins')
    .replace(/^./, (letter) => letter.toLowerCase());
  return `Triggers when ${sentence}`;
}

/** Nested objects in the platform's spelling, `lease__status`. What comes only with `expand` is not in an event. */
function outputFields(schema: JsonSchema, prefix = '', labels = ''): object[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => schema.required?.includes(name))
    .flatMap(([name, field]) => {
      const inner = resolved(field);
      const label = `${labels}${titled(name)}`;
      if (inner.properties) return outputFields(inner, `${prefix}${name}__`, `${label} `);
      if (inner.type === 'array') return [{ key: `${prefix}${name}`, label, list: true }];
      return [{ key: `${prefix}${name}`, label, type: outputType(inner) }];
    });
}

/** Days are text: the platform would move a `datetime` into the reader's time zone. */
function outputType({ type, format }: JsonSchema): string {
  if (format === 'date-time') return 'datetime';
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';
}

function inputsOf(schema: JsonSchema): Input[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, field]) => inputOf(name, field, schema.required ?? []));
}

/**
 * Left out: the fee of a payment that is recorded only after it was returned, of a lease what is worked out with care
 * in the dashboard, and the lease of a new tenant, which has an action of its own.
 */
const leftOut = ['fee_cents', 'rent_changes', 'opening_balance_cents', 'lease'];

/** Of the units in POST /properties: rarely used there, and an amount would need a currency first. */
const leftOutOfItems = ['market_rent_cents', 'offline'];

function inputOf(name: string, field: JsonSchema, required: string[]): Input {
  const schema = resolved(field);
  const kind = kindOf(name, schema);
  const key = kind === 'money' ? name.replace(/_cents$/, '') : name;
  const idsOf = kind === 'list' && choosers[prefixIn(resolved(schema.items))];
  if (idsOf) {
    const label = titled(name).replace(/ IDs$/, 's');
    const isRequired = required.includes(name);
    return { name, kind: 'ids', field: { key, label, list: true, required: isRequired, ...idsOf } };
  }
  if (kind === 'list') {
    const item = name.replace(/s$/, '');
    return { name, kind, field: { key, label: titled(key) }, items: itemsOf(resolved(schema.items), item) };
  }
  const example = [schema.examples, field.examples].flat().find((value) => value !== undefined);
  const chooser = choosers[prefixIn({ examples: [example] })];
  const choices = (schema.enum as string[] | undefined)?.map((value) => ({
    value,
    sample: value,
    label: titled(value),
  }));
  const help = kind === 'money' ? 'As a decimal, such as 1250.00.' : helpOf(field, choices !== undefined);
  return {
    name,
    kind,
    field: {
      key,
      label: chooser ? titled(key).replace(/ ID$/, '') : titled(key),
      type: inputType(kind, schema),
      required: required.includes(name),
      ...(help === undefined ? {} : { helpText: help }),
      ...(kind === 'text' && example !== undefined && !chooser ? { placeholder: String(example) } : {}),
      ...(choices ? { choices } : {}),
      ...chooser,
      // Only units of the chosen property are offered.
      ...(name === 'unit_id' && required.includes('property_id') ? { dependsOn: ['property_id'] } : {}),
    },
  };
}

/** `ten` of an example such as ten_019a…, or nothing. */
const prefixIn = ({ examples = [] }: JsonSchema): string =>
  /^([a-z]+)_[0-9a-f]{32}$/.exec(String(examples[0]))?.[1] ?? '';

/** Its description, in which the default is as the choices show it. */
const helpOf = ({ description }: JsonSchema, isChoice: boolean): string | undefined =>
  description?.replace(
    /Default: `(\w+)`\.$/,
    (_, value: string) => `Default: ${isChoice ? titled(value) : value}.`,
  );

/**
 * The platform wants every key of an action to be unique: `unit_name` beside `name`. A required item would make its
 * list required.
 */
function itemsOf(schema: JsonSchema, item: string): Input[] {
  const fields = inputsOf(schema).filter(({ name }) => !leftOutOfItems.includes(name));
  return fields.map((input) => {
    const key = `${item}_${input.name}`;
    return { ...input, field: { ...input.field, key, label: titled(key), required: false } };
  });
}

function kindOf(name: string, { type, format }: JsonSchema): Input['kind'] {
  if (name.endsWith('_cents')) return 'money';
  if (format === 'date') return 'date';
  if (format === 'date-time') return 'moment';
  if (type === 'array') return 'list';
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'text';
}

/** Text of more than a thousand characters gets a box. For `datetime`, the platform reads words such as "tomorrow". */
function inputType(kind: Input['kind'], { maxLength }: JsonSchema): string {
  if (kind === 'money') return 'number';
  if (kind === 'date' || kind === 'moment') return 'datetime';
  if (kind !== 'text') return kind;
  return Number(maxLength ?? 0) > 1000 ? 'text' : 'string';
}

/** The schema without references and without "or null". */
function resolved(schema: JsonSchema | undefined): JsonSchema {
  if (!schema) throw new Error('The OpenAPI document lacks a required schema.');
  if (schema.$ref) return resolved(definitions[schema.$ref.split('/').at(-1) ?? '']);
  if (schema.anyOf) return resolved(schema.anyOf[0]);
  return { ...schema, type: [schema.type].flat().find((type) => type !== 'null') };
}

const acronyms: Record<string, string> = {
  id: 'ID',
  hvac: 'HVAC',
  ids: 'IDs',
  sqft: '(Sq Ft)',
  cents: '(Cents)',
  line2: 'Line 2',
};

function titled(name: string): string {
  return name
    .split('_')
    .map((word) => acronyms[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/** Two decimals are the default. */
function unusualDecimals(): Record<string, number> {
  const decimals = [...currencies].sort().map((code) => [code, decimalsOf(code)] as const);
  return Object.fromEntries(decimals.filter(([, count]) => count !== 2));
}

/** Formatted as by our formatter, which writes short lists on one line. */
function asText(value: object): string {
  return `${JSON.stringify(value, null, 2).replace(/\[\n\s+("[^"\n]*")\n\s+\]/g, '[$1]')}\n`;
}

function mapValues<From, To>(
  from: Record<string, From>,
  to: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, to(value, key)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('generated.json', import.meta.url), generatedText());
}
