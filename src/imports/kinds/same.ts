import type { Draft } from '../kind.ts';

/** For comparing: letter case aside, and one blank for many. */
export const lower = (value: unknown): string =>
  typeof value === 'string' ? value.trim().replace(/\s+/g, ' ').toLowerCase() : '';

/** Takes the one record that is the same; several are a question for whoever wrote the file. */
export function matchOne(draft: Draft, ids: string[], field: string, severalReason: string): void {
  const [id = null, ...others] = ids;
  if (others.length > 0) draft.problems.push({ field, reason: severalReason });
  else draft.recordId = id;
}
