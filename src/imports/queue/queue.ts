import type { Caller } from '../../caller.ts';
import { days } from '../../clock.ts';
import type { Db } from '../../db/connect.ts';
import { AppError, invalidField } from '../../errors.ts';
import { lowestIdAt } from '../../ids.ts';
import type { ImportCreate } from './queue.schema.ts';
import {
  countWaiting,
  deleteImports,
  eraseDetails,
  eraseFileNames,
  getImport,
  insertImport,
  listFileNames,
} from './queue.store.ts';

/** How many files of an account may wait. One runs at a time, and the others take up storage. */
const mostWaiting = 5;
/** How long rejected rows are available. They tell about people, and are kept no longer than they are useful. */
const keptDays = 30;
const longestName = 200;

/** Keeps the file for a worker to import. */
export function queueImport(
  db: Db,
  { accountId, actor, address }: Caller,
  { file: _, file_name, ...asked }: ImportCreate,
  upload: { name: string | null; content: Buffer },
): Promise<string> {
  if (upload.content.length === 0) throw invalidField('file', 'Must not be empty.');
  const file = shownName(file_name ?? upload.name) || `${asked.kind}.csv`;
  return db.transaction(async (tx) => {
    if ((await countWaiting(tx, accountId)) >= mostWaiting)
      throw new AppError(
        'rate_limited',
        `${mostWaiting} imports of this account are waiting; send the next one when one of them is over.`,
        { 'retry-after': '10' },
      );
    const made = { ...asked, accountId, actor, address: address ?? null, file, content: upload.content };
    return getImport(tx, accountId, await insertImport(tx, made));
  });
}

/** Browsers send only the name, other programs send the path, and some send anything. */
const shownName = (name: string | null): string =>
  (name?.split(/[/\\]/).at(-1) ?? '')
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .trim()
    .slice(0, longestName);

/** Deletes a batch of an account's imports that ended long ago. */
export const forgetOldImports = (db: Db, accountId: string, now: Date, batch: number): Promise<number> =>
  deleteImports(db, accountId, lowestIdAt(new Date(now.getTime() - days(keptDays))), batch);

/** For an erasure: nobody knows whom the rows and their errors are about, and the name of a file may tell. */
export async function forgetWhatFilesSaid(
  tx: Db,
  accountId: string,
  mentions: (...texts: string[]) => boolean,
): Promise<void> {
  await eraseDetails(tx, accountId);
  const about = (await listFileNames(tx, accountId)).filter(({ file }) => mentions(file));
  await eraseFileNames(
    tx,
    accountId,
    about.map(({ id }) => id),
  );
}
