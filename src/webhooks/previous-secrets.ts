/*
 * The secrets that an endpoint had, each valid for a day after it was replaced, as they are kept in one encrypted text: the last
 * one, which the row's own column says the end of, and behind it those before, with theirs: `whsec_b whsec_a@1794833310715`.
 */

/** Whoever rotates more often than that in a day does it by a loop, and has no use for the oldest. */
const most = 4;

/** What is kept when a secret is replaced: that one, and those before it that are still valid. */
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

/** Those to sign with beside the new one, the newest first. */
export function readPrevious(text: string, now: Date): string[] {
  return text
    .split(' ')
    .map((one) => one.split('@'))
    .filter(([, until = Number.POSITIVE_INFINITY]) => Number(until) > now.getTime())
    .map(([secret = '']) => secret);
}
