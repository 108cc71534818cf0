/*
 * An endpoint's earlier secrets stay valid for a day after they are replaced. They are kept in one encrypted text,
 * newest first: `whsec_b whsec_a@1794833310715`. Each says until when it is valid, except the newest, whose end is in a
 * column of the row.
 */

/** Only a program in a loop rotates more often than this in a day, and it does not need the oldest secret. */
const most = 4;

/** The text to keep when a secret is replaced: that secret, and earlier ones that are still valid. */
export function keepPrevious(
  replaced: string,
  before: { text: string; validUntil: Date } | null,
  now: Date,
): string {
  const [last, ...older] = before?.text.split(' ') ?? [];
  const stamped = last === undefined ? [] : [`${last}@${before?.validUntil.getTime()}`, ...older];
  const valid = stamped.filter((one) => Number(one.split('@')[1]) > now.getTime());
  return [replaced, ...valid].slice(0, most).join(' ');
}

/** The secrets to sign with besides the current one, newest first. */
export function readPrevious(text: string, now: Date): string[] {
  return text
    .split(' ')
    .map((one) => one.split('@'))
    .filter(([, until = Number.POSITIVE_INFINITY]) => Number(until) > now.getTime())
    .map(([secret = '']) => secret);
}
