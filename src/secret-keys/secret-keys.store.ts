import type { Db } from '../db/connect.ts';
import { literal, raw, type Sql, sql } from '../db/sql.ts';

/** Every column that is encrypted with SECRET_KEY. */
export const encryptedColumns = {
  secret: { table: 'webhook_endpoints', key: 'id', keyType: 'uuid', column: 'secret' },
  previousSecret: { table: 'webhook_endpoints', key: 'id', keyType: 'uuid', column: 'previous_secret' },
  answer: { table: 'idempotency_keys', key: 'key', keyType: 'text', column: 'body' },
} as const;
export type EncryptedColumn = keyof typeof encryptedColumns;

export interface StoredBox {
  account_id: string;
  /** Identifies the row within its account. */
  key: string;
  box: Buffer;
}

const nilUuid = '00000000-0000-0000-0000-000000000000';

/** The next boxes of all accounts, after the last one seen. */
export function pageOfBoxes(
  db: Db,
  name: EncryptedColumn,
  after: Omit<StoredBox, 'box'> | null,
  limit: number,
): Promise<StoredBox[]> {
  const { table, key, keyType, column } = text(name);
  const first = { account_id: nilUuid, key: encryptedColumns[name].keyType === 'uuid' ? nilUuid : '' };
  const from = after ?? first;
  return db.query<StoredBox>(sql`/* across accounts */
    select account_id, ${key}::text as key, ${column} as box from ${table}
    where (account_id, ${key}) > (${from.account_id}::uuid, ${from.key}::${keyType}) and ${column} is not null
    order by account_id, ${key} limit ${literal(limit)}`);
}

/** Replaces boxes, except those that somebody else has changed since. */
export async function replaceBoxes(
  db: Db,
  name: EncryptedColumn,
  boxes: readonly (StoredBox & { renewed: Buffer })[],
): Promise<void> {
  const { table, key, keyType, column } = text(name);
  for (const [accountId, own] of byAccount(boxes))
    await db.query(sql`
      update ${table} t set ${column} = n.renewed
      from unnest(${own.map((each) => each.key)}::text[], ${own.map((each) => each.box)}::bytea[],
        ${own.map((each) => each.renewed)}::bytea[]) n(key, box, renewed)
      where t.account_id = ${accountId} and t.${key} = n.key::${keyType} and t.${column} = n.box`);
}

export async function deleteAnswers(db: Db, answers: readonly StoredBox[]): Promise<void> {
  for (const [accountId, own] of byAccount(answers))
    await db.query(sql`
      delete from idempotency_keys
      where account_id = ${accountId} and key = any(${own.map((each) => each.key)}::text[])`);
}

const byAccount = <Box extends StoredBox>(boxes: readonly Box[]): Map<string, Box[]> =>
  Map.groupBy(boxes, ({ account_id }) => account_id);

function text(name: EncryptedColumn): Record<'table' | 'key' | 'keyType' | 'column', Sql> {
  const { table, key, keyType, column } = encryptedColumns[name];
  return { table: raw(table), key: raw(key), keyType: raw(keyType), column: raw(column) };
}

/** Processes that start at the same time with different keys must see each other. */
export async function lockKeys(tx: Db): Promise<void> {
  await tx.query(sql`lock table secret_keys in share row exclusive mode`);
}

/** Fingerprints of the keys that may encrypt something in the database. */
export async function registeredKeys(db: Db): Promise<string[]> {
  const rows = await db.query<{ fingerprint: string }>(
    sql`select fingerprint from secret_keys order by first_used_at, fingerprint`,
  );
  return rows.map(({ fingerprint }) => fingerprint);
}

export async function registerKey(tx: Db, fingerprint: string, now: Date): Promise<void> {
  await tx.query(
    sql`insert into secret_keys (fingerprint, first_used_at) values (${fingerprint}, ${now}) on conflict do nothing`,
  );
}

export async function forgetOtherKeys(tx: Db, fingerprint: string): Promise<void> {
  await tx.query(sql`delete from secret_keys where fingerprint <> ${fingerprint}`);
}
