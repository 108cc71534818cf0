import { LRUCache } from 'lru-cache';
import type { Db } from '../db/connect.ts';
import { changePassword, findPassword } from '../users/users.ts';
import type { Auth, CodeWanted, Cookies, Opened, RefusedCode, SignedCredential } from './better-auth.ts';
import { noteUseAfterMs } from './lifetime.ts';
import * as store from './sessions.store.ts';
import type { SignedIn, Visitor } from './visitor.ts';

export { forgetEndedSessions, forgetEndedVerifications } from './sessions.store.ts';

/** As with API keys, losing access must take effect everywhere within a second. */
const rememberMs = 750;

/** Ours have about a hundred characters. A longer cookie is not ours, and not worth remembering. */
const mostCookieLength = 500;

/** Somebody who has given their password but not yet a code. */
interface Challenged {
  userId: string;
  name: string;
  email: string;
}

export interface Found {
  signedIn: SignedIn | null;
  cookies: Cookies;
}

/** Finds out who is signed in, remembers it for less than a second, and signs people in and out. */
export class Sessions {
  readonly #auth: Auth;
  readonly #db: Db;
  readonly #remembered = new LRUCache<string, Promise<SignedIn | null>>({ max: 10_000, ttl: rememberMs });

  constructor(auth: Auth, db: Db) {
    this.#auth = auth;
    this.#db = db;
  }

  /** The person, or null. The cookies, if any, must be sent with the answer. */
  async find(visitor: Visitor): Promise<Found> {
    const cookie = this.#cookieOf(visitor);
    if (cookie === null) return { signedIn: null, cookies: [] };
    const remembered = this.#remembered.get(cookie);
    if (remembered) return { signedIn: await remembered, cookies: [] };
    return this.findAgain(visitor);
  }

  /** Like find(), but from the database, for a person who has just changed something. */
  async findAgain(visitor: Visitor): Promise<Found> {
    const cookie = this.#cookieOf(visitor);
    if (cookie === null) return { signedIn: null, cookies: [] };
    const found = this.#look(visitor);
    const signedIn = found.then((result) => result.signedIn);
    this.#remembered.set(cookie, signedIn);
    // A failed lookup is forgotten, so that the next request tries again.
    signedIn.catch(() => this.#remembered.delete(cookie));
    return found;
  }

  async #look(visitor: Visitor): Promise<Found> {
    const { identity: found, cookies } = await this.#auth.identify(visitor);
    if (found === null) return { signedIn: null, cookies };
    const { createdAt: _, lastUsedAt, ...identity } = found;
    await this.#noteUse(identity.sessionId, lastUsedAt);
    const rows = await store.findMemberships(this.#db, identity.userId, identity.sessionId);
    const memberships = rows.map(({ active: _, ...membership }) => membership);
    const at = Math.max(
      0,
      rows.findIndex((row) => row.active),
    );
    return { signedIn: { ...identity, memberships, active: memberships[at] ?? null }, cookies };
  }

  /** If it cannot be written, people may still read. */
  async #noteUse(sessionId: string, lastUsedAt: Date): Promise<void> {
    const now = new Date();
    if (now.getTime() - lastUsedAt.getTime() < noteUseAfterMs) return;
    await store.noteUse(this.#db, sessionId, now).catch(() => undefined);
  }

  /** Whether the person has signed in from this address before, and has not signed out since. */
  isKnownAt(email: string, ip: string): Promise<boolean> {
    return store.isKnownAt(this.#db, email, ip);
  }

  /** Null if e-mail address and password do not match. */
  async signIn(email: string, password: string, visitor: Visitor): Promise<Opened | CodeWanted | null> {
    const opened = await this.#ifPasswordStays(email, visitor, () =>
      this.#auth.signIn(email, password, visitor),
    );
    return opened && this.enter(opened, visitor);
  }

  /** The person who has given their password and still has to give a code. */
  async findChallenged(visitor: Visitor, now: Date): Promise<Challenged | null> {
    const challenge = this.#auth.challengeOf(visitor);
    return challenge === null ? null : store.findChallenged(this.#db, challenge, now);
  }

  async signInWithCode(
    { email }: Challenged,
    { code, trustDevice }: { code: string; trustDevice: boolean },
    visitor: Visitor,
  ): Promise<Opened | RefusedCode> {
    let refused: RefusedCode = 'over';
    const opened = await this.#ifPasswordStays(email, visitor, async () => {
      const result = await this.#auth.signInWithCode(code, trustDevice, visitor);
      if (typeof result !== 'string') return result;
      refused = result;
      return null;
    });
    return opened === null ? refused : this.enter(opened, visitor);
  }

