import type { TestContext } from 'vitest';
import { full } from './scale.ts';

/** Whether whoever runs it at full length knows that this machine lacks something, and wants the rest. */
const isAccepted = process.env.FAULTS_SKIP === 'missing';

/**
 * For a test that this machine cannot run. `npm test` skips it with the reason; at full length that is a failure,
 * since who asks for everything and reads that it passed believes that everything ran. `FAULTS_SKIP=missing` makes it
 * a skip there too.
 */
export function missing(context: TestContext, reason: string): never {
  if (!full || isAccepted) context.skip(reason);
  throw new Error(`${reason} (FAULTS_SKIP=missing goes on without it)`);
}
