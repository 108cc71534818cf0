import type { Db } from '../db/connect.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { readTaggedText, writeTaggedText } from '../secrets/tagged-id.ts';
import { isOpen } from './contents.store.ts';

/*
 * A link itself says which file it opens, and until when. Nothing is stored about it. It ends with its time, with the
 * file, or with the account.
 */

interface FileLink {
  accountId: string;
  fileId: string;
  /** Seconds since 1970. */
  expires: number;
}

const use = 'file link';

export const writeLink = ({ accountId, fileId, expires }: FileLink, secrets: SecretBox): string =>
  writeTaggedText(`${accountId} ${fileId} ${expires}`, use, secrets);

/** Null if we did not write it, or it has expired. */
function readLink(text: string, secrets: SecretBox, now: Date): FileLink | null {
  const [accountId = '', fileId = '', until = ''] = readTaggedText(text, use, secrets)?.split(' ') ?? [];
  const expires = Number(until);
  return accountId !== '' && now.getTime() < expires * 1000 ? { accountId, fileId, expires } : null;
}

/** Like readLink, but also null if the account is closed. `count` may refuse a link that is opened too often. */
export async function openLink(
  db: Db,
  secrets: SecretBox,
  text: string,
  now: Date,
  count: (fileId: string) => void,
): Promise<FileLink | null> {
  const link = readLink(text, secrets, now);
  if (link === null) return null;
  count(link.fileId);
  return (await isOpen(db, link.accountId)) ? link : null;
}
