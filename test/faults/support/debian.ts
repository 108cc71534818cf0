import type { TestContext } from 'vitest';
import { ensureDebian } from '../../../scripts/prepare/debian.mjs';
import { missing } from './missing.ts';
import { full } from './scale.ts';

/**
 * For a test that needs Debian's packages: installs them, once and quietly; where that is not possible they are
 * missing. `npm test` installs none: `test('…', async (context) => { await needsDebian(context, 'patroni'); …`
 */
export async function needsDebian(context: TestContext, ...packages: string[]): Promise<void> {
  if (!full) context.skip(`needs ${packages.join(', ')}: npm run test:faults`);
  try {
    await ensureDebian(packages);
  } catch (error) {
    missing(context, error instanceof Error ? error.message : String(error));
  }
}
