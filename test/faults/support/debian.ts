import type { TestContext } from 'vitest';
import { ensureDebian } from '../../../scripts/prepare/debian.mjs';
import { missing } from './missing.ts';
import { full } from './scale.ts';

/**
 * Installs Debian's packages for a test that needs them, once and quietly. Where that is not possible, they are
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
