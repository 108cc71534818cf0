import { z } from 'zod';
import { FailedItem } from '../../batches/batches.schema.ts';
import { References } from '../../deletion/deletion.schema.ts';
import { AppError, type ErrorType, errorBody, errorTypes, type ValidationResult } from '../../errors.ts';
import { exampleId } from '../../fields.ts';
import { errorFields, exampleRequest } from '../../shapes.ts';
import type { Route } from '../routes/route.ts';
import { type HeaderName, headersOf, ofEveryAnswer } from './headers.ts';
import type { JsonSchema } from './schemas.ts';

export const ApiError = z
  .object({
    error: z.object({
      ...errorFields,
      details: z
        .object({
          references: References.optional().meta({
            description: 'What refers to a record that cannot be deleted.',
          }),
          id: z
            .string()
            .optional()
            .meta({ description: 'The record that has the `external_id`.', examples: [exampleId('ten')] }),
          results: z
            .array(FailedItem)
            .optional()
            .meta({ description: 'The items for which an atomic batch failed, at most 100 of them.' }),
        })
        .optional()
        .meta({
          description:
            'Why a record cannot be deleted, or have its `external_id`, or a batch failed, for programs.',
        }),
    }),
  })
  .meta({ id: 'ApiError', description: 'The body of every error.' });

interface ErrorResponse {
  name: string;
  type: ErrorType;
  description: string;
  message: string | ValidationResult;
  /** Headers that replace those of every answer. */
  headers?: HeaderName[];
}

const errors = {
  invalid: {
    name: 'Invalid',
    type: 'validation_failed',
    description: 'The body or a filter is wrong: `message` says which field and why.',
    message: { formErrors: [], fieldErrors: { amount_cents: ['Must be more than zero.'] } },
  },
  unauthorized: {
    name: 'Unauthorized',
    type: 'unauthorized',
    description: 'No key, or one that is unknown, revoked or expired.',
    message: 'Unauthorized',
    headers: ['X-Request-Id', 'WWW-Authenticate'],
  },
  forbidden: {
    name: 'Forbidden',
    type: 'missing_scope',
    description:
      'The key may only read, lacks the scope that `message` names, or may not be used from this address.',
    message: 'This key lacks the scope payments.',
  },
  notFound: {
    name: 'NotFound',
    type: 'not_found',
    description: 'The account has no such record. One of another account gets the same answer.',
    message: 'Not found',
  },
  notAcceptable: {
    name: 'NotAcceptable',
    type: 'not_acceptable',
    description: '`Accept-Encoding` refuses every form of the answer. Nothing was done.',
    message: 'Answers are sent uncompressed, or as zstd, br, gzip.',
  },
  stale: {
    name: 'PreconditionFailed',
    type: 'precondition_failed',
    description:
      'The record is no longer in the state that `If-Match` names, or exists although `If-None-Match: *` was sent. Nothing was changed.',
    message: 'The record has changed since; get it again, with its new ETag.',
  },
  tooLarge: {
    name: 'PayloadTooLarge',
    type: 'payload_too_large',
    description: 'The body is over 1 MiB, or that of a batch over 5 MiB.',
    message: 'Payload too large',
  },
  compressed: {
    name: 'CompressedBody',
    type: 'compressed_body',
    description: 'The body has a Content-Encoding.',
    message: 'Compressed bodies are not accepted; send the body without Content-Encoding.',
  },
  range: {
    name: 'RangeNotSatisfiable',
    type: 'range_not_satisfiable',
    description: 'The file has no such bytes. `Content-Range` says how many it has.',
    message: 'The file has no such bytes.',
  },
  unsupported: {
    name: 'UnsupportedFile',
    type: 'unsupported_file',
    description:
      'Files of this kind are not accepted, the image cannot be read, or the body has a Content-Encoding.',
    message: 'Files of this kind are not accepted.',
  },
  fileTooLarge: {
    name: 'FileTooLarge',
    type: 'payload_too_large',
    description: 'The file is over 25 MB.',
    message: 'Payload too large',
  },
  keyReused: {
    name: 'IdempotencyKeyReused',
    type: 'idempotency_key_reused',
    description: 'The Idempotency-Key was used for another request.',
    message: 'This Idempotency-Key was already used for another request; use a new key for a new request.',
  },
  tooMany: {
    name: 'TooManyRequests',
    type: 'rate_limited',
    description: 'Over the rate limit.',
    message: 'Too many requests',
    headers: [...ofEveryAnswer, 'Retry-After'],
  },
  fault: {
    name: 'InternalError',
    type: 'internal_error',
    description: 'A fault of ours. `X-Request-Id` finds it in the log.',
    message: 'Internal server error',
  },
  unavailable: {
    name: 'Unavailable',
    type: 'unavailable',
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
    // Unknown parameters, if nothing else can be wrong with the request.
    errors.invalid,
    errors.unauthorized,
    errors.forbidden,
    ...(route.id || route.mode === 'test' || (route.params && route.method === 'GET')
      ? [errors.notFound]
      : []),
    errors.notAcceptable,
    ...(heedsIfMatch(route) ? [errors.stale] : []),
    // Routes that can have a body, DELETE included.
    ...bodyErrors(route),
    ...(route.sendsFile ? [errors.range] : []),
    ...(isPost && route.unprocessable === undefined ? [errors.keyReused] : []),
    errors.tooMany,
    errors.fault,
    errors.unavailable,
  ];
  return {
    ...Object.fromEntries(
      shared.map(({ type, name }) => [errorTypes[type].status, { $ref: `#/components/responses/${name}` }]),
    ),
    ...conflict(route, schema),
    ...(route.gone === undefined
      ? {}
      : { 410: response({ name: 'Gone', type: 'event_not_kept', ...told(route.gone) }, schema) }),
    ...(route.unprocessable === undefined
      ? {}
      : { 422: response(unprocessable(route.unprocessable), schema) }),
  };
}

