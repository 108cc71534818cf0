import type { Db } from '../db/connect.ts';
import { timestamp } from '../db/records/json.ts';
import { type Sql, sql } from '../db/sql.ts';

interface TwoFactor {
  /** Whether the person is asked for a code when they sign in. */
  enabled: boolean;
  /** The app's secret, encrypted; null if none was made yet, or its key was lost. */
  secret: string | null;
  /** Whether a code of the app has been right once. */
  verified: boolean;
  lockedUntil: Date | null;
  codesLeft: number;
}

export async function findTwoFactor(db: Db, userId: string): Promise<TwoFactor | null> {
  const [row] = await db.query<TwoFactor>(sql`
    select u.two_factor_enabled as enabled, nullif(t.secret, '') as secret, coalesce(t.verified, false) as verified,
      t.locked_until as "lockedUntil", coalesce(jsonb_array_length(t.backup_codes::jsonb), 0) as "codesLeft"
    from users u left join two_factors t on t.user_id = u.id where u.id = ${userId}`);
  return row ?? null;
}

/**
 * Turns it on with the secret that the right code belongs to. Returns false if there is another secret by now, or it is
 * already on.
 */
export async function enable(
  tx: Db,
  userId: string,
  { secret, step, codes }: { secret: string; step: number; codes: string[] },
): Promise<boolean> {
  const rows = await tx.query(sql`
    with proven as (
      update two_factors set verified = true, last_step = ${step}, backup_codes = ${JSON.stringify(codes)},
        failed_verification_count = 0, locked_until = null
      where user_id = ${userId} and secret = ${secret} and not verified returning user_id)
    update users u set two_factor_enabled = true from proven where u.id = proven.user_id returning u.id`);
  return rows.length > 0;
}

/** Turns it off, whatever was set up. No device is trusted any longer. Returns whether it was on. */
export async function disable(tx: Db, userId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    with gone as (delete from two_factors where user_id = ${userId}),
    trusted as (delete from verifications where value = ${userId}::uuid::text and length(value) = 36)
    update users set two_factor_enabled = false where id = ${userId} and two_factor_enabled returning id`);
  return rows.length > 0;
}

export async function replaceCodes(tx: Db, userId: string, codes: string[]): Promise<boolean> {
  const rows = await tx.query(sql`
    update two_factors set backup_codes = ${JSON.stringify(codes)} where user_id = ${userId} returning id`);
  return rows.length > 0;
}

/** True only for the first caller with this code, and never for an earlier code. */
export async function spendStep(db: Db, userId: string, step: number): Promise<boolean> {
  const rows = await db.query(sql`
    update two_factors set last_step = ${step}
    where user_id = ${userId} and coalesce(last_step, 0) < ${step} returning id`);
  return rows.length > 0;
}

/** Uses up a code, found by its hash. Of several callers with the same code, only the first gets true. */
export async function spendRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const rows = await db.query(sql`
    update two_factors set backup_codes = (backup_codes::jsonb - ${hash}::text)::text
    where user_id = ${userId} and backup_codes::jsonb ? ${hash}::text returning id`);
  return rows.length > 0;
}

/**
 * Three codes of six digits are right at any time. With ten tries an hour it takes years to find one, and every wrong
 * code, which can be given only after the right password, is in the audit log.
 */
const mostTries = 10;
const lockSeconds = 3600;

/**
 * Counts the code that is about to be compared as a wrong one, wherever it was given; the tenth in a row locks. It is
 * one statement before comparing, so of any number at the same moment only ten get true.
 */
export async function takeTry(db: Db, userId: string, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + lockSeconds * 1000);
  const count: Sql = sql`case when locked_until <= ${now} then 1 else failed_verification_count + 1 end`;
  const rows = await db.query(sql`
    update two_factors set failed_verification_count = ${count},
      locked_until = case when ${count} >= ${mostTries} then ${until}::timestamptz end
    where user_id = ${userId} and (locked_until is null or locked_until <= ${now}) returning id`);
  return rows.length > 0;
}

/** Call this if the code was not compared. It also removes the lock: with one try less there are not ten. */
export async function giveTryBack(db: Db, userId: string): Promise<void> {
  await db.query(sql`
    update two_factors set failed_verification_count = failed_verification_count - 1, locked_until = null
    where user_id = ${userId} and failed_verification_count > 0`);
}

export async function forgetWrongCodes(db: Db, userId: string): Promise<void> {
  await db.query(sql`
    update two_factors set failed_verification_count = 0, locked_until = null
    where user_id = ${userId} and failed_verification_count > 0`);
}

/** A page of the secrets of apps, after the last one seen. */
export function pageOfSecrets(
  db: Db,
  after: string,
  limit: number,
): Promise<{ userId: string; secret: string }[]> {
  return db.query(sql`
    select user_id as "userId", secret from two_factors
    where user_id > ${after} and secret <> '' order by user_id limit ${limit}`);
}

/** Does nothing if somebody else has changed it in the meantime. */
export async function replaceSecret(db: Db, userId: string, before: string, secret: string): Promise<void> {
  await db.query(sql`
    update two_factors set secret = ${secret} where user_id = ${userId} and secret = ${before}`);
}

/** The app's codes are no longer accepted, but recovery codes are. */
export async function giveUpSecret(db: Db, userId: string): Promise<void> {
  await db.query(sql`update two_factors set secret = '', verified = false where user_id = ${userId}`);
}

export interface PasskeyRow {
  id: string;
  name: string;
  synced: boolean;
  created_at: string;
  last_used_at: string | null;
}

const passkeyFields: Sql = sql`p.id, p.name, p.backed_up as synced, ${timestamp('p.created_at')} as created_at,
  ${timestamp('p.last_used_at')} as last_used_at`;

export function listPasskeys(db: Db, userId: string): Promise<PasskeyRow[]> {
  return db.query(sql`select ${passkeyFields} from passkeys p where p.user_id = ${userId} order by p.id`);
}

export async function renamePasskey(
  tx: Db,
  userId: string,
  id: string,
  name: string,
): Promise<{ before: string; row: PasskeyRow } | null> {
  const [row] = await tx.query<PasskeyRow & { before: string }>(sql`
    with old as (select id, name from passkeys where user_id = ${userId} and id = ${id} for update),
    changed as (
      update passkeys p set name = ${name} from old where p.id = old.id returning p.*, old.name as before)
    select ${passkeyFields}, p.before from changed p`);
  if (!row) return null;
  const { before, ...passkey } = row;
  return { before, row: passkey };
}

/** Returns the passkey's name. */
export async function deletePasskey(tx: Db, userId: string, id: string): Promise<string | null> {
  const [row] = await tx.query<{ name: string }>(sql`
    delete from passkeys where user_id = ${userId} and id = ${id} returning name`);
  return row?.name ?? null;
}

export async function deletePasskeys(tx: Db, userId: string): Promise<number> {
  return (await tx.query(sql`delete from passkeys where user_id = ${userId} returning id`)).length;
}

export async function notePasskeyUse(db: Db, credentialId: string, now: Date): Promise<void> {
  await db.query(sql`update passkeys set last_used_at = ${now} where credential_id = ${credentialId}`);
}

export async function sessionStarted(db: Db, sessionId: string): Promise<Date | null> {
  const [row] = await db.query<{ created_at: Date }>(
    sql`select created_at from sessions where id = ${sessionId}`,
  );
  return row?.created_at ?? null;
}
