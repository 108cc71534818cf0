import type { Db } from '../db/connect.ts';
import { parseId } from '../ids.ts';
import type { ZipFile } from '../system/zip.ts';
import type { File } from './files.schema.ts';
import { readContent } from './uploads.ts';

export { countBytes } from './contents.store.ts';
export { fileShape } from './files.store.ts';

/** A file as part of an archive. Each has a folder of its own, because two may have the same name. */
export const zippedFile = (db: Db, accountId: string, { id, name, size }: File): ZipFile => ({
  name: `files/${id}/${name}`,
  content: readContent(db, accountId, parseId('file', id) ?? '', { from: 0, until: size }),
  isStored: true,
});
