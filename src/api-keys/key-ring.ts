import { LRUCache } from 'lru-cache';
import { type Db, retryUnavailable } from '../db/connect.ts';
import { findKeyByHash, type StoredKey, touchKeys } from './api-keys.store.ts';
import { hashTextOf, looksLikeKey } from './api-keys.ts';

/** A revoked key must stop working everywhere within a second, including the time of a lookup. */
const rememberMs = 750;
const flushMs = 5_000;

interface Remembered {
  key: Promise<StoredKey | null>;
  until: number;
  /** Whether the last lookup found a key. This is kept longer than the key itself. */
  good: boolean;
  /** Whose key it is, if the last lookup found one. */
  accountId?: string;
}

/** Looks keys up by their hash, remembers them for less than a second, and notes when they were used. */
export class KeyRing {
  readonly #db: Db;
  readonly #remembered = new LRUCache<string, Remembered>({ max: 10_000 });
  #used = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The key, or null if it is malformed, unknown, revoked or expired. */
  async find(text: string, now: Date): Promise<StoredKey | null> {
    if (!looksLikeKey(text)) return null;
    const key = await this.#lookUp(text, now.getTime());
    if (key === null || (key.expires_at !== null && Date.parse(key.expires_at) <= now.getTime())) return null;
    this.#noteUse(key.id);
    return key;
  }

  /** Whether the answer is known without asking the database, or was a valid key last time. */
  remembers(text: string, now: Date): boolean {
    if (!looksLikeKey(text)) return true;
    const remembered = this.#remembered.get(hashTextOf(text));
    return remembered !== undefined && (remembered.good || remembered.until > now.getTime());
  }

  /** Waiters share one lookup; a failed one is forgotten so that the next request tries again. */
  #lookUp(text: string, nowMs: number): Promise<StoredKey | null> {
    const name = hashTextOf(text);
    const remembered = this.#remembered.get(name);
    if (remembered && remembered.until > nowMs && remembered.until <= nowMs + rememberMs)
      return remembered.key;
    const key = retryUnavailable(() => findKeyByHash(this.#db, Buffer.from(name, 'base64')));
    const entry: Remembered = { key, until: nowMs + rememberMs, good: remembered?.good ?? false };
    this.#remembered.set(name, entry);
    key.then(
      (found) => {
        entry.good = found !== null;
        if (found !== null) entry.accountId = found.account_id;
      },
      () => this.#remembered.delete(name),
    );
    return key;
  }

  /** Makes the account's next request look up what has just been changed. */
  lookAgain(accountId: string): void {
    for (const remembered of this.#remembered.values())
      if (remembered.accountId === undefined || remembered.accountId === accountId) remembered.until = 0;
  }

  #noteUse(id: string): void {
    this.#used.add(id);
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref();
  }

  /** Records which keys were used. If that fails, their next use is recorded instead. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = [...this.#used];
    this.#used = new Set();
    if (ids.length > 0) await touchKeys(this.#db, ids, new Date()).catch(() => undefined);
  }
}