function bodyErrors({ method, upload }: Route): ErrorResponse[] {
  if (method === 'GET') return [];
  return upload ? [errors.fileTooLarge, errors.unsupported] : [errors.tooLarge, errors.compressed];
}

const told = (message: string) => ({ description: message, message });

const unprocessable = (message: string): ErrorResponse => ({
  ...errors.keyReused,
  description: `${message} Or: ${errors.keyReused.description}`,
});

const heedsIfMatch = ({ method }: Route): boolean => ['PUT', 'PATCH', 'DELETE'].includes(method);

const inFlight = {
  type: 'idempotency_in_progress',
  message: 'A request with the same Idempotency-Key is still being worked on.',
} as const;
const full = {
  type: 'queue_full',
  message: "Too many deliveries are waiting for the account's webhook endpoints.",
} as const;

function conflict(route: Route, schema: JsonSchema): Record<string, object> {
  const makesEvents =
    ['POST', 'PUT', 'PATCH'].includes(route.method) &&
    // In a batch, each item has its own errors.
    !route.stepwise &&
    !['Webhooks', 'Deliveries', 'Account'].includes(route.tag);
  const isPost = route.method === 'POST';
  const reasons: { type: ErrorType; message: string }[] = [
    ...(isPost ? [inFlight] : []),
    ...(makesEvents ? [full] : []),
    // If there is no other reason, a 409 is about a record that cannot be deleted.
    ...(route.conflicts === undefined ? [] : [{ type: 'record_in_use' as const, message: route.conflicts }]),
  ];
  const [example] = reasons;
  if (example === undefined) return {};
  const description = reasons.map(({ message }) => message).reverse();
  const headers: HeaderName[] = isPost ? [...ofEveryAnswer, 'Retry-After'] : ofEveryAnswer;
  return {
    409: response({ name: 'Conflict', ...example, description: description.join(' Or: '), headers }, schema),
  };
}

function response(
  { type, description, message, headers = ofEveryAnswer }: ErrorResponse,
  schema: JsonSchema,
): object {
  return {
    description,
    headers: headersOf(headers),
    content: {
      'application/json': {
        schema,
        example: JSON.parse(errorBody(new AppError(type, message), exampleRequest)),
      },
    },
  };
}
