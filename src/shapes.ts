import { z } from 'zod';
import { type ErrorType, errorTypes } from './errors.ts';
import { formatId } from './ids.ts';

/** `{data: [...], count}` as a schema, for the documentation and the tests that hold responses against it. */
export const listOf = (record: z.ZodType) =>
  z.object({ data: z.array(record), count: z.int().meta({ description: 'Number of records in `data`.' }) });

/** `{data: {...}}` as a schema. */
export const singleOf = (record: z.ZodType) => z.object({ data: record });

/**
 * The body of a PATCH: all fields are optional and none has a default, but at least one must be present. Fields that
 * are unknown, or cannot be changed, are ignored.
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

export const exampleRequest = formatId('req', '01a1dd95-c0de-7a11-b2c3-d4e5f6071829');

/** What every error contains, except for the details. */
export const errorFields = {
  code: z.int().meta({ description: 'Equals the HTTP status.', examples: [404] }),
  message: z.union([
    z.string().meta({ description: 'What went wrong, in a sentence.', examples: ['Not found'] }),
    z
      .object({
        formErrors: z.array(z.string()).meta({ description: 'Errors of the input as a whole.' }),
        fieldErrors: z
          .record(z.string(), z.array(z.string()))
          .meta({ description: 'Errors of each field, by its name.' }),
      })
      .meta({ description: 'The result of a failed validation.' }),
  ]),
  type: z.enum(Object.keys(errorTypes) as ErrorType[]).meta({
    description: `What went wrong, as a word for programs: ${Object.entries(errorTypes)
      .map(([type, { status, means }]) => `\`${type}\` (${status}): ${means}`)
      .join('; ')}. Further words may be added.`,
    examples: ['not_found'],
  }),
  request_id: z.string().meta({
    description: 'Identifies the request in our logs, as `X-Request-Id` does.',
    examples: [exampleRequest],
  }),
};
