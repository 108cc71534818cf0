import { audit, type Doer, differences } from '../audit/audit.ts';
import { changes, merged } from '../changes.ts';
import { todayIn } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { conflict, notFound } from '../errors.ts';
import { idTime, newId, parseId } from '../ids.ts';
import { moveClock, startClock } from '../ledger/account-clocks.ts';
import { notePolicies } from '../ledger/late-fee-policies.ts';
import { addMember, addUser } from '../users/users.ts';
import type { AccountChange } from './accounts.schema.ts';
import * as store from './accounts.store.ts';

export { listAccounts } from './accounts.store.ts';

interface NewAccount {
  name: string;
  /** Default: the account's name. */
  ownerName?: string;
  email: string;
  /** Hash of the password; null for an owner who signs in through an issuer. */
  hash: string | null;
  currency?: string;
  timeZone?: string;
}

/** Creates an account with its owner, who can sign in at once. */
export function createAccount(
  db: Db,
  { name, ownerName = name, email, hash, currency = 'USD', timeZone = 'UTC' }: NewAccount,
): Promise<{ accountId: string; userId: string }> {
  return db.transaction(async (tx) => {
    const userId = await addUser(tx, { name: ownerName, email, hash });
    return { accountId: await openAccount(tx, { name, currency, timeZone }, userId), userId };
  });
}

/** Throws if the person already owns this many accounts. */
export async function refuseMoreAccounts(tx: Db, userId: string, most: number): Promise<void> {
  if ((await store.countOwnedForCreate(tx, userId)) >= most)
    throw conflict('limit_reached', `A person who owns ${most} accounts cannot open another one.`);
}

/** Opens another account for an existing person. */
export async function openAccount(
  tx: Db,
  { name, currency, timeZone }: { name: string; currency: string; timeZone: string },
  ownerId: string,
): Promise<string> {
  const id = newId();
  const createdAt = idTime(id);
  await store.insertAccount(tx, { id, name, slug: id, currency, timeZone, createdAt });
  await startClock(tx, id, timeZone, createdAt);
  await addMember(tx, { accountId: id, userId: ownerId, role: 'owner' });
  return id;
}

export async function getAccount(db: Db, id: string): Promise<string> {
  const json = await store.getAccount(db, id);
  if (json === null) throw notFound();
  return json;
}

export function changeAccount(db: Db, doer: Doer, patch: AccountChange, now: Date): Promise<string> {
  const id = doer.accountId;
  return db.transaction(async (tx) => {
    const current = await store.findForChange(tx, id);
    if (current === null) throw notFound();
    if (!changes(current, patch)) return getAccount(tx, id);
    const next = merged<store.AccountSettings>(current, patch);
    if (next.time_zone !== current.time_zone) await moveClock(tx, id, next.time_zone);
    const json = await store.updateAccount(tx, id, next, now);
    await audit(tx, doer, 'account.updated', { changes: differences(current, next) });
    const how = { accountId: id, today: todayIn(next.time_zone, now) };
    await notePolicies(tx, how, 'account', [{ ...next, id }], new Map([[id, current]]));
    return json;
  });
}

/** Finds the account with this id or owner's e-mail address. */
export async function findAccount(
  db: Db,
  idOrEmail: string,
  which: 'open' | 'closed' = 'open',
): Promise<store.AccountSummary> {
  const id = parseId('acct', idOrEmail);
  const found = await store.findAccounts(db, id === null ? { email: idOrEmail.toLowerCase() } : { id });
  const [account, ...others] = found.filter(({ isClosed }) => isClosed === (which === 'closed'));
  if (!account && found.length > 0)
    throw new Error(
      which === 'closed'
        ? `The account of ${idOrEmail} is not closed.`
        : `The account of ${idOrEmail} is closed; \`tenure accounts reopen\` opens it again.`,
    );
  if (!account) throw new Error(`There is no account for ${idOrEmail}.`);
  if (others.length > 0)
    throw new Error(
      `${idOrEmail} owns several accounts; use the id of one instead (\`tenure accounts list\`).`,
    );
  return account;
}
