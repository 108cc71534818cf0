import fc from 'fast-check';
import type { JsonSchema } from '../../../src/http/openapi/schemas.ts';
import { codePoint } from '../../support/code-points.ts';

/*
 * Values for requests, made from the document's schemas: valid ones, and ones that no schema expects. What is known
 * only during a run is written as a note, such as `@own:prop:3`, so that a failure stays readable after shrinking.
 */

export type Schemas = Record<string, JsonSchema>;

/** Ids of records that the caller has, that another account has, and that do not exist. */
export const ids = (prefix: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 16, arbitrary: fc.constant('own') },
        { weight: 1, arbitrary: fc.constant('foreign') },
        { weight: 1, arbitrary: fc.constant('unknown') },
      ),
      fc.nat({ max: 9 }),
    )
    .map(([whose, at]) => `@${whose}:${prefix}:${at}`);

/** Where webhooks may be sent in a run: to the receiver, which answers with the status in the path. */
const hooks = fc.constantFrom(200, 204, 302, 404, 410, 429, 500).map((status) => `@hook:${status}`);

const names = ['__proto__', 'constructor', 'prototype', 'toString', '', '$where', 'a.b', 'a[0]', '\0', 'id'];

export const strings: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '\0', 'a\0b', '\ud800', '\udfff\ud800', '\u202e', '\ufeff', '%00', '%', '_', '\\', '"', "'"],
    ...["'; drop table payments; --", '../../etc/passwd', '{{7*7}}', '<script>', '=1+1', '\r\nX-Evil: 1'],
    ...['null', 'true', '2026-02-30', '9999-99-99', '0000-00-00', '-1', '1e999', 'NaN', '١٢٣', '１', '🏠'],
    ...[
      '+275760-09-13T00:00:00.000Z',
      '2026-11-15T24:00:00Z',
      '2026-11-15T09:30:00+99:99',
      '1900-01-01',
      '2999-12-31',
    ],
    ...[
      'http://127.0.0.1/',
      'https://[::1]/',
      'https://localhost/',
      'https://169.254.169.254/',
      'javascript:1',
    ],
    ...names,
  ),
  fc.string({ unit: codePoint, maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .constantFrom(199, 200, 201, 300, 301, 1_000, 2_000, 10_000, 10_001, 70_000)
    .map((length) => 'x'.repeat(length)),
);

const numbers: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(
    ...[
      0,
      -0,
      -1,
      1,
      0.5,
      1e21,
      -1e21,
      1e308,
      5e-324,
      2 ** 31,
      2 ** 31 - 1,
      2 ** 53,
      2 ** 63,
      1e12,
      1e12 + 1,
    ],
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

export const anything: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    numbers,
    strings,
    fc
      .constantFrom('prop', 'unit', 'ten', 'lease', 'pay', 'mnt', 'we', 'evt', 'dlv', 'key', 'acct')
      .chain(ids),
    hooks,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), tie('value'), { maxKeys: 4 }),
  ),
})).value;

export const fieldNames = fc.oneof(
  fc.constantFrom(...names, 'account_id', 'created_at', 'updated_at', 'number', 'source', 'secret'),
  fc.string({ maxLength: 12 }),
);

const dates = fc.oneof(
  fc.date({ min: new Date('2024-01-01'), max: new Date('2028-12-31'), noInvalidDate: true }),
  fc.date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
);

/** A value that the schema allows. `name` is the field's name, since a URL or an event's name is more than its type. */
export function fromSchema(schema: JsonSchema, schemas: Schemas, name = ''): fc.Arbitrary<unknown> {
  const known = {
    url: hooks,
    currency: fc.constantFrom('USD', 'EUR', 'JPY', 'KWD'),
    country: fc.constantFrom('US', 'DE'),
    time_zone: fc.constantFrom('UTC', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'),
  }[name];
  if (known && schema.type !== 'null') return nullable(schema, known);
  if (name === 'email')
    return nullable(schema, fc.constantFrom('ada@example.com', 'ö@example.org', 'a+b@x.co'));
  if (name === 'events') return fc.subarray(eventNames, { minLength: 1 });
  if (schema.$ref) return fromSchema(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas, name);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => fromSchema(each, schemas, name)));
  const types = [schema.type ?? 'string'].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, schemas)));
}

const nullable = (schema: JsonSchema, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  [schema.type].flat().includes('null')
    ? fc.oneof({ weight: 3, arbitrary: values }, fc.constant(null))
    : values;

const eventNames = [
  ...['property', 'unit', 'tenant', 'lease', 'charge', 'credit', 'payment', 'maintenance_request'].flatMap(
    (noun) => [`${noun}.created`, `${noun}.updated`],
  ),
  'lease.ended',
  'lease.started',
  'lease.expiring',
  'charge.due',
  'charge.overdue',
  'maintenance_request.completed',
];

function ofType(type: string, schema: JsonSchema, schemas: Schemas): fc.Arbitrary<unknown> {
  const least = schema.minimum ?? 0;
  const most = schema.maximum ?? Number.MAX_SAFE_INTEGER;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(
        fc.integer({ min: least, max: Math.min(most, least + 1000) }),
        fc.constantFrom(least, most),
      );
    case 'number':
      return fc.integer({ min: least * 2, max: Math.min(most, 1000) * 2 }).map((half) => half / 2);
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}, schemas), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(Number(schema.maxItems ?? 3), 3),
      });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, inner]) => [
            name,
            fromSchema(inner, schemas, name),
          ]),
        ),
        { requiredKeys: schema.required ?? [] },
      );
    default:
      return text(schema);
  }
}

function text({ pattern = '', format, ...schema }: JsonSchema): fc.Arbitrary<string> {
  const prefix = /^\^([a-z]+)_\[0-9a-f\]\{32\}\$$/.exec(pattern)?.[1];
  if (prefix) return ids(prefix);
  if (format === 'date') return dates.map((date) => date.toISOString().slice(0, 10));
  if (format === 'date-time') return dates.map((date) => date.toISOString());
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  const most = Number(schema.maxLength ?? 50);
  const least = Number(schema.minLength ?? 0);
  return fc.oneof(
    fc.constantFrom('Maple Court', 'Ünïcödé 漢字 🏠', "O'Brien", 'a%_b\\', 'é'.normalize('NFD')),
    fc.string({ unit: 'grapheme', minLength: least, maxLength: Math.min(most, 40) }),
    fc.constant('x'.repeat(most)),
  );
}
