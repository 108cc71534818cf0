import { isDeepStrictEqual } from 'node:util';
import { type AppError, conflict } from './errors.ts';

/** Whether a patch would change anything. `current` is the row as it was read for the change. */
export function changes(current: object, patch: object): boolean {
  const now = current as Record<string, unknown>;
  return Object.entries(patch).some(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, now[field]),
  );
}

/** The record with the patch's values in place. */
export function merged<Fields extends object>(
  current: Fields,
  patch: { [Name in keyof Fields]?: Fields[Name] | undefined },
): Fields {
  const wanted = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(wanted) };
}

/** The statuses that a record may move to from each. A status that is not listed is final. */
export type Transitions<Status extends string> = { readonly [From in Status]: readonly Status[] };

/** Why a move is not allowed, as a sentence; null if it is. */
export function refusedMove<Status extends string>(
  noun: string,
  transitions: Transitions<Status>,
  from: Status,
  to: Status,
): AppError | null {
  if (from === to || transitions[from].includes(to)) return null;
  const allowed = transitions[from];
  if (allowed.length === 0) return invalidTransition(`A ${from} ${noun} is final; its status cannot change.`);
  return invalidTransition(
    `A ${noun} that is ${from} cannot become ${to}; it can become ${allowed.join(', ')}.`,
  );
}

const invalidTransition = (message: string) => conflict('invalid_transition', message);
