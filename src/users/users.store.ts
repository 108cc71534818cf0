import type { Db } from '../db/connect.ts';
import { raw, sql } from '../db/sql.ts';

/** better-auth's name for signing in by e-mail and password. */
const provider = 'credential';

/** Ends all sessions of the `person` of a statement. */
const sessionsEnded = raw('gone as (delete from sessions s using person p where s.user_id = p.user_id)');
/** The same, and of sign-ins that wait for a code and of devices that are trusted. */
const signedOutEverywhere = sql`${sessionsEnded},
    unfinished as (
      delete from verifications v using person p where v.value = p.user_id::text and length(v.value) = 36)`;

export async function insertUser(
  tx: Db,
  user: { id: string; name: string; email: string; createdAt: Date },
): Promise<void> {
  await tx.query(sql`
    insert into users (id, name, email, created_at, updated_at)
    values (${user.id}, ${user.name}, ${user.email}, ${user.createdAt}, ${user.createdAt})`);
}

export async function insertPassword(tx: Db, id: string, userId: string, hash: string): Promise<void> {
  await tx.query(sql`
    insert into credentials (id, user_id, provider_id, provider_account_id, password)
    values (${id}, ${userId}, ${provider}, ${userId}, ${hash})`);
}

/** The hash of a person's password; null if there is no such person. */
export async function findPassword(db: Db, email: string): Promise<string | null> {
  const [row] = await db.query<{ password: string }>(sql`
    select c.password from credentials c join users u on u.id = c.user_id
    where u.email = ${email} and c.provider_id = ${provider}`);
  return row?.password ?? null;
}

/**
 * Replaces the password, and signs the person out everywhere: a sign-in that is waiting for a code after the old
 * password starts again, and no device is trusted any longer. Returns false if there is no such person, or their hash
 * is not `before`.
 */
export async function replacePassword(
  db: Db,
  email: string,
  hash: string,
  now: Date,
  before: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    with person as (
      update credentials c set password = ${hash}, updated_at = ${now} from users u
      where u.id = c.user_id and u.email = ${email} and c.provider_id = ${provider}
        and c.password = ${before} returning c.user_id),
    ${signedOutEverywhere}
    select user_id from person`);
  return rows.length > 0;
}

/** Sets the password, whatever it was before, or if there was none. Also signs the person out everywhere. */
export async function setPassword(
  db: Db,
  id: string,
  email: string,
  hash: string,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(sql`
    with person as (
      insert into credentials (id, user_id, provider_id, provider_account_id, password, updated_at)
      select ${id}, u.id, ${provider}, u.id::text, ${hash}, ${now} from users u where u.email = ${email}
      on conflict (provider_id, provider_account_id)
        do update set password = excluded.password, updated_at = excluded.updated_at
      returning user_id),
    ${signedOutEverywhere}
    select user_id from person`);
  return rows.length > 0;
}

/** The person whom an issuer of OpenID Connect knows by this id. */
export async function findLinked(db: Db, { issuer, subject }: Link): Promise<Known | null> {
  const [row] = await db.query<Known>(sql`
    select u.id, u.name, u.email from credentials c join users u on u.id = c.user_id
    where c.provider_id = ${issuer} and c.provider_account_id = ${subject}`);
  return row ?? null;
}

/**
 * Locks the person's row until the transaction ends, so that two who claim to be this person go one after the other.
 */
export async function lockUser(tx: Db, email: string): Promise<Known | null> {
  const [row] = await tx.query<Known>(
    sql`select id, name, email from users where email = ${email} for update`,
  );
  return row ?? null;
}

/** The issuer's id for a person; null if they have never signed in through it. */
export async function findSubject(db: Db, userId: string, issuer: string): Promise<string | null> {
  const [row] = await db.query<{ subject: string }>(sql`
    select provider_account_id as subject from credentials where user_id = ${userId} and provider_id = ${issuer}`);
  return row?.subject ?? null;
}

export async function insertLink(tx: Db, id: string, userId: string, link: Link): Promise<void> {
  await tx.query(sql`
    insert into credentials (id, user_id, provider_id, provider_account_id)
    values (${id}, ${userId}, ${link.issuer}, ${link.subject})`);
}

/** Deletes the password and the passkeys, and signs the person out everywhere. */
export async function deleteWaysIn(tx: Db, userId: string): Promise<void> {
  await tx.query(sql`
    with person as (select ${userId}::uuid as user_id),
    keys as (delete from passkeys where user_id = ${userId}),
    ${signedOutEverywhere}
    delete from credentials where user_id = ${userId} and provider_id = ${provider}`);
}

/** Deletes the person's links to all issuers, and signs them out everywhere. Returns whether there is such a person. */
export async function deleteLinks(db: Db, email: string): Promise<boolean> {
  const rows = await db.query(sql`
    with person as (select id as user_id from users where email = ${email}),
    unlinked as (
      delete from credentials c using person p where c.user_id = p.user_id and c.provider_id <> ${provider}),
    ${sessionsEnded}
    select user_id from person`);
  return rows.length > 0;
}

/** The id by which an issuer of OpenID Connect knows a person. */
export interface Link {
  issuer: string;
  subject: string;
}

export interface Known {
  id: string;
  name: string;
  email: string;
}

/** An existing member keeps their role. */
export async function insertMember(
  tx: Db,
  member: { id: string; accountId: string; userId: string; role: string; createdAt: Date },
): Promise<void> {
  await tx.query(sql`
    insert into members (id, account_id, user_id, role, created_at)
    values (${member.id}, ${member.accountId}, ${member.userId}, ${member.role}, ${member.createdAt})
    on conflict (account_id, user_id) do nothing`);
}

/** The accounts that a person belongs to, except closed ones. */
export async function findAccountsOf(db: Db, email: string): Promise<string[]> {
  const rows = await db.query<{ account_id: string }>(sql`
    select m.account_id from members m join users u on u.id = m.user_id
    join accounts a on a.id = m.account_id and a.closed_at is null
    where u.email = ${email} order by m.id`);
  return rows.map(({ account_id }) => account_id);
}

export async function findUserId(db: Db, email: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(sql`select id from users where email = ${email}`);
  return row?.id ?? null;
}

/** Whether an account that the person owned has been closed and is not erased yet. */
export async function ownsClosed(db: Db, userId: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from members m join accounts a on a.id = m.account_id
    where m.user_id = ${userId} and m.role = 'owner' and a.closed_at is not null limit 1`);
  return rows.length > 0;
}

export async function hasUsers(db: Db): Promise<boolean> {
  const [row] = await db.query<{ some: boolean }>(sql`select exists (select from users) as some`);
  return row?.some ?? false;
}

export async function isKnown(db: Db, email: string): Promise<boolean> {
  const [row] = await db.query<{ known: boolean }>(
    sql`select exists (select from users where email = ${email}) as known`,
  );
  return row?.known ?? false;
}

/** Takes a lock that is held until the transaction ends. */
export async function lockFirstUser(tx: Db): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('tenure: the first user'))`);
}
