import { hasKey } from './identify.ts';
import type { Draft, Kind, Problem, Work } from './kind.ts';
import type { FileReport } from './report.ts';

/**
 * A record that a file has twice is fine if both rows say the same, as in a list with one row per unit that
 * repeats its property; else somebody has to say which is right.
 */
export function leaveOutRepeats({ seen }: Work, kind: Kind, drafts: Draft[], report: FileReport): Draft[] {
  const first = new Map<string, Draft>();
  return drafts.filter((draft) => {
    const key = hasKey(draft)
      ? `${draft.keys.id ?? ''} ${draft.keys.external ?? ''}`
      : `= ${kind.nature(draft)}`;
    draft.before = seen.add(key, draft.line);
    if (!isRepeat(kind, draft)) {
      first.set(key, draft);
      return true;
    }
    return leaveOut(kind, draft, first.get(key), report);
  });
}

/**
 * Rows with different keys can be about one record, a unit by its id and by its name. That shows when the record is
 * found, and then they are repeats like any other.
 */
export function leaveOutTwins({ seen }: Work, kind: Kind, drafts: Draft[], report: FileReport): Draft[] {
  const first = new Map<string, Draft>();
  return drafts.filter((draft) => {
    const { recordId } = draft;
    if (recordId === null || draft.before.count > 0 || !isUnique(kind, draft)) return true;
    const before = seen.add(recordKey(recordId), draft.line);
    if (before.count === 0) {
      first.set(recordId, draft);
      return true;
    }
    draft.before = before;
    return leaveOut(kind, draft, first.get(recordId), report);
  });
}

/** The row has made this record: a later one that leads to it is a repeat. */
export function noteMade({ seen }: Work, kind: Kind, draft: Draft, recordId: string): void {
  if (isUnique(kind, draft)) seen.add(recordKey(recordId), draft.line);
}

const recordKey = (recordId: string): string => `record ${recordId}`;

/** False where the row has nothing more to say, or what it says is refused. */
function leaveOut(kind: Kind, draft: Draft, earlier: Draft | undefined, report: FileReport): boolean {
  // Of an earlier batch: it is in the database by now, and is compared with that.
  if (!earlier) return true;
  if (JSON.stringify(earlier.values) === JSON.stringify(draft.values)) report.unchanged += 1;
  else draft.problems.push(otherValues(kind, draft));
  return false;
}

/** Whether an earlier row was about the same record. */
export const isRepeat = (kind: Kind, draft: Draft): boolean =>
  draft.before.count > 0 && isUnique(kind, draft);

/** Of payments, two alike are two, unless a key says that they are one. */
const isUnique = (kind: Kind, draft: Draft): boolean => hasKey(draft) || !kind.repeatable;

export function otherValues(kind: Kind, draft: Draft): Problem {
  const keyField = draft.keys.external === null ? 'id' : 'external_id';
  return {
    field: hasKey(draft) ? keyField : kind.conflictField,
    reason: `Line ${draft.before.line} already has this ${kind.noun}, with other values.`,
  };
}
