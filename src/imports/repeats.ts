import { hasKey } from './identify.ts';
import type { Draft, Kind, Problem, Work } from './kind.ts';
import { lower } from './kinds/same.ts';
import type { FileReport } from './report.ts';

/**
 * A record may occur twice in a file if both rows say the same, as in a list of units that repeats their property.
 * Otherwise somebody has to say which row is right.
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
 * Rows with different keys can be about one record: for example, one names a unit by its id and another by its name.
 * This shows once the record is found, and then they are treated like any other repeat.
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

/** Notes that the row created this record, so that a later row about it is a repeat. */
export function noteMade({ seen }: Work, kind: Kind, draft: Draft, recordId: string): void {
  if (isUnique(kind, draft)) seen.add(recordKey(recordId), draft.line);
}

const recordKey = (recordId: string): string => `record ${recordId}`;

/** Returns false if the row says nothing new, or is refused. */
function leaveOut(kind: Kind, draft: Draft, earlier: Draft | undefined, report: FileReport): boolean {
  // The first row was in an earlier batch, so this one is compared with the database.
  if (!earlier) return true;
  if (contents(kind, earlier) === contents(kind, draft)) report.unchanged += 1;
  else draft.problems.push(otherValues(kind, draft));
  return false;
}

function contents({ spelt = [] }: Kind, { values }: Draft): string {
  return JSON.stringify({
    ...values,
    ...Object.fromEntries(spelt.map((name) => [name, lower(values[name])])),
  });
}

/** Whether an earlier row was about the same record. */
export const isRepeat = (kind: Kind, draft: Draft): boolean =>
  draft.before.count > 0 && isUnique(kind, draft);

/** Two equal payments are two payments, unless a key says that they are one. */
const isUnique = (kind: Kind, draft: Draft): boolean => hasKey(draft) || !kind.repeatable;

export function otherValues(kind: Kind, draft: Draft): Problem {
  const keyField = draft.keys.external === null ? 'id' : 'external_id';
  return {
    field: hasKey(draft) ? keyField : kind.conflictField,
    reason: `Line ${draft.before.line} already has this ${kind.noun}, with other values.`,
  };
}
