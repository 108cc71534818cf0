import { lowestIdAt } from '../../ids.ts';
import type { Db } from '../connect.ts';
import type { Rows } from '../records/shape.ts';
import { settledBelow } from '../records/written-in.ts';
import { all, literal, raw, type Sql, sql } from '../sql.ts';
import { nextMatching } from './matching-rows.ts';
import type { Search } from './search.ts';
import type { PositionOfRow } from './sorted-rows.ts';

/*
 * A list of records changed since some time, in the order of commits (docs/decisions/0024-a-feed-in-commit-order.md).
 */

/** The bounds of such a list. */
export interface ChangeBounds {
  /** The requested time. */
  since: string;
  /** The position after the last record of the previous page. */
  behind: ChangePosition | null;
}

/** A record's position: the transaction that wrote it last, its updated_at, and its id. */
interface ChangePosition {
  writtenIn: string;
  updatedAt: string;
  id: string;
}

/** How many of the oldest changes are searched for the time before the indexes of times are used instead. */
const lookedThrough = 1_000;

/**
 * Finds where a time begins in the order of commits: at the first change with this time or a later one. So it also
 * shows a change that was made before the time but committed after that one: a reader who asks from the last time they
 * have seen could not see it before. Events say where records were that have changed again since.
 */
export async function findStart(
  db: Db,
  { table }: Rows,
  accountId: string,
  since: string,
): Promise<ChangePosition | null> {
  const own = sql`${raw(table)} where account_id = ${accountId}`;
  const events = sql`events where account_id = ${accountId}`;
  const isLater = sql`updated_at >= ${since}::timestamptz`;
  const isLaterId = sql`id >= ${lowestIdAt(new Date(since))}`;
  // `offset 0` keeps Postgres from reading the whole order until it meets the time.
  const first = (rows: Sql): Sql =>
    sql`(select min(written_in) from (select written_in from ${rows} offset 0) later)`;
  const oldest = (rows: Sql, order: string, condition: Sql): Sql => sql`
    (select min(written_in) from (
       select * from ${rows} order by ${raw(order)} limit ${literal(lookedThrough)}) oldest where ${condition})`;
  const [row] = await db.query<{ writtenIn: string | null }>(sql`
    select least(
      coalesce(${oldest(own, 'written_in, updated_at, id', isLater)},
        least(${first(sql`${own} and ${isLaterId} and ${isLater}`)},
          ${first(sql`${own} and ${isLater} and updated_at > created_at`)})),
      coalesce(${oldest(events, 'written_in, id', isLaterId)},
        ${first(sql`${events} and ${isLaterId}`)}))::text as "writtenIn"`);
  const writtenIn = row?.writtenIn ?? null;
  return writtenIn === null ? null : { writtenIn, updatedAt: since, id: lowestIdAt(new Date(0)) };
}

/** Which rows to read from a position on. */
interface Wanted {
  accountId: string;
  from: ChangePosition;
  search?: Search | undefined;
  conditions: Sql[];
  most: number;
}

/** The rows from a position on that are settled (no earlier commit can still appear) and meet the conditions. */
export function changedRows(shape: Rows, { accountId, from, search, conditions, most }: Wanted): Sql {
  const alias = raw(shape.alias);
  const order = orderOfChanges(shape.alias);
  const behind = [
    sql`(${alias}.written_in, ${alias}.updated_at, ${alias}.id) >
      (${from.writtenIn}::bigint, ${from.updatedAt}::timestamptz, ${from.id}::uuid)`,
    sql`${alias}.written_in < ${settledBelow}`,
  ];
  const rows = (kept: Sql[], size: number): Sql => sql`
    select * from ${raw(shape.table)} ${alias}
    where ${all([sql`${alias}.account_id = ${accountId}`, ...behind, ...kept])}
    order by ${order} limit ${literal(size)}`;
  if (search === undefined) return rows(conditions, most);
  const next = (size: number) => rows([], size);
  return nextMatching(shape, { accountId, next, order, behind, search, conditions, most });
}

export const orderOfChanges = (alias: string): Sql =>
  raw(`${alias}.written_in, ${alias}.updated_at, ${alias}.id`);

export const changePosition = (alias: string): PositionOfRow => ({
  columns: raw(`${alias}.written_in, ${alias}.id, ${alias}.updated_at`),
  text: (last) => sql`concat_ws(' ', ${last('written_in')}, ${last('id')},
    to_char(${last('updated_at')} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))`,
});

export function readChangePosition(text: string): ChangePosition | null {
  const [writtenIn, id, updatedAt] = text.split(' ');
  // Other orders of the list have cursors of their own.
  if (!/^-?\d+$/.test(writtenIn ?? '')) return null;
  if (writtenIn === undefined || id === undefined || updatedAt === undefined) return null;
  return { writtenIn, id, updatedAt };
}
