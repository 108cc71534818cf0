import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { renewAppSecrets } from '../second-factor/renew-secrets.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { readSecretKeys, type SecretKeys } from './key-file.ts';
import * as store from './secret-keys.store.ts';
import { type EncryptedColumn, encryptedColumns, type StoredBox } from './secret-keys.store.ts';

export { registeredKeys } from './secret-keys.store.ts';

/** This process's keys do not match the database. The message says what to do. */
export class WrongSecretKey extends Error {}

/** This process's keys for this database: see readSecretKeys(). */
export const secretKeysFor = async (
  db: Db,
  config: Config,
  now: Date,
  options: { lost?: boolean } = {},
): Promise<SecretKeys> => readSecretKeys(config, now, await store.registeredKeys(db), options);

/**
 * Refuses keys that cannot read what is in the database, and notes the current one as used. So a wrong SECRET_KEY is
 * noticed at the start, and not through deliveries that fail later.
 */
export function checkSecretKeys(db: Db, secrets: SecretBox, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    await store.lockKeys(tx);
    await refuseMissingKeys(tx, secrets);
    await store.registerKey(tx, secrets.fingerprints[0], now);
  });
}

export async function refuseMissingKeys(db: Db, secrets: SecretBox): Promise<void> {
  const registered = await store.registeredKeys(db);
  const missing = registered.filter((fingerprint) => !secrets.fingerprints.includes(fingerprint));
  // The database is from before keys were noted, so this tries one of its secrets.
  const fits = registered.length > 0 ? missing.length < registered.length : await opensOne(db, secrets);
  if (!fits) {
    throw new WrongSecretKey(
      'SECRET_KEY (or secret.key in DATA_DIR) is not the key that this database was encrypted with: set it to that ' +
        'key; or, to rotate it, add that key to SECRET_KEYS_ACCEPTED; or, if it is lost, run `tenure secrets rotate --lost`.',
    );
  }
  if (missing.length > 0) {
    throw new WrongSecretKey(
      'SECRET_KEY is being rotated, and this process lacks one of the keys in use: add it to SECRET_KEYS_ACCEPTED; ' +
        'or, if the key is kept in DATA_DIR, put it back into secret.key from a backup, as a line below the first; ' +
        'or, if it is lost, run `tenure secrets rotate --lost` ' +
        `(fingerprint of the missing key: ${missing.join(', ')}).`,
    );
  }
}

async function opensOne(db: Db, secrets: SecretBox): Promise<boolean> {
  const [stored] = await store.pageOfBoxes(db, 'secret', null, 1);
  return stored === undefined || opening(secrets, stored) !== 'unreadable';
}

/** How many signing secrets this process's keys can read. */
export async function countSecrets(db: Db, secrets: SecretBox): Promise<Record<Opening, number>> {
  const counts = { current: 0, accepted: 0, unreadable: 0 };
  for await (const page of pages(db, 'secret', usualBatch)) {
    for (const stored of page) counts[opening(secrets, stored)] += 1;
  }
  return counts;
}

type Opening = 'current' | 'accepted' | 'unreadable';

function opening(secrets: SecretBox, { box }: StoredBox): Opening {
  try {
    return secrets.renew(box) === null ? 'current' : 'accepted';
  } catch {
    return 'unreadable';
  }
}

export interface Rotation {
  renewed: number;
  /** Ids (uuid) of the endpoints whose secrets none of the keys can read. */
  unreadableEndpoints: string[];
  unreadableAnswers: number;
  /** Authenticator apps whose secrets none of the keys can read. */
  unreadableApps: number;
  /** Whether another process still writes with another key. */
  disturbed: boolean;
}

/** If this many passes in a row find something to do, a process still writes with another key. */
const mostPasses = 5;
/** Work, and locks, for a few milliseconds. */
const usualBatch = 500;

/**
 * Encrypts everything with the current key. This is safe while other processes run, and after a crash: finished work is
 * only read the next time, and whatever others change in the meantime is left alone. When nothing is left to do, the
 * other keys are no longer noted as used.
 */
export async function rotateSecretKey(
  db: Db,
  secrets: SecretBox,
  { lost, now, batch = usualBatch }: { lost: boolean; now: Date; batch?: number },
): Promise<Rotation> {
  if (!lost) await checkSecretKeys(db, secrets, now);
  let renewed = 0;
  for (let passes = 1; ; passes++) {
    const pass = await renewAll(db, secrets, lost, batch);
    renewed += pass.renewed;
    // Repeat after any change, because a process with another key may have written rows that were already passed.
    if (pass.renewed > 0 && passes < mostPasses) continue;
    const disturbed = pass.renewed > 0;
    const complete = !disturbed && countUnreadable(pass) === 0;
    if (complete || lost) await settleOn(db, secrets, now);
    return { ...pass, renewed, disturbed };
  }
}

/** How much would be lost if there were no other keys than these. */
export const countUnreadable = (found: Omit<Rotation, 'disturbed'>): number =>
  found.unreadableEndpoints.length + found.unreadableAnswers + found.unreadableApps;

async function renewAll(
  db: Db,
  secrets: SecretBox,
  lost: boolean,
  batch: number,
): Promise<Omit<Rotation, 'disturbed'>> {
  const apps = await renewAppSecrets(db, secrets, { lost, batch });
  const result: Omit<Rotation, 'disturbed'> = {
    renewed: apps.renewed,
    unreadableEndpoints: [],
    unreadableAnswers: 0,
    unreadableApps: apps.unreadable,
  };
  for (const column of Object.keys(encryptedColumns) as EncryptedColumn[]) {
    for await (const page of pages(db, column, batch)) {
      const { renewed, unreadable } = renewPage(secrets, page);
      if (renewed.length > 0) await store.replaceBoxes(db, column, renewed);
      result.renewed += renewed.length;
      if (column === 'secret') result.unreadableEndpoints.push(...unreadable.map(({ key }) => key));
      if (column !== 'answer') continue;
      // For whoever repeats the request, an unreadable answer would be a 500.
      if (lost && unreadable.length > 0) await store.deleteAnswers(db, unreadable);
      result.unreadableAnswers += unreadable.length;
    }
  }
  return result;
}

function renewPage(secrets: SecretBox, page: readonly StoredBox[]) {
  const renewed: (StoredBox & { renewed: Buffer })[] = [];
  const unreadable: StoredBox[] = [];
  for (const stored of page) {
    try {
      const box = secrets.renew(stored.box);
      if (box !== null) renewed.push({ ...stored, renewed: box });
    } catch {
      unreadable.push(stored);
    }
  }
  return { renewed, unreadable };
}

async function* pages(db: Db, column: EncryptedColumn, batch: number): AsyncGenerator<StoredBox[]> {
  let after: StoredBox | null = null;
  for (;;) {
    const page: StoredBox[] = await store.pageOfBoxes(db, column, after, batch);
    if (page.length > 0) yield page;
    if (page.length < batch) return;
    after = page.at(-1) ?? null;
  }
}

function settleOn(db: Db, { fingerprints: [current] }: SecretBox, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    await store.lockKeys(tx);
    await store.registerKey(tx, current, now);
    await store.forgetOtherKeys(tx, current);
  });
}
