import type { Db } from '../db/connect.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { renewAppSecret } from './app-codes.ts';
import * as store from './second-factor.store.ts';

const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Encrypts the secrets of authenticator apps with the current key. If the key of some is lost, codes from those apps
 * are no longer accepted, but a code is still asked for: recovery codes need no key.
 */
export async function renewAppSecrets(
  db: Db,
  secrets: SecretBox,
  { lost, batch }: { lost: boolean; batch: number },
): Promise<{ renewed: number; unreadable: number }> {
  const counts = { renewed: 0, unreadable: 0 };
  let after = nilUuid;
  for (;;) {
    const page = await store.pageOfSecrets(db, after, batch);
    for (const { userId, secret } of page) {
      const renewed = await renewAppSecret(secrets, secret).catch(() => undefined);
      if (renewed === undefined) {
        counts.unreadable += 1;
        if (lost) await store.giveUpSecret(db, userId);
      } else if (renewed !== null) {
        await store.replaceSecret(db, userId, secret, renewed);
        counts.renewed += 1;
      }
    }
    after = page.at(-1)?.userId ?? after;
    if (page.length < batch) return counts;
  }
}
