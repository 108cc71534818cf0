/*
 * How much is tried: in `npm test` a little, always the same; in `npm run test:fuzz` a lot, each time something else.
 * FUZZ_SEED repeats a run, FUZZ_REQUESTS makes it longer or shorter.
 */

const inTests = 6_000;

export const requestsWanted = Number(process.env.FUZZ_REQUESTS || inTests);
/** Whether all is tried, however long it takes. */
export const isLong = requestsWanted > inTests;
export const seed = Number(process.env.FUZZ_SEED || 20_261_115);

/** As many runs of a property as fit to the requests wanted: this many in `npm test`, and never more than `most`. */
export const runs = (number: number, most = Number.POSITIVE_INFINITY): number =>
  Math.min(most, Math.ceil((number * requestsWanted) / inTests));
