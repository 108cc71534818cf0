import { statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Compiled code is kept between runs: starting then takes half the time. Beside the packages, and only for the user
 * whom they belong to: Node runs what it finds there. Its own choice is a folder in /tmp that anybody may have made
 * first, and what root would leave here the owner could not delete. Where nothing can be written, nothing is kept.
 */
export function keepCompiledCode(checkout: string): void {
  const modules = join(checkout, 'node_modules');
  const owner = statSync(modules, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || (process.getuid && process.getuid() !== owner)) return;
  enableCompileCache(join(modules, '.cache', 'tenure'));
}
