import type { Db } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import type { Membership } from './visitor.ts';

/** The accounts of a person, oldest membership first, and which of them the session looks at. */
export function findMemberships(
  db: Db,
  userId: string,
  sessionId: string,
): Promise<(Membership & { active: boolean })[]> {
  return db.query(sql`
    select m.account_id as "accountId", a.name, a.currency, a.time_zone as "timeZone", m.role,
      coalesce(m.account_id = (select active_account_id from sessions where id = ${sessionId}), false) as active
    from members m join accounts a on a.id = m.account_id
    where m.user_id = ${userId} order by m.id`);
}

export async function setActiveAccount(db: Db, sessionId: string, accountId: string): Promise<void> {
  await db.query(sql`update sessions set active_account_id = ${accountId} where id = ${sessionId}`);
}

/** Nothing else removes them: a session that is never used again is never read again either. */
export async function deleteExpiredSessions(db: Db, userId: string, now: Date): Promise<void> {
  await db.query(sql`delete from sessions where user_id = ${userId} and expires_at < ${now}`);
}

/** Whether the person has a session that was opened from this address. */
export async function isKnownAt(db: Db, email: string, ip: string): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from sessions s join users u on u.id = s.user_id where u.email = ${email} and s.ip_address = ${ip} limit 1`);
  return rows.length > 0;
}
