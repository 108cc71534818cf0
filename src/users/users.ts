import { randomInt } from 'node:crypto';
import { audit } from '../audit/audit.ts';
import { operator, type Role } from '../caller.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { refuseViolations } from '../db/violations.ts';
import { conflict } from '../errors.ts';
import { idTime, newId } from '../ids.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import type { Known, Link } from './users.store.ts';
import * as store from './users.store.ts';

export type { Known, Link } from './users.store.ts';
export {
  findAccountsOf,
  findLinked,
  findPassword,
  findUserId,
  hasUsers,
  isKnown,
  lockFirstUser,
} from './users.store.ts';

/**
 * The password is hashed beforehand, because that takes time and a transaction must not wait for it. People who sign in
 * through an issuer have none.
 */
export async function addUser(
  tx: Db,
  { name, email, hash }: { name: string; email: string; hash: string | null },
): Promise<string> {
  const id = newId();
  await refuseViolations(
    'users',
    () => store.insertUser(tx, { id, name, email: email.toLowerCase(), createdAt: idTime(id) }),
    {
      users_email_key: () =>
        conflict('email_taken', `There is already a person with the e-mail address ${email}.`),
    },
  );
  if (hash !== null) await store.insertPassword(tx, newId(), id, hash);
  return id;
}

export async function addMember(
  tx: Db,
  member: { accountId: string; userId: string; role: Role },
): Promise<void> {
  const id = newId();
  await store.insertMember(tx, { ...member, id, createdAt: idTime(id) });
}

/**
 * For the command line: gives a person a new password and signs them out everywhere. Returns false if there is no such
 * person.
 */
export async function resetPassword(db: Db, email: string, password: string, now: Date): Promise<boolean> {
  const subject = email.toLowerCase();
  const hash = await hashPassword(password);
  return db.transaction(async (tx) => {
    for (const accountId of await store.findAccountsOf(tx, subject))
      await audit(tx, { accountId, actor: operator }, 'person.password_changed', { subject });
    return store.setPassword(tx, newId(), subject, hash, now);
  });
}

/**
 * Like resetPassword(), for a person who knows the current one. Returns the new hash, or null if the current one is
 * wrong.
 */
export async function changePassword(
  db: Db,
  email: string,
  { current, next }: { current: string; next: string },
  now: Date,
): Promise<string | null> {
  const hash = await store.findPassword(db, email);
  if (hash === null || !(await verifyPassword({ hash, password: current }))) return null;
  const changed = await hashPassword(next);
  return (await store.replacePassword(db, email, changed, now, hash)) ? changed : null;
}

/** Null if the person has no password, because they sign in by other means. */
export async function isPassword(db: Db, email: string, password: string): Promise<boolean | null> {
  const hash = await store.findPassword(db, email);
  return hash === null ? null : verifyPassword({ hash, password });
}

/** Links a person who has just been added. */
export const addLink = (tx: Db, userId: string, link: Link): Promise<void> =>
  store.insertLink(tx, newId(), userId, link);

/**
 * Links the person to this id at the issuer. Their password, passkeys and sessions end: the issuer has verified the
 * address, but nobody has verified that whoever set the password owns it. Returns null if there is no such person, and
 * false if they are already linked to another id at the issuer, whose owner may have had the address before.
 */
export function linkPerson(
  db: Db,
  email: string,
  link: Link,
  address: string,
): Promise<Known | null | false> {
  return db.transaction(async (tx) => {
    const person = await store.lockUser(tx, email);
    if (person === null) return null;
    const subject = await store.findSubject(tx, person.id, link.issuer);
    if (subject !== null) return subject === link.subject && person;
    await addLink(tx, person.id, link);
    await store.deleteWaysIn(tx, person.id);
    const actor = { type: 'person', id: person.id, name: person.name } as const;
    for (const accountId of await store.findAccountsOf(tx, email))
      await audit(tx, { accountId, actor, address }, 'person.sso_linked', { subject: email });
    return person;
  });
}

/**
 * For the command line: removes the person's links, so that they are recognised by their address again. Returns false
 * if there is no such person.
 */
export function unlinkPerson(db: Db, email: string): Promise<boolean> {
  const subject = email.toLowerCase();
  return db.transaction(async (tx) => {
    for (const accountId of await store.findAccountsOf(tx, subject))
      await audit(tx, { accountId, actor: operator }, 'person.sso_unlinked', { subject });
    return store.deleteLinks(tx, subject);
  });
}

/** Letters and digits that nobody confuses. */
const readable = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz';

/** Twenty of them carry 116 bits. */
export const generatePassword = (): string =>
  Array.from({ length: 20 }, () => readable[randomInt(readable.length)]).join('');

/** Whether somebody without an invitation may sign up now. */
export async function strangersMaySignUp(db: Db, mode: Config['SIGN_UP']): Promise<boolean> {
  return mode === 'open' || (mode === 'first' && !(await store.hasUsers(db)));
}

/**
 * Whether the person may open an account: if anybody may, or if they have closed the only one they had. Somebody who
 * was removed from a team may not.
 */
export const mayOpenAccount = async (
  db: Db,
  mode: Config['SIGN_UP'],
  { userId, memberships }: { userId: string; memberships: unknown[] },
): Promise<boolean> => mode === 'open' || (memberships.length === 0 && (await store.ownsClosed(db, userId)));
