import type pg from 'pg';
import { raw, type Statement } from '../sql.ts';

/*
 * `written_in` is the number of the transaction that wrote a row. It is the column's default, so no statement has to
 * set it. Rows with a number below that of the oldest transaction under way are settled: no other row can appear before
 * them any more.
 */

const oldestUnderWay = '(select pg_snapshot_xmin(pg_current_snapshot())::text::bigint)';
const ownNumber = '(select pg_current_xact_id()::text::bigint)';

/** Rows below this are settled. The statement sees all of them, because it reads with this very snapshot. */
export const settledBelow = raw(oldestUnderWay);

/** The number that this transaction's writes get. */
export const writtenHere = raw(ownNumber);

/**
 * For an insert of rows selected from an account's tables. On a distributed database, the account's node would work out
 * the default, and a node's numbers are different.
 */
export const numbered = { written_in: writtenHere };

/**
 * Whether the statement needs a transaction on a distributed database, so that it gets the number that was asked for.
 */
export const isNumbered = ({ text }: Statement): boolean => text.includes(ownNumber);

/** Lower than the number of any row. */
export const lowestWrittenIn = '-9223372036854775808';

/**
 * Another cluster counts its transactions from the beginning. So each time rows come from one, they are moved back by
 * this much: they keep their order, and come before everything written from then on. A cluster that makes ten thousand
 * transactions a second reaches this number after 900 years.
 */
export const era = 2n ** 48n;

/**
 * On a distributed database, the coordinator numbers what is written, but the nodes run the statements that read it,
 * and their own numbers are different. So the coordinator is asked first. A statement that reads later sees no less.
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

/**
 * A number in pg_locks has 32 bits: the whole one is among the two billion before the next, or after it, if the
 * transaction began after the snapshot was taken. Then its rows have higher numbers anyway.
 */
const counted = [
  [
    oldestUnderWay,
    `select least(min(next - ago) filter (where ago < 2147483648), min(oldest))::text as number
     from (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest,
             pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next) counted
     left join pg_locks on locktype = 'transactionid' and mode = 'ExclusiveLock' and granted
     cross join lateral (select (next - transactionid::text::bigint) & 4294967295 as ago) begun`,
  ],
  [ownNumber, 'select pg_current_xact_id()::text as number'],
] as const;
