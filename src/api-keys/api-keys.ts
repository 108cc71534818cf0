import { randomInt, hash as sha } from 'node:crypto';
import { audit, type Doer } from '../audit/audit.ts';
import { modeOf, operator } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { conflict } from '../errors.ts';
import { formatId, idTime, inRealTime, newId } from '../ids.ts';
import type { KeyScope } from './api-keys.schema.ts';
import * as store from './api-keys.store.ts';

export { hasKeys, listKeys, type StoredKey } from './api-keys.store.ts';

/** The prefix says which records a key reaches. Both are equally long. */
const keyPrefix = { live: 'svc_live_', test: 'svc_test_' };
/** 43 characters of 62 carry 256 bits. */
const randomCharacters = 43;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyPattern = new RegExp(`^(${keyPrefix.live}|${keyPrefix.test})[0-9A-Za-z]{${randomCharacters}}$`);
const shownCharacters = keyPrefix.live.length + 6;

interface KeyRequest {
  accountId: string;
  /** Who makes the key. Default: the command line. */
  by?: Pick<Doer, 'actor' | 'address'>;
  name: string;
  permission: 'read' | 'write';
  expiresAt: Date | null;
  scopes?: KeyScope[] | null;
  allowedAddresses?: string[] | null;
  /** How many live keys the account may have. Default: any number. */
  most?: number;
}

/** Makes a key. Its plaintext is in the result and nowhere else, because only its hash is stored. */
export async function createKey(
  db: Db,
  { by = { actor: operator }, scopes = null, allowedAddresses = null, ...request }: KeyRequest,
): Promise<{ id: string; key: string; json: string }> {
  const key =
    keyPrefix[modeOf(request.accountId)] +
    Array.from({ length: randomCharacters }, () => alphabet[randomInt(alphabet.length)]).join('');
  // Keys expire in real time, even in test mode.
  const id = inRealTime(newId);
  const row = {
    ...request,
    scopes,
    allowedAddresses,
    createdBy: by.actor.type === 'person' ? by.actor.id : null,
    id,
    hash: hashOf(key),
    prefix: key.slice(0, shownCharacters),
    createdAt: idTime(id),
  };
  const json = await db.transaction(async (tx) => {
    if (request.most !== undefined) await refuseMoreThan(request.most, tx, request.accountId);
    await audit(tx, { ...by, accountId: request.accountId }, 'key.created', {
      subject: request.name,
      changes: mayDo(row),
    });
    return store.insertKey(tx, row);
  });
  return { id, key, json };
}

/** What the key may do, as the list of keys shows it. The audit log keeps it, because the key may be gone later. */
function mayDo({ permission, scopes, allowedAddresses, expiresAt }: KeyRequest) {
  const fields = { permission, scopes, allowed_addresses: allowedAddresses, expires_at: expiresAt };
  return Object.entries(fields).flatMap(([field, to]) => (to ? { field, from: null, to } : []));
}

async function refuseMoreThan(most: number, tx: Db, accountId: string): Promise<void> {
  if ((await store.countLiveKeysForCreate(tx, accountId)) >= most)
    throw conflict(
      'limit_reached',
      `An account has at most ${most} API keys; revoke one that is no longer used.`,
    );
}

/** The live keys of a person who leaves. They keep working unless `revokedAt` is set. */
export async function leaveKeys(
  tx: Db,
  doer: Doer,
  userId: string,
  revokedAt: Date | null,
): Promise<{ id: string; name: string; revoked: boolean }[]> {
  const keys = await store.keysMadeBy(tx, doer.accountId, userId, revokedAt);
  if (revokedAt !== null)
    for (const { name } of keys) await audit(tx, doer, 'key.revoked', { subject: name });
  return keys.map(({ id, name }) => ({ id: formatId('key', id), name, revoked: revokedAt !== null }));
}

/** Revokes a key of the account; the command line may revoke any. Returns false if there is no such key. */
export const revokeKey = (
  db: Db,
  by: Pick<Doer, 'actor' | 'address'> & { accountId: string | null },
  id: string,
  now: Date,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const revoked = await store.revokeKey(tx, by.accountId, id, now);
    if (revoked === null) return false;
    const { account_id: accountId, name: subject } = revoked;
    await audit(tx, { ...by, accountId }, 'key.revoked', { subject });
    return true;
  });

export const looksLikeKey = (text: string): boolean => keyPattern.test(text);

/** Whether the text claims to be a test key, valid or not. */
export const looksLikeTestKey = (text: string): boolean => text.startsWith(keyPrefix.test);

/** Requests use the hash as base64, because making a buffer takes longer than hashing. */
const hashOf = (key: string): Buffer => Buffer.from(hashTextOf(key), 'base64');
export const hashTextOf = (key: string): string => sha('sha256', key, 'base64');
