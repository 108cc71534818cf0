import type { Db } from '../db/connect.ts';
import { roundedSize } from '../db/lists/bounds.ts';
import { recordJson } from '../db/records/shape.ts';
import { settledBelow } from '../db/records/written-in.ts';
import { literal, none, sql } from '../db/sql.ts';
import { eventShape } from './events.store.ts';

/** A reader's position: the transaction number and the id of the last event read. */
export interface Position {
  writtenIn: string;
  id: string;
}

export interface FeedPage {
  /** JSON array. */
  data: string;
  count: number;
  /** The position after the last event that was examined, shown or not. */
  behind: Position;
  /** Whether there may be more events after that. */
  more: boolean;
}

/** How many events are examined at a time if the reader wants certain names. The index contains the names. */
const lookedThrough = 5_000;

export async function findPosition(db: Db, accountId: string, id: string): Promise<Position | null> {
  const [row] = await db.query<Position>(sql`
    select written_in::text as "writtenIn", id from events where account_id = ${accountId} and id = ${id}`);
  return row ?? null;
}

/** The last event of the feed. */
export async function lastPosition(db: Db, accountId: string): Promise<Position | null> {
  const [row] = await db.query<Position>(sql`
    select written_in::text as "writtenIn", id from events
    where account_id = ${accountId} and written_in < ${settledBelow}
    order by written_in desc, id desc limit 1`);
  return row ?? null;
}

/** Events after a position, in the order in which they were committed. */
export async function readFeed(
  db: Db,
  accountId: string,
  { writtenIn, id }: Position,
  { event, limit }: { event: string[] | undefined; limit: number },
): Promise<FeedPage> {
  // One more than fits on the page, to know whether there are more.
  const most = event === undefined ? roundedSize(limit) + 1 : lookedThrough;
  const named = event === undefined ? none : sql`where event = any(${event}::text[])`;
  // The page is cut out of the events examined, so that Postgres reads no more than those, in the order of the index.
  const [row] = await db.query<{ data: string; found: number; looked: number; behind: Position | null }>(sql`
    with looked as materialized (
      select written_in, id, event from events
      where account_id = ${accountId} and (written_in, id) > (${writtenIn}::bigint, ${id}::uuid)
        and written_in < ${settledBelow}
      order by written_in, id limit ${literal(most)}),
    found as materialized (
      select row_number() over (order by written_in, id) as n, written_in, id from looked ${named}
      order by written_in, id limit ${limit + 1}::integer)
    select coalesce((select '[' || string_agg(json, ',' order by n) || ']' from (
             select found.n, ${recordJson(eventShape(accountId))} as json
             from found join events e on e.account_id = ${accountId} and e.id = found.id ${eventShape(accountId).joins}
             where found.n <= ${limit}::integer) shown), '[]') as data,
           (select count(*)::integer from found) as found,
           (select count(*)::integer from looked) as looked,
           (select json_build_object('writtenIn', written_in::text, 'id', id) from (
              select written_in, id from found where n = ${limit}::integer
              union all
              select written_in, id from looked where (select count(*) from found) <= ${limit}::integer) last
            order by written_in desc, id desc limit 1) as behind`);
  if (!row) throw new Error('The feed returned no row.');
  const { data, found, looked, behind } = row;
  const full = found > limit;
  const more = full || (event !== undefined && looked === most);
  return { data, count: full ? limit : found, behind: behind ?? { writtenIn, id }, more };
}
