import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  description?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  [key: string]: unknown;
}

/** Turns zod schemas into JSON Schema. Those with an id become named definitions, which all others refer to. */
export class SchemaBook {
  readonly definitions: Record<string, JsonSchema> = {};

  schema(schema: z.ZodType): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...rest
    } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: describe }) as JsonSchema;
    for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
      this.definitions[name] ??= relocate(definition);
    }
    return relocate(rest);
  }

  /** The body of an answer. The body of a list has a name, such as `PaymentList`, which generators use for its type. */
  body(schema: z.ZodType): JsonSchema {
    const body = this.schema(schema);
    const record = body.properties?.data?.items?.$ref?.split('/').at(-1);
    if (record === undefined) return body;
    const name = `${record}List`;
    const known = this.definitions[name];
    if (known && !isDeepStrictEqual(known, body)) throw new Error(`There are two lists called ${name}.`);
    this.definitions[name] = body;
    return { $ref: `#/components/schemas/${name}` };
  }
}

/**
 * The same, with defaults described in words. Generators assume that a field with a default is always present, and
 * would then require it in requests.
 */
export function withoutDefaults({ default: value, ...schema }: JsonSchema): JsonSchema {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  if (value !== undefined)
    schema.description = `${schema.description ?? ''} Default: \`${shown}\`.`.trimStart();
  for (const key of ['properties', 'items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf']) {
    const inner = schema[key];
    if (Array.isArray(inner)) schema[key] = inner.map(withoutDefaults);
    else if (key === 'properties' && inner) schema[key] = definitionsWithoutDefaults(schema.properties ?? {});
    else if (typeof inner === 'object' && inner !== null) schema[key] = withoutDefaults(inner as JsonSchema);
  }
  return schema;
}

export const definitionsWithoutDefaults = (schemas: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutDefaults(schema)]));

/** For the input of a transformation, zod leaves out what we said about the whole. */
function describe({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: object }): void {
  const shown = jsonSchema as JsonSchema;
  const { id: _, idPrefix: __, ...meta } = (z.globalRegistry.get(zodSchema) ?? {}) as Record<string, unknown>;
  if (!shown.$ref) Object.assign(shown, meta);
  delete shown.idPrefix;
  if (shown.maximum === Number.MAX_SAFE_INTEGER) delete shown.maximum;
  if (shown.minimum === Number.MIN_SAFE_INTEGER) delete shown.minimum;
  nullableInShort(shown);
  // This comes last, because a nullable field has inherited what its value says. The format of a date is enough (zod's
  // pattern for it fills five lines), and the pattern of a whole number is about its spelling in a URL.
  if (shown.format?.startsWith('date') || shown.type === 'integer') delete shown.pattern;
}

/** Turns `{anyOf: [{type: string}, {type: null}]}` into `{type: [string, null]}`, which people can read. */
function nullableInShort(schema: JsonSchema): void {
  const [value, none, ...more] = (schema.anyOf ?? []).flatMap((each) =>
    Object.keys(each).join() === 'anyOf' ? (each.anyOf ?? []) : [each],
  );
  if (!value || !none) return;
  if (more.length > 0) {
    schema.anyOf = [value, none, ...more];
    return;
  }
  const isSimple = typeof value.type === 'string' && value.type !== 'object' && !value.enum;
  if (none.type !== 'null' || !isSimple) return;
  const { anyOf: _, ...outer } = schema;
  delete schema.anyOf;
  Object.assign(schema, value, outer, { type: [value.type, 'null'] });
}

function relocate(schema: JsonSchema): JsonSchema {
  const { id: _, ...rest } = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as JsonSchema;
  return rest;
}
