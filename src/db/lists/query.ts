import type { Sql } from '../sql.ts';
import type { Bounded } from './bounds.ts';
import type { Search } from './search.ts';
import type { TextInOrder } from './searched-rows.ts';
import type { Selection } from './selections.ts';
import type { Sorting } from './sorted-rows.ts';

/** The rows of a noun to read. */
export interface ListQuery extends Bounded {
  /** For lists without selections. */
  conditions?: Sql[];
  /** The same conditions in a form for all rows at once, for a total. */
  countConditions?: Sql[];
  /** A condition that few rows meet: those are read first, then filtered by the other conditions. */
  few?: Sql | undefined;
  /** For lists without selections. */
  search?: Search | undefined;
  /** The ids of all rows that may meet the conditions, for a search. */
  among?: Sql | undefined;
  textInOrder?: TextInOrder;
  /** Each row belongs to exactly one of these. Where they have several streams, the streams are merged. */
  selections?: Selection[];
  /** How to read it in the order of a field. */
  sorting?: Sorting;
}
