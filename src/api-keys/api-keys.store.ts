import { lockAccount } from '../db/account-lock.ts';
import type { Db } from '../db/connect.ts';
import { publicId, timestamp } from '../db/records/json.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { KeyScope } from './api-keys.schema.ts';

export interface StoredKey {
  id: string;
  account_id: string;
  name: string;
  currency: string;
  time_zone: string;
  permission: 'read' | 'write';
  expires_at: string | null;
  scopes: KeyScope[] | null;
  allowed_addresses: string[] | null;
}

interface NewKey {
  id: string;
  accountId: string;
  name: string;
  permission: 'read' | 'write';
  hash: Buffer;
  prefix: string;
  expiresAt: Date | null;
  scopes: KeyScope[] | null;
  allowedAddresses: string[] | null;
  /** Null: the command line. */
  createdBy: string | null;
  createdAt: Date;
}

/** What may be shown of a key: everything except its hash. */
const shown: Sql = sql`select json_build_object('id', ${publicId('key', 'k.id')}, 'name', k.name,
  'permission', k.permission, 'prefix', k.prefix, 'status',
  case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end,
  'expires_at', ${timestamp('k.expires_at')}, 'revoked_at', ${timestamp('k.revoked_at')},
  'last_used_at', ${timestamp('k.last_used_at')}, 'scopes', k.scopes, 'allowed_addresses', k.allowed_addresses,
  'created_by', (select json_build_object('id', ${publicId('usr', 'u.id')}, 'name', u.name) from users u where u.id = k.created_by),
  'created_at', ${timestamp('k.created_at')}) as json`;

export async function insertKey(db: Db, key: NewKey): Promise<string> {
  const [row] = await db.query<{ json: string }>(sql`
    with k as (
      insert into api_keys (id, account_id, name, permission, hash, prefix, expires_at, scopes, allowed_addresses,
        created_by, created_at)
      values (${key.id}, ${key.accountId}, ${key.name}, ${key.permission}, ${key.hash}, ${key.prefix},
        ${key.expiresAt}, ${key.scopes}, ${key.allowedAddresses}, ${key.createdBy}, ${key.createdAt})
      returning *)
    select json::text from (${shown} from k) shown`);
  return row?.json ?? '';
}

/** Locks the account, so that two keys made at once cannot both be the last one allowed. */
export async function countLiveKeysForCreate(tx: Db, accountId: string): Promise<number> {
  await lockAccount(tx, accountId);
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::integer as count from api_keys
    where account_id = ${accountId} and revoked_at is null and (expires_at is null or expires_at > now())`);
  return row?.count ?? 0;
}

export async function findKeyByHash(db: Db, hash: Buffer): Promise<StoredKey | null> {
  const [row] = await db.query<StoredKey>(sql`
    select k.id, k.account_id, k.name, a.currency, a.time_zone, k.permission, ${timestamp('k.expires_at')} as expires_at,
      k.scopes, k.allowed_addresses
    from api_keys k join accounts a on a.id = k.account_id
    where k.hash = ${hash} and k.revoked_at is null and a.closed_at is null`);
  return row ?? null;
}

/** JSON array, newest first. */
export async function listKeys(db: Db, accountId: string): Promise<string> {
  const [row] = await db.query<{ json: string }>(sql`
    select coalesce(json_agg(json), '[]')::text as json
    from (${shown} from api_keys k where k.account_id = ${accountId} order by k.id desc) keys`);
  return row?.json ?? '[]';
}

export async function revokeKey(
  db: Db,
  accountId: string | null,
  id: string,
  now: Date,
): Promise<{ account_id: string; name: string } | null> {
  const [row] = await db.query<{ account_id: string; name: string }>(sql`
    update api_keys set revoked_at = coalesce(revoked_at, ${now})
    where id = ${id} and (${accountId}::uuid is null or account_id = ${accountId}) returning account_id, name`);
  return row ?? null;
}

/** Whether all of these keys, revoked or not, are the account's. */
export async function hasKeys(db: Db, accountId: string, ids: string[]): Promise<boolean> {
  const rows = await db.query(
    sql`select id from api_keys where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
  return rows.length === ids.length;
}

/** The live keys that a person made, including those for test mode. Revokes them if `revokedAt` is set. */
export async function keysMadeBy(
  tx: Db,
  accountId: string,
  userId: string,
  revokedAt: Date | null,
): Promise<{ id: string; name: string }[]> {
  const theirs = sql`account_id in (select id from accounts where id = ${accountId} or test_of = ${accountId}) and created_by = ${userId} and revoked_at is null`;
  return revokedAt === null
    ? tx.query(sql`select id, name from api_keys where ${theirs} order by id`)
    : tx.query(sql`update api_keys set revoked_at = ${revokedAt} where ${theirs} returning id, name`);
}

/** One statement for all keys used since the last call. A key is written at most once a minute. */
export async function touchKeys(db: Db, ids: string[], now: Date): Promise<void> {
  await db.query(sql`
    update api_keys set last_used_at = ${now}
    where id = any(${ids}::uuid[])
      and (last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute')`);
}
