import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** It takes seconds; where it waits for a network, it would wait for good. */
const patienceMs = 120_000;

/**
 * Makes Prisma's client from its schema, into node_modules. It needs no engine for that, but asks for one all the
 * same and would download it: any program will do.
 */
export function generatePrisma(): void {
  const cwd = join(import.meta.dirname, '..');
  const args = ['node_modules/prisma/build/index.js', 'generate', '--schema', 'servers/schema.prisma'];
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
  execFileSync(process.execPath, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
    timeout: patienceMs,
  });
}
