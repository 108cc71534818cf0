/**
 * Every error that the service answers with: the word that programs read, its status, and what it means. The list is
 * closed. docs/guides/errors.md and the OpenAPI document show it, and no word is ever removed.
 */
export const errorTypes = {
  validation_failed: {
    status: 400,
    means: 'fields of the body or parameters are wrong; `message` names them',
  },
  invalid_json: { status: 400, means: 'the body is not JSON' },
  unknown_parameter: {
    status: 400,
    means: 'there is no such parameter; `message` names the existing ones',
  },
  unknown_field: {
    status: 400,
    means: 'with `Prefer: handling=strict`, the body has fields that are not known; `message` names them',
  },
  too_many_values: { status: 400, means: 'the body has more values than any record needs' },
  unsafe_url: { status: 400, means: 'events may not be sent to the URL of the webhook' },
  invalid_form: { status: 400, means: 'the body is not a form with files' },
  invalid_passkey: { status: 400, means: 'the new passkey could not be checked' },
  bad_request: { status: 400, means: 'the request is not proper HTTP, or was cut off' },

  unauthorized: {
    status: 401,
    means: 'no key, or one that is unknown, expired or revoked; in the dashboard, nobody is signed in',
  },
  wrong_credentials: { status: 401, means: 'the e-mail address, the password or the passkey is wrong' },
  sign_in_expired: { status: 401, means: 'the code came too late; sign in again' },

  forbidden: { status: 403, means: 'the key may only read, or the role of the person does not allow it' },
  missing_scope: { status: 403, means: 'the key lacks the scope that `message` names' },
  owner_required: { status: 403, means: 'only an owner may give a key this scope' },
  address_not_allowed: { status: 403, means: 'the key may not be used from this address' },
  cross_site_request: { status: 403, means: "the request came from another site's page" },
  unknown_host: { status: 403, means: 'the name in `Host` is not one of this server' },
  sign_up_closed: { status: 403, means: 'people join by invitation only' },
  accounts_closed: { status: 403, means: 'further accounts cannot be opened here' },
  wrong_invitation: { status: 403, means: 'the invitation is for somebody else, or cannot be used any more' },
  openid_required: { status: 403, means: 'people sign in with OpenID Connect only' },
  openid_refused: { status: 403, means: 'the sign-in with OpenID Connect failed; `message` says why' },
  link_expired: { status: 403, means: 'the link to a file has expired, or was changed' },
  sign_in_again: { status: 403, means: 'a fresh sign-in is required' },

  not_found: { status: 404, means: 'the account has no such record, or the path does not exist' },
  invitation_not_found: { status: 404, means: 'the invitation does not exist, was used or has expired' },

  method_not_allowed: {
    status: 405,
    means: 'the path exists, but not with this method; `Allow` lists the methods',
  },
  not_acceptable: { status: 406, means: '`Accept-Encoding` refuses every form of the answer' },
  request_timeout: { status: 408, means: 'the request took too long to arrive' },

  idempotency_in_progress: {
    status: 409,
    means: 'a request with this `Idempotency-Key` is still being worked on',
  },
  lease_overlap: { status: 409, means: 'the unit already has a lease during this time' },
  lease_ended: { status: 409, means: 'the lease was ended, so it cannot be renewed' },
  lease_not_ended: { status: 409, means: 'the tenant has a lease that has not ended' },
  opening_balance: { status: 409, means: 'the lease has an opening balance, so it cannot be deleted' },
  external_id_taken: { status: 409, means: 'another record has this `external_id`; `details` says which' },
  field_fixed: { status: 409, means: 'the field cannot change once the record is made' },
  unit_name_taken: { status: 409, means: 'the property already has a unit with this name' },
  invalid_transition: {
    status: 409,
    means: 'the status cannot change in this way; `message` says how it can',
  },
  payment_closed: {
    status: 409,
    means: 'the payment is final, so its amount, currency, date and tenant cannot change',
  },
  record_in_use: {
    status: 409,
    means: 'others refer to the record, so it cannot be deleted; `details` lists them',
  },
  rent_already_charged: { status: 409, means: 'the lease is already charged rent for the month' },
  already_voided: { status: 409, means: 'the charge, the credit or the refund is voided' },
  recurring_charge_ended: { status: 409, means: 'it has ended, so nothing is left that could change' },
  deposit_exceeded: {
    status: 409,
    means: 'more than is held of the deposit, or less would be charged than was applied or refunded',
  },
  limit_reached: { status: 409, means: 'the limit is reached; `message` says what it is' },
  advance_in_progress: { status: 409, means: 'the test clock is being moved' },
  test_mode_reset: {
    status: 409,
    means: 'test mode was reset in the meantime; nothing was done, so send it again',
  },
  test_quota_exceeded: {
    status: 409,
    means: 'test mode has reached its limit of records; `message` says what it is',
  },
  storage_quota: { status: 409, means: 'the account has no more room for files' },
  import_in_progress: { status: 409, means: 'another import of the account is under way' },
  queue_full: { status: 409, means: "too many deliveries are waiting for the account's webhook endpoints" },
  delivery_pending: { status: 409, means: 'the delivery has not finished, so it cannot be sent again yet' },
  endpoint_deleted: { status: 409, means: 'the webhook endpoint of the delivery was deleted' },
  endpoint_disabled: { status: 409, means: 'the webhook endpoint is disabled' },
  event_expired: { status: 409, means: 'the event of the delivery is no longer kept' },
  email_taken: { status: 409, means: 'there is already a person with this e-mail address' },
  already_member: { status: 409, means: 'the person is already in the team' },
  last_owner: { status: 409, means: 'an account needs an owner, and this is the only one' },
  account_switched: { status: 409, means: 'the person switched to another account in another window' },
  account_closed: { status: 409, means: 'the account is already closed' },
  account_not_closed: { status: 409, means: 'the account is not closed, or is being erased' },
  two_factor_state: { status: 409, means: 'two-factor sign-in is not in the state that this needs' },

  event_not_kept: { status: 410, means: 'the event is no longer kept, so the feed cannot continue after it' },
  precondition_failed: {
    status: 412,
    means:
      'the record is no longer in the state that `If-Match` names, or exists although `If-None-Match` says it must not',
  },
  payload_too_large: { status: 413, means: 'the body is too large' },
  unsupported_file: {
    status: 415,
    means: 'files of this kind are not accepted, or the image cannot be read',
  },
  compressed_body: { status: 415, means: 'the body is compressed' },
  range_not_satisfiable: {
    status: 416,
    means: 'the file has no such bytes; `Content-Range` says how many it has',
  },
  batch_failed: {
    status: 422,
    means: 'items of an atomic batch failed, so nothing was created; `details` says which',
  },
  idempotency_key_reused: { status: 422, means: 'the `Idempotency-Key` was used for another request' },
  openid_unavailable: { status: 424, means: 'the OpenID Connect issuer does not answer' },
  rate_limited: { status: 429, means: 'too many requests; wait as long as `Retry-After` says' },
  headers_too_large: { status: 431, means: 'address and headers together are over 16 KiB' },

  internal_error: { status: 500, means: 'a fault in Tenure' },
  unavailable: { status: 503, means: 'the database went away; a write may have been done' },
  overloaded: { status: 503, means: 'the service is too busy; nothing was done' },
  storage_full: { status: 503, means: 'the storage is full; nothing was written' },
} as const satisfies Record<string, { status: number; means: string }>;

