import { z } from 'zod';

/** `{data: [...], count}` as a schema, for the documentation and the tests that hold responses against it. */
export const listOf = (record: z.ZodType) =>
  z.object({ data: z.array(record), count: z.int().meta({ description: 'Number of records in `data`.' }) });

/** `{data: {...}}` as a schema. */
export const singleOf = (record: z.ZodType) => z.object({ data: record });

/**
 * The body of a PATCH: every field optional, none with a default, at least one of them there.
 * Fields that are not known, or cannot be changed, are ignored.
 */
export function patchOf<Shape extends z.ZodRawShape>(fields: Shape) {
  const names = Object.keys(fields);
  return z
    .object(fields)
    .partial()
    .refine((body) => names.some((name) => (body as Record<string, unknown>)[name] !== undefined), {
      message: `Give at least one field to change: ${names.join(', ')}.`,
    })
    .meta({ minProperties: 1 });
}
