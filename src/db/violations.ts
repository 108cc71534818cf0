import pg from 'pg';
import { AppError, invalidField } from '../errors.ts';

/**
 * Turns a broken constraint into an error that tells callers what they did wrong. A reference to nothing is a 400 on
 * its field; `refusals` has the errors for other constraints. Any other error is passed on.
 */
export async function refuseViolations<Result>(
  table: string,
  work: () => Promise<Result>,
  refusals: Record<string, () => AppError> = {},
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const constraint = brokenConstraint(error);
    if (constraint === null) throw error;
    if (constraint === `${table}_external_id_unique`) throw new JustTaken();
    throw refusals[constraint]?.() ?? missingReference(table, constraint) ?? error;
  }
}

/**
 * Somebody else wrote the same external_id at the same moment. Nothing was written, and the next try finds their
 * record (db/records/external-ids.ts).
 */
export class JustTaken extends AppError {
  constructor() {
    super('external_id_taken', 'Another record has just been given this external_id.');
  }
}

/** The name of the constraint that a statement broke, or null for any other error. */
function brokenConstraint(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError)) return null;
  // On a distributed database the field is empty, and the message names the shard's constraint, which ends in the
  // shard's number. Rows that the coordinator copies to their node fail with an internal error.
  const isViolation =
    error.code?.startsWith('23') || (error.code === 'XX000' && / violates /.test(error.message));
  if (!isViolation) return null;
  const name = error.constraint || /constraint "([^"]+)"/.exec(error.message)?.[1];
  return name?.replace(/_\d+$/, '') ?? null;
}

/**
 * A reference to a record that does not exist, or is another account's. Foreign keys are named <table>_<field>_fk, so
 * the name says which field is wrong.
 */
function missingReference(table: string, constraint: string): AppError | null {
  const field = new RegExp(`^${table}_(.+)_fk$`).exec(constraint)?.[1];
  return field ? missing(field) : null;
}

/** A field whose id refers to nothing. */
export function missing(field: string): AppError {
  const noun = field.replace(/_ids?$/, '').replaceAll('_', ' ');
  return invalidField(field, `There is no ${noun} with this id here.`);
}
