import type { App } from '../app.ts';
import { days } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import type { Page } from '../db/lists/list.ts';
import { getRecord } from '../db/records/shape.ts';
import { lowestWrittenIn } from '../db/records/written-in.ts';
import { gone, invalidField } from '../errors.ts';
import { idTime, lowestIdAt } from '../ids.ts';
import type { After } from './events.schema.ts';
import { eventShape } from './events.store.ts';
import { type FeedPage, findPosition, lastPosition, type Position, readFeed } from './feed.store.ts';
import { beginToWait, type Waiter } from './feed-waits.ts';

interface FeedQuery {
  accountId: string;
  after: After;
  event: string[] | undefined;
  limit: number;
  waitSeconds: number;
}

/**
 * Events in the order in which they were committed, oldest first. Only settled ones are shown, so no event can appear
 * before one that a reader has passed.
 */
export async function followEvents(
  db: Db,
  waiter: Waiter & { app: App },
  query: FeedQuery,
  now: Date,
): Promise<Page> {
  const { accountId, after, waitSeconds } = query;
  if (after === 'latest') return latest(db, accountId);
  let position = await positionOf(db, waiter.app, accountId, after, now);
  const first = await nextPage(db, query, position);
  if (first.count > 0 || waitSeconds === 0) return shown(first);
  position = first.behind;
  const wait = beginToWait(waiter, accountId, waitSeconds * 1_000);
  try {
    for (;;) {
      const goesOn = await wait.pause();
      const page = await nextPage(db, query, position);
      if (page.count > 0 || !goesOn) return shown(page);
      position = page.behind;
    }
  } finally {
    wait.end();
  }
}

/** Only the feed's last event, whatever its name. A reader who wants future events alone starts from there. */
async function latest(db: Db, accountId: string): Promise<Page> {
  const last = await lastPosition(db, accountId);
  if (last === null) return { data: '[]', count: 0, nextAfter: null };
  return {
    data: `[${await getRecord(db, eventShape(accountId), accountId, last.id)}]`,
    count: 1,
    nextAfter: null,
  };
}

async function positionOf(db: Db, app: App, accountId: string, after: After, now: Date): Promise<Position> {
  if (after === 'beginning') return { writtenIn: lowestWrittenIn, id: lowestIdAt(new Date(0)) };
  const position = await findPosition(db, accountId, after);
  if (position !== null) return position;
  if (idTime(after).getTime() < now.getTime() - days(app.config.RETENTION_DAYS))
    throw gone('event_not_kept', noLongerKept);
  throw invalidField('after', 'No event of this account has this id.');
}

export const noLongerKept =
  'This event is no longer kept, and later ones may be missing too. Take the id that after=latest shows, read the lists again, then continue after that id.';

/** Looks for events with these names chunk by chunk, one statement each. */
async function nextPage(db: Db, { accountId, event, limit }: FeedQuery, from: Position): Promise<FeedPage> {
  let page = await readFeed(db, accountId, from, { event, limit });
  while (page.count === 0 && page.more) page = await readFeed(db, accountId, page.behind, { event, limit });
  return page;
}

const shown = ({ data, count, behind, more }: FeedPage): Page => ({
  data,
  count,
  nextAfter: more ? behind.id : null,
});
