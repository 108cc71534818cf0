/**
 * `npm test` takes a few minutes. `TESTS=thorough npm test`, which CI runs, takes longer: it also runs the folders
 * `thorough` and the tests that ask for this. They take long and rarely fail.
 */
export const thorough = process.env.TESTS === 'thorough';
