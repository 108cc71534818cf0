import { full } from '../test/support/full.ts';

/** In full, every page is looked at in every way. Otherwise it is one page of each sort, in one colour. */
export const scale = <Value>(whole: Value, short: Value): Value => (full ? whole : short);