export type ErrorType = keyof typeof errorTypes;

/** The types that are answered with this status. */
type ErrorTypeOf<Status extends number> = {
  [Type in ErrorType]: (typeof errorTypes)[Type]['status'] extends Status ? Type : never;
}[ErrorType];

/** The structured result of a failed validation: what is wrong with the input as a whole, and with each field. */
export interface ValidationResult {
  formErrors: string[];
  fieldErrors: Record<string, string[]>;
}

/** The caller's mistake, or a state of ours that the caller should know about. Safe to show as it is. */
export class AppError extends Error {
  readonly type: ErrorType;
  readonly status: number;
  readonly publicMessage: string | ValidationResult;
  readonly headers: Record<string, string>;
  /** For programs: shown beside the message in the answer. */
  readonly details: object | undefined;

  constructor(
    type: ErrorType,
    publicMessage: string | ValidationResult,
    headers: Record<string, string> = {},
    details?: object,
  ) {
    super(typeof publicMessage === 'string' ? publicMessage : inSentences(publicMessage));
    this.name = 'AppError';
    this.type = type;
    this.status = errorTypes[type].status;
    this.publicMessage = publicMessage;
    this.headers = headers;
    this.details = details;
  }
}

/** For logs and the command line. */
const inSentences = ({ formErrors, fieldErrors }: ValidationResult): string =>
  [
    ...formErrors,
    ...Object.entries(fieldErrors).map(([field, reasons]) => `${field}: ${reasons.join(' ')}`),
  ].join(' ');

