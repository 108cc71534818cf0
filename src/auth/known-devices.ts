import type { App } from '../app.ts';
import { days } from '../clock.ts';
import { idTime, newId } from '../ids.ts';
import { readTaggedText, writeTaggedText } from '../secrets/tagged-id.ts';
import type { Visitor } from '../sessions/visitor.ts';
import { findUserId } from '../users/users.ts';

/*
 * A browser in which somebody has signed in keeps a cookie that says so. It opens nothing. It only has the wrong
 * passwords of that person in that browser counted apart from those of strangers, who could otherwise keep a person
 * out by failing on purpose. The cookie names the people and is signed with SECRET_KEY, so nobody can make one, or use
 * it for somebody else. Every sign-in makes a new one, with a limit of its own, and so does every day on which a
 * session is used: after a new SECRET_KEY, cookies are signed with that.
 */

const keptMs = days(365);
/** A computer that many share knows the last of them. */
const mostPeople = 5;
const use = 'known device';

interface Device {
  id: string;
  userIds: string[];
}

/** Names the device and the person for their limit; null if the device is not known to be theirs. */
export async function knownDevice(
  app: App,
  visitor: Visitor,
  email: string,
  now: Date,
): Promise<string | null> {
  const device = readDevice(app, visitor, now);
  if (device === null) return null;
  const userId = await findUserId(app.db, email);
  return userId !== null && device.userIds.includes(userId) ? `${device.id} ${userId}` : null;
}

/** The cookie for a browser in which this person is signed in. */
export function deviceCookie(app: App, visitor: Visitor, userId: string, now: Date): string {
  const before = readDevice(app, visitor, now)?.userIds ?? [];
  const userIds = [userId, ...before.filter((id) => id !== userId)].slice(0, mostPeople);
  const value = writeTaggedText([newId(), ...userIds].join(' '), use, app.secrets);
  const secure = isSecure(app) ? '; Secure' : '';
  return `${nameOf(app)}=${value}; Max-Age=${keptMs / 1000}; Path=${path}; HttpOnly; SameSite=Lax${secure}`;
}

/** Pages and files do without it. */
const path = '/internal/v1';

const isSecure = ({ config }: App): boolean => config.PUBLIC_URL.startsWith('https:');
const nameOf = (app: App): string => `${isSecure(app) ? '__Secure-' : ''}tenure.device`;

function readDevice(app: App, { cookie }: Visitor, now: Date): Device | null {
  const start = `${nameOf(app)}=`;
  const found = cookie
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  if (found === undefined) return null;
  const [id, ...userIds] = readTaggedText(found.slice(start.length), use, app.secrets)?.split(' ') ?? [];
  // The id has the time at which it was made.
  if (id === undefined || idTime(id).getTime() + keptMs <= now.getTime()) return null;
  return { id, userIds };
}
