import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

// Compiled code is kept between runs: starting then takes half the time.
enableCompileCache();

// V8 makes objects of a kind that often outlived a collection of garbage among the old ones from the start. Right after the
// start, all that is under way does. From then on each request's would, with all they hold, be kept until a full collection.
setFlagsFromString('--no-allocation-site-pretenuring');

// When a process has little to do, V8 collects its garbage so thoroughly that compiled code goes with it, and who
// comes next is served by code that has to be compiled again. The garbage alone is enough.
setFlagsFromString('--no-memory-reducer-favors-memory');

// Looking up a webhook's host blocks one of libuv's threads, and there are four. A few hosts with
// dead name servers must not hold up everybody else's deliveries (nor people signing in).
process.env.UV_THREADPOOL_SIZE ??= '32';

const { program } = await import('./cli/program.ts');
await program().parseAsync();
