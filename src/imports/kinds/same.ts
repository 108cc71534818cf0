import type { Draft } from '../kind.ts';

/** For comparing without regard to letter case and repeated blanks. */
export const lower = (value: unknown): string =>
  typeof value === 'string' ? value.trim().replace(/\s+/g, ' ').toLowerCase() : '';

/** Takes the only record that matches. If there are several, the file's author has to say which. */
export function matchOne(draft: Draft, ids: string[], field: string, severalReason: string): void {
  const [id = null, ...others] = ids;
  if (others.length > 0) draft.problems.push({ field, reason: severalReason });
  else draft.recordId = id;
}
