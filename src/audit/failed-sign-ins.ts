import type { Actor } from '../caller.ts';
import { hours } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { lowestIdAt } from '../ids.ts';
import { changeEntry, findEntry, lockSubject } from './audit.store.ts';
import { audit } from './audit.ts';

const action = 'person.sign_in_failed';
/** Further failures within this time are counted in the entry of the first one. */
const togetherMs = hours(1);
/** How many addresses are listed. */
const mostAddresses = 10;

/** Nobody knows who it was. */
const somebody: Actor = { type: 'person', id: null, name: 'Somebody' };

/**
 * Notes that somebody failed to sign in as a member of the account. Strangers can fail as often as the limits allow, so
 * one entry covers an hour, with the number of failures and where they came from: at most 24 entries a day for each
 * person.
 */
export function noteFailedSignIn(
  db: Db,
  accountId: string,
  { email, address, now }: { email: string; address: string; now: Date },
): Promise<void> {
  return db.transaction(async (tx) => {
    // Two failures at once must not become two entries.
    await lockSubject(tx, accountId, email);
    const since = lowestIdAt(new Date(now.getTime() - togetherMs));
    const entry = await findEntry(tx, accountId, { action, subject: email, since });
    const [count, addresses] = entry?.changes ? read(entry.changes) : [0, []];
    const changes = [
      { field: 'attempts', from: null, to: count + 1 },
      { field: 'addresses', from: null, to: [...new Set([...addresses, address])].slice(0, mostAddresses) },
    ];
    if (entry === null)
      await audit(tx, { accountId, actor: somebody, address }, action, { subject: email, changes });
    else await changeEntry(tx, accountId, entry.id, { address, changes: JSON.stringify(changes) });
  });
}

function read(changes: string): [number, string[]] {
  const [attempts, addresses] = JSON.parse(changes) as [{ to: number }, { to: string[] }];
  return [attempts.to, addresses.to];
}
