import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Makes Prisma's client from its schema, into node_modules. It needs no engine for that, but asks for one all the
 * same and would download it: any program will do.
 */
export function generatePrisma(): void {
  const bench = join(import.meta.dirname, '../..');
  execFileSync(
    process.execPath,
    [join(bench, 'node_modules/prisma/build/index.js'), 'generate', '--schema', 'api/prisma/schema.prisma'],
    {
      cwd: bench,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: '1',
      },
    },
  );
}
