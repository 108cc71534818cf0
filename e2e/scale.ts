/**
 * `npm run test:pages` looks at every page in every way. `npm test` has time to do so only once: each page is opened
 * and checked, and everything that writes is done, but not in each colour, width and number.
 */
export const full = process.env.PAGES === 'full';

export const scale = <Value>(whole: Value, short: Value): Value => (full ? whole : short);

/** For a test whose promise a shorter test checks in `npm test`. */
export const inFull = { tag: '@full' };
