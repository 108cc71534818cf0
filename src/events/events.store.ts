import type { Db } from '../db/connect.ts';
import { id, json, time, word } from '../db/json.ts';
import { listRecords, noJoins, oneOf, type Page, type RecordShape } from '../db/list.ts';
import { sql } from '../db/sql.ts';
import type { PageBounds } from '../paging.ts';
import type { EventFilter } from './events.schema.ts';

/** The envelope that is sent. `json` keeps the text of `data` as it is. */
export const eventShape: RecordShape = {
  table: 'events',
  alias: 'e',
  joins: noJoins,
  fields: [
    id('evt', 'e.id'),
    word('e.event'),
    time('e.created_at'),
    json(sql`e.body::json -> 'data'`, 'data'),
  ],
};

/** The newest event of all accounts: with it, the newest id of all records, since every change makes one. */
export async function newestEventId(db: Db): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(sql`
    select newest.id from accounts a
    cross join lateral (select id from events e where e.account_id = a.id order by e.id desc limit 1) newest
    order by newest.id desc limit 1`);
  return row?.id ?? null;
}

export function listEvents(
  db: Db,
  accountId: string,
  { event }: EventFilter,
  bounds: PageBounds,
): Promise<Page> {
  const selections = event === undefined ? [] : [[oneOf('event', event)]];
  return listRecords(db, eventShape, { accountId, bounds, selections });
}
