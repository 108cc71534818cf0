import { join } from 'node:path';
import './system/v8-flags.ts';
import { keepCompiledCode } from './system/compile-cache.ts';

keepCompiledCode(join(import.meta.dirname, '..'));

// Looking up a webhook's host blocks one of libuv's threads, and by default there are four. A few hosts with dead name
// servers must not delay everybody else's deliveries and sign-ins. See src/safe-url/resolver.ts.
process.env.UV_THREADPOOL_SIZE ??= '64';

const { program } = await import('./cli/program.ts');
await program().parseAsync();