export const badRequest = (type: ErrorTypeOf<400>, message: string | ValidationResult) =>
  new AppError(type, message);

/** A 400 that names one field. */
export const invalidField = (field: string, message: string) =>
  new AppError('validation_failed', { formErrors: [], fieldErrors: { [field]: [message] } });

export const unauthorized = () =>
  new AppError('unauthorized', 'Unauthorized', { 'www-authenticate': 'Bearer' });
export const forbidden = () => new AppError('forbidden', 'Forbidden');
export const notFound = () => new AppError('not_found', 'Not found');
export const methodNotAllowed = (allow: string[]) =>
  new AppError('method_not_allowed', 'Method not allowed', { allow: allow.join(', ') });

/** The request is fine but does not fit the present state. The message says what would. */
export const conflict = (type: ErrorTypeOf<409>, message: string) => new AppError(type, message);
/** It existed but is no longer kept. The message says how to continue. */
export const gone = (type: ErrorTypeOf<410>, message: string) => new AppError(type, message);
/** The record is no longer as the caller saw it. */
export const preconditionFailed = () =>
  new AppError('precondition_failed', 'The record has changed since; get it again, with its new ETag.');
export const alreadyThere = () =>
  new AppError('precondition_failed', 'Such a record already exists: nothing was changed.');
export const payloadTooLarge = () => new AppError('payload_too_large', 'Payload too large');
/** We do not inflate bodies, because a few bytes could become any number of them. */
export const compressedBody = () =>
  new AppError(
    'compressed_body',
    'Compressed bodies are not accepted; send the body without Content-Encoding.',
    { 'accept-encoding': 'identity' },
  );
export const tooManyRequests = (retryAfterSeconds: number) =>
  new AppError('rate_limited', 'Too many requests', { 'retry-after': String(retryAfterSeconds) });

// The three texts of a 503 stay as they are: callers use them to tell whether a write may have been done
// (docs/guides/errors.md).

export const unavailable = () => new AppError('unavailable', 'Service unavailable', { 'retry-after': '1' });

/** This process is asked for more than it can do. It says so before doing any work. */
export const overloaded = (retryAfterSeconds: number) =>
  new AppError('overloaded', 'Too busy', { 'retry-after': String(retryAfterSeconds) });
export const storageFull = () =>
  new AppError('storage_full', 'The storage is full: nothing was written', { 'retry-after': '30' });

/** A fault of ours. No detail of it leaves the process. */
const internalError = new AppError('internal_error', 'Internal server error');

/** The body of every error response, from every layer. */
export function errorBody(error: AppError | null, requestId: string): string {
  const { status, publicMessage, type, details } = error ?? internalError;
  return JSON.stringify({
    error: { code: status, message: publicMessage, type, request_id: requestId, details },
  });
}
