import { setFlagsFromString } from 'node:v8';

/*
 * Without these two, and --max-semi-space-size in package.json, a worker sent 0.74 as many webhooks, and the API made
 * 0.85 as many payments (bench/compare; docs/decisions/0010).
 */

// V8 makes objects of a kind that often outlived a collection of garbage among the old ones from the start. Right after the
// start, all that is under way does. From then on each request's would, with all they hold, be kept until a full collection.
setFlagsFromString('--no-allocation-site-pretenuring');

// When a process has little to do, V8 collects its garbage so thoroughly that compiled code goes with it, and who
// comes next is served by code that has to be compiled again. The garbage alone is enough.
setFlagsFromString('--no-memory-reducer-favors-memory');
