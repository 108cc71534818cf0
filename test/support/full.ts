/**
 * `npm test` has a few minutes. With `TESTS=full`, as in CI, it also runs what takes long and rarely fails: all that is
 * in a folder `thorough`, and the tests that ask for this.
 */
export const full = process.env.TESTS === 'full';
