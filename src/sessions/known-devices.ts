import type { App } from '../app.ts';
import { days } from '../clock.ts';
import { idTime, newId } from '../ids.ts';
import { readTaggedText, writeTaggedText } from '../secrets/tagged-id.ts';
import { findUserId } from '../users/users.ts';
import type { Visitor } from './visitor.ts';

/*
 * A browser in which somebody has signed in keeps a cookie that says so. The cookie opens nothing. It only means that
 * wrong passwords and codes of that person in that browser are counted apart from those of strangers, who could
 * otherwise keep the person out by failing on purpose. It names the people and is signed with SECRET_KEY, so nobody can
 * make one, or use it for somebody else. Every sign-in makes a new cookie, and so does every day on which a session is
 * used, so that a new SECRET_KEY soon signs them all. Only the person who has signed in gets a new limit. Otherwise one
 * user of a shared computer could guess another's password, sign in as themselves, and go on guessing.
 */

const keptMs = days(365);
/** A computer that many people share knows the most recent ones. */
const mostPeople = 5;
/** This is a new name, because under the previous one all people of a device shared one id. */
const use = 'known device of each person';

interface Known {
  /** Identifies this person on this device. It is made when they sign in, and contains the time. */
  id: string;
  userId: string;
}

/** Identifies the device and the person for their limit; null if the device is not known to be theirs. */
export async function knownDevice(
  app: App,
  visitor: Visitor,
  email: string,
  now: Date,
): Promise<string | null> {
  const people = readDevice(app, visitor, now);
  if (people.length === 0) return null;
  const userId = await findUserId(app.db, email);
  return people.find((known) => known.userId === userId)?.id ?? null;
}

/** The cookie for a browser in which this person is signed in. */
export function deviceCookie(app: App, visitor: Visitor, userId: string, now: Date): string {
  const others = readDevice(app, visitor, now).filter((known) => known.userId !== userId);
  const people = [{ id: newId(), userId }, ...others].slice(0, mostPeople);
  const text = people.map((known) => `${known.id} ${known.userId}`).join(' ');
  const value = writeTaggedText(text, use, app.secrets);
  const secure = isSecure(app) ? '; Secure' : '';
  return `${nameOf(app)}=${value}; Max-Age=${keptMs / 1000}; Path=${path}; HttpOnly; SameSite=Lax${secure}`;
}

/** Pages and files do not need it. */
const path = '/internal/v1';

const isSecure = ({ config }: App): boolean => config.PUBLIC_URL.startsWith('https:');
const nameOf = (app: App): string => `${isSecure(app) ? '__Secure-' : ''}tenure.device`;

/** The people whom the browser is known for. */
function readDevice(app: App, { cookie }: Visitor, now: Date): Known[] {
  const start = `${nameOf(app)}=`;
  const found = cookie
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  if (found === undefined) return [];
  const text = readTaggedText(found.slice(start.length), use, app.secrets) ?? '';
  return [...text.matchAll(/(\S+) (\S+)/g)]
    .map(([, id = '', userId = '']) => ({ id, userId }))
    .filter(({ id }) => idTime(id).getTime() + keptMs > now.getTime());
}
