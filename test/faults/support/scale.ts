/** `npm run test:faults` breaks everything at full length. `npm test` has time only for a short version. */
export const full = process.env.FAULTS === 'full';

export const scale = <Value>(whole: Value, short: Value): Value => (full ? whole : short);

/** It is printed with each run. Given in FAULTS_SEED, it makes the same choices again. */
export const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 32)) >>> 0;

/** Numbers in [0, 1) that are determined by a seed (mulberry32). */
export function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
