import { z } from 'zod';
import { References } from '../../deletion/deletion.schema.ts';
import { errorBody, type ValidationResult } from '../../errors.ts';
import type { Route } from '../routes/route.ts';
import { type HeaderName, headersOf, ofEveryAnswer } from './headers.ts';
import type { JsonSchema } from './schemas.ts';

export const ApiError = z
  .object({
    error: z.object({
      code: z.int().meta({ description: 'Equals the HTTP status.', examples: [404] }),
      message: z.union([
        z.string().meta({ description: 'What went wrong, in a sentence.', examples: ['Not found'] }),
        z
          .object({
            formErrors: z.array(z.string()).meta({ description: 'What is wrong with the whole.' }),
            fieldErrors: z
              .record(z.string(), z.array(z.string()))
              .meta({ description: 'What is wrong with each field, by its name.' }),
          })
          .meta({ description: 'The result of a failed validation.' }),
      ]),
      details: z
        .object({ references: References })
        .optional()
        .meta({ description: 'Of a record that cannot be deleted: why, for programs.' }),
    }),
  })
  .meta({ id: 'ApiError', description: 'The body of every error.' });

interface ErrorResponse {
  name: string;
  status: number;
  description: string;
  message: string | ValidationResult;
  /** Instead of those of every answer. */
  headers?: HeaderName[];
}

const errors = {
  invalid: {
    name: 'Invalid',
    status: 400,
    description: 'The body or a filter is wrong: `message` says which field and why.',
    message: { formErrors: [], fieldErrors: { amount_cents: ['Must be more than zero.'] } },
  },
  unauthorized: {
    name: 'Unauthorized',
    status: 401,
    description: 'No key, or one that is unknown, revoked or expired.',
    message: 'Unauthorized',
    headers: ['X-Request-Id', 'WWW-Authenticate'],
  },
  forbidden: {
    name: 'Forbidden',
    status: 403,
    description:
      'The key may only read, lacks the scope that `message` names, or may not be used from this address.',
    message: 'This key lacks the scope payments.',
  },
  notFound: {
    name: 'NotFound',
    status: 404,
    description: 'The account has no such record; one of another account is not told apart.',
    message: 'Not found',
  },
  stale: {
    name: 'PreconditionFailed',
    status: 412,
    description: 'The record is no longer in the state that `If-Match` names. Nothing was changed.',
    message: 'The record has changed since: get it again, and its new ETag with it.',
  },
  tooLarge: {
    name: 'PayloadTooLarge',
    status: 413,
    description: 'The body is over 1 MiB.',
    message: 'Payload too large',
  },
  compressed: {
    name: 'CompressedBody',
    status: 415,
    description: 'The body has a Content-Encoding.',
    message: 'Compressed bodies are not read; send the body as it is, without Content-Encoding.',
  },
  keyReused: {
    name: 'IdempotencyKeyReused',
    status: 422,
    description: 'The Idempotency-Key was used for another request.',
    message: 'This Idempotency-Key was already used for another request; use a new key for a new request.',
  },
  tooMany: {
    name: 'TooManyRequests',
    status: 429,
    description: 'Over the rate limit.',
    message: 'Too many requests',
    headers: [...ofEveryAnswer, 'Retry-After'],
  },
  fault: {
    name: 'InternalError',
    status: 500,
    description: 'A fault of ours. `X-Request-Id` finds it in the log.',
    message: 'Internal server error',
  },
  unavailable: {
    name: 'Unavailable',
    status: 503,
    description: 'The database is away or its storage full, or the service is too busy: try again.',
    message: 'Service unavailable',
    headers: [...ofEveryAnswer, 'Retry-After'],
  },
} satisfies Record<string, ErrorResponse>;

/** The errors that many routes share, for `components.responses`. */
export function sharedErrors(schema: JsonSchema): Record<string, object> {
  return Object.fromEntries(Object.values(errors).map((error) => [error.name, response(error, schema)]));
}

/** The errors a route can answer with, each in the one envelope. */
export function errorResponses(route: Route, schema: JsonSchema): Record<string, object> {
  const isPost = route.method === 'POST';
  const shared: ErrorResponse[] = [
    ...(route.body || route.query || isPost ? [errors.invalid] : []),
    errors.unauthorized,
    errors.forbidden,
    ...(route.id ? [errors.notFound] : []),
    ...(heedsIfMatch(route) ? [errors.stale] : []),
    // Whatever can have a body, DELETE too.
    ...(route.method === 'GET' ? [] : [errors.tooLarge, errors.compressed]),
    ...(isPost ? [errors.keyReused] : []),
    errors.tooMany,
    errors.fault,
    errors.unavailable,
  ];
  return {
    ...Object.fromEntries(
      shared.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
    ),
    ...conflict(route, schema),
  };
}

export const heedsIfMatch = ({ method }: Route): boolean => method === 'PATCH' || method === 'DELETE';

function conflict(route: Route, schema: JsonSchema): Record<string, object> {
  const inFlight = 'A request with the same Idempotency-Key is still being worked on.';
  const full = "Too many deliveries are waiting for the account's webhook endpoints.";
  const makesEvents =
    ['POST', 'PATCH'].includes(route.method) && !['Webhooks', 'Deliveries', 'Account'].includes(route.tag);
  const reasons = [
    ...(route.conflicts === undefined ? [] : [route.conflicts]),
    ...(makesEvents ? [full] : []),
    ...(route.method === 'POST' ? [inFlight] : []),
  ];
  const [message] = reasons;
  if (message === undefined) return {};
  return {
    409: response({ name: 'Conflict', status: 409, description: reasons.join(' Or: '), message }, schema),
  };
}

function response(
  { status, description, message, headers = ofEveryAnswer }: ErrorResponse,
  schema: JsonSchema,
): object {
  return {
    description,
    headers: headersOf(headers),
    content: { 'application/json': { schema, example: JSON.parse(errorBody(status, message)) } },
  };
}
