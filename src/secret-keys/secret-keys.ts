import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { readSecretKeys, type SecretKeys } from './key-file.ts';
import * as store from './secret-keys.store.ts';
import { type PlaceName, places, type StoredBox } from './secret-keys.store.ts';

/** The keys of this process do not fit the database. The message says what to do. */
export class WrongSecretKey extends Error {}

/** The keys of this process, for this database: see readSecretKeys(). */
export const secretKeysFor = async (
  db: Db,
  config: Config,
  now: Date,
  options: { lost?: boolean } = {},
): Promise<SecretKeys> => readSecretKeys(config, now, await keysInUse(db), options);

/** Fingerprints of the keys that something in the database may be encrypted with. */
export const keysInUse = (db: Db): Promise<string[]> => store.registeredKeys(db);

/**
 * Refuses to go on with keys that cannot read what is in the database, and notes the current one as used. Whoever
 * has mixed up SECRET_KEY is told at the start, in a sentence, and not by deliveries that fail later.
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
  // A database from before keys were noted: one of its secrets tells.
  const fits = registered.length > 0 ? missing.length < registered.length : await opensOne(db, secrets);
  if (!fits) {
    throw new WrongSecretKey(
      'SECRET_KEY (or secret.key in DATA_DIR) is not the key that this database was encrypted with: set it to that ' +
        'one; or, to rotate it, name that one in SECRET_KEYS_ACCEPTED; or, if it is lost, run `tenure secrets rotate --lost`.',
    );
  }
  if (missing.length > 0) {
    throw new WrongSecretKey(
      'SECRET_KEY is being rotated, and this process lacks one of the keys in use: name it in SECRET_KEYS_ACCEPTED; ' +
        'or, where the key is kept in DATA_DIR, put it back into secret.key from a backup, as a line below the first; ' +
        'or, if it is lost, run `tenure secrets rotate --lost` ' +
        `(keys are told apart by fingerprints; missing is ${missing.join(', ')}).`,
    );
  }
}

async function opensOne(db: Db, secrets: SecretBox): Promise<boolean> {
  const [stored] = await store.pageOfBoxes(db, 'secret', null, 1);
  return stored === undefined || opening(secrets, stored) !== 'unreadable';
}

/** What the keys of this process can do with the signing secrets of all endpoints. */
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
  /** Ids of the endpoints (uuid) whose secrets none of the keys can read. */
  unreadableEndpoints: string[];
  unreadableAnswers: number;
  /** Another process goes on writing with another key. */
  disturbed: boolean;
}

/** As many passes in a row only find something to do where a process still writes with another key. */
const mostPasses = 5;
/** A few milliseconds of work, and of locks. */
const usualBatch = 500;

/**
 * Encrypts everything with the current key. Safe beside running processes and after a crash: what is done is
 * only read the next time, and what others change meanwhile is theirs. When nothing is left, the other keys are
 * no longer noted as used.
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
    // Once more after any change: a process that writes with another key may have done so behind us.
    if (pass.renewed > 0 && passes < mostPasses) continue;
    const disturbed = pass.renewed > 0;
    const complete = !disturbed && pass.unreadableEndpoints.length + pass.unreadableAnswers === 0;
    if (complete || lost) await settleOn(db, secrets, now);
    return { ...pass, renewed, disturbed };
  }
}

async function renewAll(
  db: Db,
  secrets: SecretBox,
  lost: boolean,
  batch: number,
): Promise<Omit<Rotation, 'disturbed'>> {
  const result: Omit<Rotation, 'disturbed'> = { renewed: 0, unreadableEndpoints: [], unreadableAnswers: 0 };
  for (const place of Object.keys(places) as PlaceName[]) {
    for await (const page of pages(db, place, batch)) {
      const { renewed, unreadable } = renewPage(secrets, page);
      if (renewed.length > 0) await store.replaceBoxes(db, place, renewed);
      result.renewed += renewed.length;
      if (place === 'secret') result.unreadableEndpoints.push(...unreadable.map(({ key }) => key));
      if (place !== 'answer') continue;
      // An answer that nobody can read would be a fault for whoever repeats the request.
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

async function* pages(db: Db, place: PlaceName, batch: number): AsyncGenerator<StoredBox[]> {
  let after: StoredBox | null = null;
  for (;;) {
    const page: StoredBox[] = await store.pageOfBoxes(db, place, after, batch);
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
