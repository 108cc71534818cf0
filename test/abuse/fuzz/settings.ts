/*
 * How much is tried: in `npm test` a little, always the same; in `npm run test:fuzz` a lot, each time something else.
 * FUZZ_SEED repeats a run, FUZZ_REQUESTS makes it longer or shorter.
 */

const inTests = 700;

export const requestsWanted = Number(process.env.FUZZ_REQUESTS || inTests);
/** From this many requests on everything is tried, however long it takes, and each operation must have succeeded. */
const many = 6_000;
export const isLong = requestsWanted > many;
export const seed = Number(process.env.FUZZ_SEED || 20_261_115);

/**
 * The runs of a property: this many in a long run, more in a longer one but never more than `most`, and in `npm test` a
 * third.
 */
export const runs = (number: number, most = Number.POSITIVE_INFINITY): number =>
  Math.min(most, Math.ceil(number * Math.max(1 / 3, requestsWanted / many)));