  /** Null if the passkey is unknown or did not answer the current challenge. */
  async signInWithPasskey(credential: SignedCredential, visitor: Visitor): Promise<Opened | null> {
    const opened = await this.#auth.signInWithPasskey(credential, visitor);
    return opened && this.enter(opened, visitor);
  }

  /** Lets a person in with the session that was just opened for them. */
  async enter<Entered>(opened: Entered, visitor: Visitor): Promise<Entered> {
    // The previous session of this browser ends, because its cookie is replaced and nobody could sign out of it.
    if (this.#cookieOf(visitor) !== null) await this.signOut(visitor);
    return opened;
  }

  /**
   * Checking a password takes time. If it is changed during that time, everybody who knew the old one is signed out,
   * including a person who is just being let in.
   */
  async #ifPasswordStays<Entered extends Opened | CodeWanted>(
    email: string,
    visitor: Visitor,
    open: () => Promise<Entered | null>,
    known?: string,
  ): Promise<Entered | null> {
    const hash = () => findPassword(this.#db, email.toLowerCase());
    const before = known ?? (await hash());
    const opened = await open();
    if (opened === null || before === (await hash())) return opened;
    if (opened.userId !== null) await this.signOut(withCookies(visitor, opened.cookies));
    return null;
  }

  async signOut(visitor: Visitor): Promise<Cookies> {
    const cookies = await this.#auth.signOut(visitor);
    this.forget(visitor);
    return cookies;
  }

  /** Returns null if the current password is wrong. The new session looks at the same account. */
  async changePassword(
    passwords: { current: string; next: string },
    { userId, email, active }: SignedIn,
    visitor: Visitor,
    now: Date,
  ): Promise<Cookies | null> {
    const hash = await changePassword(this.#db, email, passwords, now);
    if (hash === null) return null;
    this.forget(visitor);
    // A person who is already signed in is not asked for a code again.
    const open = () => this.#auth.open(userId, visitor);
    const opened = await this.#ifPasswordStays(email, visitor, open, hash);
    if (opened === null) return null;
    const { identity } = await this.#auth.identify(withCookies(visitor, opened.cookies));
    if (identity && active) await store.setActiveAccount(this.#db, identity.sessionId, active.accountId);
    return opened.cookies;
  }

  async rename(name: string, visitor: Visitor): Promise<void> {
    await this.#auth.rename(name, visitor);
    this.forget(visitor);
  }

  /** Makes the session look at another account. The caller has to check that the person belongs to it. */
  async activate(db: Db, signedIn: SignedIn, accountId: string, visitor: Visitor): Promise<void> {
    await store.setActiveAccount(db, signedIn.sessionId, accountId);
    this.forget(visitor);
  }

  /** Makes what the person has changed visible at once. */
  forget(visitor: Visitor): void {
    const cookie = this.#cookieOf(visitor);
    if (cookie !== null) this.#remembered.delete(cookie);
  }

  /** Makes everybody's next request look again, for something rare that others must notice at once. */
  forgetEverybody(): void {
    this.#remembered.clear();
  }

  #cookieOf({ cookie }: Visitor): string | null {
    const start = `${this.#auth.cookieName}=`;
    const found = cookie
      .split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(start));
    return found !== undefined && found.length <= mostCookieLength ? found : null;
  }
}

/** The visitor as they will come back, with the cookies they are given now. */
export function withCookies(visitor: Visitor, cookies: Cookies): Visitor {
  return { ...visitor, cookie: cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ') };
}
