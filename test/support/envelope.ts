import { expect } from 'vitest';
import { type ErrorType, errorTypes } from '../../src/errors.ts';

/**
 * The exact body of an error, except for the request's id, which nobody knows in advance. Without a type, any type that
 * has this status.
 */
export const envelope = (
  code: number,
  message: unknown,
  more: { type?: ErrorType; details?: object } = {},
) => ({
  error: { code, message, type: expect.toBeOneOf(typesOf(code)), request_id: aRequest, ...more },
});

const aRequest = expect.stringMatching(/^req_[0-9a-f]{32}$/);

const typesOf = (code: number) =>
  Object.entries(errorTypes).flatMap(([type, { status }]) => (status === code ? [type] : []));
