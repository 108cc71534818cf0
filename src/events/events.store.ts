import type { Db } from '../db/connect.ts';
import { id, json, time, word } from '../db/json.ts';
import { listRecords, noJoins, oneOf, type Page, type RecordShape } from '../db/list.ts';
import { sql } from '../db/sql.ts';
import type { PageBounds } from '../http/pagination.ts';
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

export function listEvents(
  db: Db,
  accountId: string,
  { event }: EventFilter,
  bounds: PageBounds,
): Promise<Page> {
  const { conditions, streams } =
    event === undefined ? { conditions: [], streams: [] } : oneOf('event', event);
  return listRecords(db, eventShape, { accountId, bounds, conditions, streams });
}
