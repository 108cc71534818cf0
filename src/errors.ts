/** The structured result of a failed validation: what is wrong with the whole, and with each field. */
export interface ValidationResult {
  formErrors: string[];
  fieldErrors: Record<string, string[]>;
}

/** A mistake of the caller's, or a state of ours that the caller should know: safe to show as it is. */
export class AppError extends Error {
  readonly status: number;
  readonly publicMessage: string | ValidationResult;
  readonly headers: Record<string, string>;
  /** For programs: beside the message in the answer. */
  readonly details: object | undefined;

  constructor(
    status: number,
    publicMessage: string | ValidationResult,
    headers: Record<string, string> = {},
    details?: object,
  ) {
    super(typeof publicMessage === 'string' ? publicMessage : JSON.stringify(publicMessage));
    this.name = 'AppError';
    this.status = status;
    this.publicMessage = publicMessage;
    this.headers = headers;
    this.details = details;
  }
}

export const badRequest = (message: string | ValidationResult) => new AppError(400, message);

/** A 400 that names one field. */
export const invalidField = (field: string, message: string) =>
  new AppError(400, { formErrors: [], fieldErrors: { [field]: [message] } });

export const unauthorized = () => new AppError(401, 'Unauthorized', { 'www-authenticate': 'Bearer' });
export const forbidden = () => new AppError(403, 'Forbidden');
export const notFound = () => new AppError(404, 'Not found');
export const methodNotAllowed = (allow: string[]) =>
  new AppError(405, 'Method not allowed', { allow: allow.join(', ') });

/** The request is fine but does not fit the present state: the sentence says what would. */
export const conflict = (message: string) => new AppError(409, message);
/** The record is no longer as the caller saw it. */
export const preconditionFailed = () =>
  new AppError(412, 'The record has changed since: get it again, and its new ETag with it.');
export const payloadTooLarge = () => new AppError(413, 'Payload too large');
/** Inflating would let a few bytes become any number of them. */
export const compressedBody = () =>
  new AppError(415, 'Compressed bodies are not read; send the body as it is, without Content-Encoding.', {
    'accept-encoding': 'identity',
  });
export const tooManyRequests = (retryAfterSeconds: number) =>
  new AppError(429, 'Too many requests', { 'retry-after': String(retryAfterSeconds) });

// The three texts of a 503 stay as they are: callers tell by them whether a write may have been done
// (docs/guides/errors.md).

export const unavailable = () => new AppError(503, 'Service unavailable', { 'retry-after': '1' });

/** More is asked of this process than it can do: said before any work is done. */
export const overloaded = (retryAfterSeconds: number) =>
  new AppError(503, 'Too busy', { 'retry-after': String(retryAfterSeconds) });
export const storageFull = () =>
  new AppError(503, 'The storage is full: nothing was written', { 'retry-after': '30' });

/** The body of every error response, from every layer. */
export function errorBody(status: number, message: string | ValidationResult, details?: object): string {
  return JSON.stringify({ error: { code: status, message, details } });
}
