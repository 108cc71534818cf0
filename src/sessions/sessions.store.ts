import type { Db } from '../db/connect.ts';
import { timestamp } from '../db/records/json.ts';
import { literal, sql } from '../db/sql.ts';
import { endedBefore, type Times } from './lifetime.ts';
import type { Membership } from './visitor.ts';

/** The accounts of a person, oldest membership first, and which of them the session looks at. */
export function findMemberships(
  db: Db,
  userId: string,
  sessionId: string,
): Promise<(Membership & { active: boolean })[]> {
  return db.query(sql`
    select m.account_id as "accountId", a.name, a.currency, a.time_zone as "timeZone", m.role,
      (select ${timestamp('t.test_used_at')} from accounts t where t.test_of = a.id and t.closed_at is null) as "testUsedAt",
      coalesce(m.account_id = (select active_account_id from sessions where id = ${sessionId}), false) as active
    from members m join accounts a on a.id = m.account_id
    where m.user_id = ${userId} and a.closed_at is null order by m.id`);
}

export async function setActiveAccount(db: Db, sessionId: string, accountId: string): Promise<void> {
  await db.query(sql`update sessions set active_account_id = ${accountId} where id = ${sessionId}`);
}

/** A person's sessions that have not ended, the one used last first. */
export function listSessions(db: Db, userId: string, now: Date, most: number): Promise<SessionRow[]> {
  const ended = endedBefore(now);
  return db.query(sql`
    select id, ip_address as "ipAddress", user_agent as "userAgent", created_at as "createdAt",
      updated_at as "lastUsedAt"
    from sessions
    where user_id = ${userId} and updated_at > ${ended.lastUsedAt} and created_at > ${ended.createdAt}
    order by updated_at desc, id desc limit ${literal(most)}`);
}

interface SessionRow extends Times {
  id: string;
  ipAddress: string | null;
  userAgent: string | null;
}

/** Ends one of a person's sessions. Null if the person has none with this id. */
export async function deleteSession(
  db: Db,
  userId: string,
  id: string,
): Promise<{ userAgent: string | null } | null> {
  const [row] = await db.query<{ userAgent: string | null }>(sql`
    delete from sessions where user_id = ${userId} and id = ${id} returning user_agent as "userAgent"`);
  return row ?? null;
}

/**
 * Ends all of a person's sessions but one. No browser is trusted to sign in without a code any longer. Returns how
 * many.
 */
export async function deleteOtherSessions(db: Db, userId: string, kept: string): Promise<number> {
  const rows = await db.query(sql`
    with trusted as (delete from verifications where value = ${userId}::uuid::text and length(value) = 36)
    delete from sessions where user_id = ${userId} and id <> ${kept} returning id`);
  return rows.length;
}

export async function noteUse(db: Db, sessionId: string, now: Date): Promise<void> {
  await db.query(
    sql`update sessions set updated_at = ${now} where id = ${sessionId} and updated_at < ${now}`,
  );
}

/**
 * Deletes at most `batch` ended sessions, of any person. Returns how many. A session that is never used again is never
 * read again, so nothing else would delete it.
 */
export async function forgetEndedSessions(db: Db, now: Date, batch: number): Promise<number> {
  const ended = endedBefore(now);
  const rows = await db.query(sql`
    delete from sessions where id in (
      select id from sessions
      where expires_at < ${now} or updated_at < ${ended.lastUsedAt} or created_at < ${ended.createdAt}
      limit ${literal(batch)})
    returning id`);
  return rows.length;
}

/** Deletes at most `batch` sign-ins that were not completed in time, and trust in devices that has expired. */
export async function forgetEndedVerifications(db: Db, now: Date, batch: number): Promise<number> {
  const rows = await db.query(sql`
    delete from verifications where id in (
      select id from verifications where expires_at < ${now} limit ${literal(batch)})
    returning id`);
  return rows.length;
}

/** Whether the person has a session that was opened from this address. */
export async function isKnownAt(db: Db, email: string, ip: string): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from sessions s join users u on u.id = s.user_id where u.email = ${email} and s.ip_address = ${ip} limit 1`);
  return rows.length > 0;
}

/** The person of a challenge that was made after the right password and has not ended. */
export async function findChallenged(
  db: Db,
  challenge: string,
  now: Date,
): Promise<{ userId: string; name: string; email: string } | null> {
  const [row] = await db.query<{ userId: string; name: string; email: string }>(sql`
    select id as "userId", name, email from users where id = (
      select value::uuid from verifications where identifier = ${challenge} and expires_at > ${now} limit 1)`);
  return row ?? null;
}
