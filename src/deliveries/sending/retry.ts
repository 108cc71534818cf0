/** However long a receiver asks us to wait, we try again after an hour. */
export const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;

// Spreads out the retries of deliveries that failed together. It is only ever added, so no retry is early.
const JITTER = 0.2;

/** When to try again after `attempt` attempts (counted from 1), or null when they are used up. */
export function nextAttemptAt(input: {
  attempt: number;
  delaysMs: readonly number[];
  now: Date;
  /** From 0 up to 1, like Math.random. */
  random: () => number;
  /** What a 429 or 503 asked for. */
  retryAfterMs?: number | null;
}): Date | null {
  const delayMs = input.delaysMs[input.attempt - 1];
  if (delayMs === undefined) return null;
  const backoffMs = delayMs * (1 + JITTER * input.random());
  const askedMs = Math.min(input.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return new Date(input.now.getTime() + Math.ceil(Math.max(backoffMs, askedMs)));
}

/** A Retry-After header in milliseconds from now: 0 if its date has passed, null if it makes no sense. */
export function parseRetryAfter(header: string, now: Date): number | null {
  const text = header.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const at = parseHttpDate(text);
  return at === null ? null : Math.max(0, at - now.getTime());
}

/**
 * The three forms of RFC 9110, section 5.6.7. Date.parse alone would read "-5" and "1.5" as dates, and the last form as
 * local time.
 */
function parseHttpDate(text: string): number | null {
  const known =
    /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ||
    /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/.test(text);
  const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/.test(text);
  if (!known && !asctime) return null;
  const at = Date.parse(asctime ? `${text} GMT` : text);
  return Number.isNaN(at) ? null : at;
}
