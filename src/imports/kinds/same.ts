import type { Draft } from '../kind.ts';

/** For comparing texts regardless of case and repeated blanks. */
export const lower = (value: unknown): string =>
  typeof value === 'string' ? value.trim().replace(/\s+/g, ' ').toLowerCase() : '';

const digits = (value: unknown): string => (typeof value === 'string' ? value.replace(/\D/g, '') : '');

/** Whether two numbers are the same, with or without the prefix of their country. */
export function samePhone(one: unknown, other: unknown): boolean {
  const [short = '', long = ''] = [digits(one), digits(other)].sort((a, b) => a.length - b.length);
  return short === long || (short.length >= 7 && long.endsWith(short.replace(/^0+/, '')));
}

/** Takes the record if exactly one matches. If there are several, the file's author has to say which one is meant. */
export function matchOne(draft: Draft, ids: string[], field: string, severalReason: string): void {
  const [id = null, ...others] = ids;
  if (others.length > 0) draft.problems.push({ field, reason: severalReason });
  else draft.recordId = id;
}
