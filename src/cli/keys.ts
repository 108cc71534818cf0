import { findAccount } from '../accounts/accounts.ts';
import { ApiKeyCreate } from '../api-keys/api-keys.schema.ts';
import { createKey, listKeys, revokeKey } from '../api-keys/api-keys.ts';
import { operator } from '../caller.ts';
import { days, hours, minutes } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { formatId, parseId } from '../ids.ts';
import { testAccountOf } from '../test-mode/test-accounts.ts';
import { checkName, print, withDatabase } from './command.ts';
import { visible } from './visible.ts';

interface CreateOptions {
  account: string;
  name: string;
  permission: 'read' | 'write';
  expiresIn?: string;
  scopes?: string;
  addresses?: string;
  test?: boolean;
  json?: boolean;
}

export async function keysCreate({
  account,
  name,
  permission,
  expiresIn,
  scopes,
  addresses,
  test,
  json,
}: CreateOptions): Promise<void> {
  checkName(name);
  const expiresAt = expiresIn === undefined ? null : new Date(Date.now() + durationMs(expiresIn));
  const limits = readLimits(scopes, addresses);
  const { id, key } = await withDatabase(async (db, config) => {
    const accountId = await accountOf(db, account, test);
    return createKey(db, {
      accountId,
      by: { actor: operator },
      name: name.trim(),
      permission,
      expiresAt,
      ...limits,
      most: config.API_KEYS_PER_ACCOUNT,
    });
  });
  const result = { id: formatId('key', id), key, permission };
  print(json, result, [
    `Key  ${key}`,
    `     ${result.id}, may ${permission}${expiresAt ? `, expires ${expiresAt.toISOString()}` : ''}. It is shown here only: keep it.`,
  ]);
}

/** The named account, or its test account. */
async function accountOf(db: Db, named: string, test = false): Promise<string> {
  const { id } = await findAccount(db, named);
  return test ? (await testAccountOf(db, id, new Date())).accountId : id;
}

/** The limits of a key, from comma-separated lists. */
function readLimits(scopes: string | undefined, addresses: string | undefined) {
  const listed = (text: string | undefined) => text?.split(',').map((part) => part.trim()) ?? null;
  const given = { scopes: listed(scopes), allowed_addresses: listed(addresses) };
  const { data, error } = KeyLimits.safeParse(given);
  const [issue] = error?.issues ?? [];
  if (issue) throw new Error(`${issue.path[0] === 'scopes' ? '--scopes' : '--addresses'}: ${issue.message}`);
  return { scopes: data?.scopes ?? null, allowedAddresses: data?.allowed_addresses ?? null };
}

const KeyLimits = ApiKeyCreate.pick({ scopes: true, allowed_addresses: true });

const unitMs: Record<string, number> = {
  m: minutes(1),
  h: hours(1),
  d: days(1),
  w: days(7),
  y: days(365),
};

function durationMs(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdwy])$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs[unit] ?? 0);
  if (ms === 0 || ms > days(100 * 365))
    throw new Error(`--expires-in must be a time such as 12h, 30d or 1y; it is ${JSON.stringify(text)}.`);
  return ms;
}

interface ShownKey {
  id: string;
  name: string;
  permission: string;
  prefix: string;
  status: string;
  last_used_at: string | null;
}

interface ListOptions {
  account: string;
  test?: boolean;
  json?: boolean;
}

export async function keysList({ account, test, json }: ListOptions): Promise<void> {
  const data = await withDatabase(async (db) => {
    const accountId = await accountOf(db, account, test);
    return JSON.parse(await listKeys(db, accountId)) as ShownKey[];
  });
  const lines = data.map((key) =>
    [
      key.id,
      `${key.prefix}…`,
      key.permission.padEnd(5),
      key.status.padEnd(7),
      key.last_used_at ?? 'never used',
      visible(key.name),
    ].join('  '),
  );
  print(json, { data, count: data.length }, lines.length > 0 ? lines : ['The account has no API keys yet.']);
}

export async function keysRevoke(id: string, { json }: { json?: boolean }): Promise<void> {
  const uuid = parseId('key', id);
  const revoked =
    uuid !== null &&
    (await withDatabase((db) => revokeKey(db, { accountId: null, actor: operator }, uuid, new Date())));
  if (!revoked) throw new Error(`There is no key ${id}. \`tenure keys list\` shows the ids.`);
  print(json, { id, revoked: true }, [`${id} is revoked; it stops working everywhere within a second.`]);
}
