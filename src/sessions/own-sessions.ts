import { auditPerson } from '../audit/audit.ts';
import type { Db } from '../db/connect.ts';
import { notFound } from '../errors.ts';
import { formatId } from '../ids.ts';
import { deviceWords } from './device-words.ts';
import { endOf } from './lifetime.ts';
import type { OwnSession } from './sessions.schema.ts';
import * as store from './sessions.store.ts';
import type { SignedIn } from './visitor.ts';

/**
 * A program that signs in anew every time has many sessions. Signing out everywhere else ends those that are not shown,
 * too.
 */
const mostShown = 100;

/** JSON of where the person is signed in: first here, then where they were last. */
export async function describeOwnSessions(db: Db, signedIn: SignedIn, now: Date): Promise<string> {
  const rows = await store.listSessions(db, signedIn.userId, now, mostShown);
  const sessions = rows.map(
    (row): OwnSession => ({
      id: formatId('ses', row.id),
      device: deviceWords(row.userAgent ?? ''),
      ip_address: row.ipAddress,
      current: row.id === signedIn.sessionId,
      created_at: row.createdAt.toISOString(),
      last_used_at: row.lastUsedAt.toISOString(),
      expires_at: endOf(row).toISOString(),
    }),
  );
  sessions.sort((a, b) => Number(b.current) - Number(a.current));
  return JSON.stringify({ sessions });
}

/** Ends one of the person's other sessions. */
export function endOwnSession(db: Db, signedIn: SignedIn, address: string, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const ended = await store.deleteSession(tx, signedIn.userId, id);
    if (ended === null) throw notFound();
    const changes = [{ field: 'device', from: deviceWords(ended.userAgent ?? ''), to: null }];
    await auditPerson(tx, signedIn, address, 'person.signed_out', changes);
  });
}

/** Ends all of the person's other sessions. Returns how many. */
export function endOtherSessions(db: Db, signedIn: SignedIn, address: string): Promise<number> {
  return db.transaction(async (tx) => {
    const ended = await store.deleteOtherSessions(tx, signedIn.userId, signedIn.sessionId);
    const changes = [{ field: 'sessions_ended', from: null, to: ended }];
    if (ended > 0) await auditPerson(tx, signedIn, address, 'person.signed_out', changes);
    return ended;
  });
}
