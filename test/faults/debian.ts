import type { TestContext } from 'vitest';
import { ensureDebian } from '../../scripts/prepare/debian.mjs';
import { full } from './scale.ts';

/**
 * For a test that needs Debian's packages: installs them, once and quietly, where that is possible, and otherwise
 * skips the test with the reason. `npm test` installs none: `test('…', async (context) => { await needsDebian(context, 'patroni'); …`
 */
export async function needsDebian(context: TestContext, ...packages: string[]): Promise<void> {
  if (!full) context.skip(`needs ${packages.join(', ')}: npm run test:faults`);
  try {
    await ensureDebian(packages);
  } catch (error) {
    context.skip(error instanceof Error ? error.message : String(error));
  }
}
