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
  /** The same conditions, written for all rows at once. For a total. */
  countConditions?: Sql[];
  /** A condition that few rows meet: those are read first, and then filtered by the other conditions. */
  few?: Sql | undefined;
  /** For lists without selections. */
  search?: Search | undefined;
  /** The ids of all rows that may meet the conditions, for a search. */
  among?: Sql | undefined;
  textInOrder?: TextInOrder;
  /** Each row belongs to exactly one of these. A selection with several streams has them merged. */
  selections?: Selection[];
  /** How to read the list in the order of a field. */
  sorting?: Sorting;
}
