import type { TestContext } from 'vitest';
import { full } from './scale.ts';

/**
 * Whether the person who runs the tests at full length knows that this machine lacks something and wants the others to
 * run.
 */
const isAccepted = process.env.FAULTS_SKIP === 'missing';

/**
 * For a test that this machine cannot run. `npm test` skips it with the reason. At full length that is a failure, since
 * a person who asks for everything and reads that it passed believes that everything ran. With `FAULTS_SKIP=missing` it
 * is skipped there, too.
 */
export function missing(context: TestContext, reason: string): never {
  if (!full || isAccepted) context.skip(reason);
  throw new Error(`${reason} (FAULTS_SKIP=missing goes on without it)`);
}
