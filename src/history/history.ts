import type { Caller } from '../caller.ts';
import { days } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import type { Page } from '../db/lists/list.ts';
import { notFound } from '../errors.ts';
import type { PageBounds } from '../paging.ts';
import * as store from './history.store.ts';
import type { Noun } from './nouns.ts';

export { listHistories } from './history.store.ts';

/** The changes of a record and who made them, newest first. Changes from before there was a history have no entries. */
export async function readHistory(
  db: Db,
  noun: Noun,
  accountId: string,
  recordId: string,
  bounds: PageBounds,
): Promise<Page> {
  const page = await store.listHistory(db, accountId, recordId, bounds);
  if (page.count === 0 && !(await store.exists(db, noun, accountId, recordId))) throw notFound();
  return page;
}

export async function addNote(
  db: Db,
  noun: Noun,
  { accountId, actor }: Caller,
  recordId: string,
  note: string,
): Promise<string> {
  const json = await store.insertNote(db, noun, accountId, recordId, { actor, note });
  if (json === null) throw notFound();
  return json;
}

/** Deletes a batch of an account's entries that are older than this number of days. */
export const forgetOldHistory =
  (keptDays: number) =>
  (db: Db, accountId: string, now: Date, batch: number): Promise<number> =>
    store.deleteHistory(db, accountId, new Date(now.getTime() - days(keptDays)), batch);
