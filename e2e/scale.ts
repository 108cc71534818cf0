import { thorough } from '../test/support/thorough.ts';

/** In full, every page is looked at in every way. Otherwise it is one page of each sort, in one colour. */
export const scale = <Value>(whole: Value, short: Value): Value => (thorough ? whole : short);
