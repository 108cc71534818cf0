import type { Db } from '../db/connect.ts';
import { notFound } from '../errors.ts';
import { idTime, newId, parseId } from '../ids.ts';
import { moveClock, startClock } from '../ledger/account-clocks.ts';
import { addMember, addUser } from '../users/users.ts';
import type { AccountChange } from './accounts.schema.ts';
import * as store from './accounts.store.ts';

export interface NewAccount {
  name: string;
  /** Default: the account's name. */
  ownerName?: string;
  email: string;
  /** Of the password. */
  hash: string;
  currency?: string;
}

/** Creates an account with its owner, who can sign in at once. */
export function createAccount(
  db: Db,
  { name, ownerName = name, email, hash, currency = 'USD' }: NewAccount,
): Promise<{ accountId: string; userId: string }> {
  return db.transaction(async (tx) => {
    const userId = await addUser(tx, { name: ownerName, email, hash });
    return { accountId: await openAccount(tx, { name, currency }, userId), userId };
  });
}

/** Creates one more account for an existing person. */
export async function openAccount(
  tx: Db,
  { name, currency }: { name: string; currency: string },
  ownerId: string,
): Promise<string> {
  const id = newId();
  await store.insertAccount(tx, { id, name, slug: id, currency, createdAt: idTime(id) });
  await startClock(tx, id, 'UTC', idTime(id));
  await addMember(tx, { accountId: id, userId: ownerId, role: 'owner' });
  return id;
}

export const changeAccount = (db: Db, id: string, change: AccountChange, now: Date): Promise<string> =>
  db.transaction(async (tx) => {
    const json = await store.updateAccount(tx, id, change, now);
    if (json === null) throw notFound();
    if (change.time_zone !== undefined) await moveClock(tx, id, change.time_zone);
    return json;
  });

export const listAccounts = store.listAccounts;

/** The account that an id or an owner's e-mail address names. */
export async function findAccount(db: Db, idOrEmail: string): Promise<store.AccountSummary> {
  const id = parseId('acct', idOrEmail);
  const found = await store.findAccounts(db, id === null ? { email: idOrEmail.toLowerCase() } : { id });
  const [account, ...others] = found;
  if (!account) throw new Error(`There is no account for ${idOrEmail}.`);
  if (others.length > 0)
    throw new Error(
      `${idOrEmail} owns several accounts; use the id of one instead (\`tenure accounts list\`).`,
    );
  return account;
}
