import type pg from 'pg';
import { raw, type Statement } from '../sql.ts';

/*
 * `written_in` is the number of the transaction that wrote a row: its default, so that nobody has to give it. Whatever
 * has a number below that of the oldest transaction under way is settled: no row can come to stand before it any more.
 */

const oldestUnderWay = '(select pg_snapshot_xmin(pg_current_snapshot())::text::bigint)';
const ownNumber = '(select pg_current_xact_id()::text::bigint)';

/** Rows below this are settled. The statement sees all of them, since it reads with this very snapshot. */
export const settledBelow = raw(oldestUnderWay);

/** The number that this transaction's writes have. */
export const writtenHere = raw(ownNumber);

/**
 * For an insert of rows that are selected from an account's tables: on a distributed database its node would work the
 * default out, and its numbers are others.
 */
export const numbered = { written_in: writtenHere };

/** Whether it has to be in a transaction on a distributed database, so that it has the number that was asked for. */
export const isNumbered = ({ text }: Statement): boolean => text.includes(ownNumber);

/** Lower than the number of any row. */
export const lowestWrittenIn = '-9223372036854775808';

/**
 * Another cluster counts its transactions from the beginning again. So rows that come from one are moved back by this
 * much, each time: they keep their order, and come before all that is written from then on. A cluster that makes ten
 * thousand transactions a second reaches this number after 900 years.
 */
export const era = 2n ** 48n;

/**
 * On a distributed database, the coordinator numbers what is written, and the nodes run the statements that read it: a
 * node's own numbers are others. So the coordinator is asked first. A statement that reads later sees no less.
 *
 * A transaction on several nodes ends on the coordinator a moment before it does on the others. Until then it holds the
 * lock on its own number, and what it wrote is not settled. (The snapshot is taken before the locks are read.)
 */
export async function countOnCoordinator(
  client: pg.ClientBase,
  { text, values }: Statement,
): Promise<Statement> {
  for (const [expression, count] of counted) {
    if (!text.includes(expression)) continue;
    const { rows } = await client.query<{ number: string }>(count);
    return countOnCoordinator(client, {
      text: text.replaceAll(expression, `$${values.length + 1}::bigint`),
      values: [...values, rows[0]?.number],
    });
  }
  return { text, values };
}

/** A number of 32 bits in pg_locks is one of the last four thousand million before the next. */
const counted = [
  [
    oldestUnderWay,
    `select least(min(next - ((next - transactionid::text::bigint) & 4294967295)), min(oldest))::text as number
     from (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest,
             pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next) counted
     left join pg_locks on locktype = 'transactionid' and mode = 'ExclusiveLock' and granted`,
  ],
  [ownNumber, 'select pg_current_xact_id()::text as number'],
] as const;
