import type { ApiError } from './api.ts';

type Envelope = ApiError['error'];
/** What went wrong, for programs: `lease_overlap`, `invalid_json`. The API reference lists them. */
export type ErrorType = Envelope['type'];

/** Tenure answered with an error. */
export class TenureError extends Error {
  override readonly name: string = 'TenureError';
  /** The HTTP status. */
  readonly status: number;
  /** What went wrong, for programs. Undefined if the answer comes from a proxy and not from Tenure. */
  readonly type: ErrorType | undefined;
  /** Identifies the request in Tenure's logs. */
  readonly requestId: string | undefined;
  /** For a failed validation: what is wrong with the input as a whole. */
  readonly formErrors: string[];
  /** For a failed validation: what is wrong with each field. */
  readonly fieldErrors: Record<string, string[]>;
  /** More for programs, such as what still refers to a record that cannot be deleted. */
  readonly details: Envelope['details'] | undefined;
  /** How long Tenure asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor({ status, statusText, headers }: Response, text: string) {
    const error = envelopeOf(text);
    const message = error?.message ?? (statusText || 'No message');
    super(`${status}: ${typeof message === 'string' ? message : summary(message)}`);
    const validation = typeof message === 'string' ? undefined : message;
    this.status = status;
    this.type = error?.type;
    this.requestId = error?.request_id ?? headers.get('x-request-id') ?? undefined;
    this.formErrors = validation?.formErrors ?? [];
    this.fieldErrors = validation?.fieldErrors ?? {};
    this.details = error?.details;
    this.retryAfterMs = retryAfterMs(headers.get('retry-after'));
  }
}

/** No answer came: there was no connection, or no answer in time. `cause` says more. */
export class TenureConnectionError extends Error {
  override readonly name: string = 'TenureConnectionError';
}

/** The webhook is not from your Tenure, was altered, or is too old. */
export class TenureSignatureError extends Error {
  override readonly name: string = 'TenureSignatureError';
}

function envelopeOf(text: string): Envelope | undefined {
  try {
    const body = JSON.parse(text) as Partial<ApiError> | null;
    return typeof body?.error === 'object' ? body.error : undefined;
  } catch {
    return undefined;
  }
}

function summary({ formErrors = [], fieldErrors = {} }: Exclude<Envelope['message'], string>): string {
  const ofFields = Object.entries(fieldErrors).map(([field, problems]) => `${field}: ${problems.join(' ')}`);
  return [...formErrors, ...ofFields].join(' ') || 'The request is not valid.';
}

/** Seconds, or the date at which to try again. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
