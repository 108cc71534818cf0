import type { Db } from '../db/connect.ts';
import { listRecords, type Page } from '../db/lists/list.ts';
import { oneOf } from '../db/lists/selections.ts';
import { id, json, time, word } from '../db/records/json.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { sql } from '../db/sql.ts';
import { isTestAccount, lowestIdAt } from '../ids.ts';
import type { PageBounds } from '../paging.ts';
import type { EventFilter } from './events.schema.ts';

/** The envelope that is sent. `json` keeps the text of `data` as it is. */
const liveShape: RecordShape = {
  table: 'events',
  alias: 'e',
  // `offset 0` keeps Postgres from reading the body again for each field.
  joins: sql`cross join lateral (select e.body::json as body offset 0) sent`,
  fields: [
    id('evt', 'e.id'),
    word('e.event'),
    time('e.created_at'),
    json(sql`sent.body -> 'data'`, 'data'),
    json(sql`sent.body -> 'actor'`, 'actor'),
    // Events recorded before there were versions belong to the first one.
    word(sql`coalesce(sent.body ->> 'api_version', 'v1')`, 'api_version'),
  ],
};

const testShape: RecordShape = {
  ...liveShape,
  fields: [...liveShape.fields, word(sql`coalesce(sent.body ->> 'mode', 'test')`, 'mode')],
};

export const eventShape = (accountId: string): RecordShape =>
  isTestAccount(accountId) ? testShape : liveShape;

/**
 * The newest event since a moment. No record has a newer id, because every change makes an event. Test accounts, which
 * have a time of their own, are left out.
 */
export async function newestEventId(db: Db, since: Date): Promise<string | null> {
  const accounts = await db.query<{ id: string }>(sql`select id from accounts where test_of is null`);
  // The primary key has the events of each account in order, but no index has the events of all accounts.
  const [row] = await db.query<{ id: string }>(sql`/* across accounts */
    select id from events where account_id = any(${accounts.map(({ id }) => id)}::uuid[]) and id >= ${lowestIdAt(since)}
    order by id desc limit 1`);
  return row?.id ?? null;
}

export function listEvents(
  db: Db,
  accountId: string,
  { event }: EventFilter,
  bounds: PageBounds,
): Promise<Page> {
  const selections = event === undefined ? [] : [[oneOf('event', event)]];
  return listRecords(db, eventShape(accountId), { accountId, bounds, selections });
}
