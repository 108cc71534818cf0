import { setFlagsFromString } from 'node:v8';

/*
 * Without these two, and --max-semi-space-size in package.json, a worker sent 0.74 as many webhooks, and the API made
 * 0.85 as many payments (bench/compare; docs/decisions/0010).
 */

// V8 learns which kinds of object survive garbage collections and then allocates them as old from the start. Right
// after the start, everything under way survives; from then on each request's objects would be kept until a full
// collection.
setFlagsFromString('--no-allocation-site-pretenuring');

// While a process idles, V8 collects so thoroughly that compiled code goes too, and the next request has to wait until
// it is compiled again.
setFlagsFromString('--no-memory-reducer-favors-memory');
