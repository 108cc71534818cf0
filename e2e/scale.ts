/**
 * `npm run test:pages` runs all browser tests and looks at every page in every way. `npm test` has time for the tests
 * outside `thorough/` alone, and there for one page of each sort, in one colour.
 */
export const full = process.env.PAGES === 'full';

export const scale = <Value>(whole: Value, short: Value): Value => (full ? whole : short);
