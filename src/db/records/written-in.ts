import { raw } from '../sql.ts';

/*
 * `written_in` is the number of the transaction that wrote a row: its default, so that nobody has to give it. Whatever
 * has a number below that of the oldest transaction under way is settled: no row can come to stand before it any more.
 */

/** Rows below this are settled. The statement sees all of them, since it reads with this very snapshot. */
export const settledBelow = raw('(select pg_snapshot_xmin(pg_current_snapshot())::text::bigint)');

/** Lower than any row's. */
export const lowestWrittenIn = '-9223372036854775808';

/**
 * Another cluster counts its transactions from the beginning again. So rows that come from one are moved back by this
 * much, each time: they keep their order, and come before all that is written from then on. A cluster that makes ten
 * thousand transactions a second reaches this number after 900 years.
 */
export const era = 2n ** 48n;
