import { createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { findAccount, getAccount } from '../accounts/accounts.ts';
import { audit } from '../audit/audit.ts';
import { type Caller, operator } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { AppError } from '../errors.ts';
import { parseId } from '../ids.ts';
import { eraseTenant } from '../privacy/erase-tenant.ts';
import { zipTenant } from '../privacy/tenant-export.ts';
import { secretKeysFor } from '../secret-keys/secret-keys.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { print, withDatabase } from './command.ts';

interface TenantOptions {
  account: string;
  json?: boolean;
}

export async function tenantsExport(
  id: string,
  file: string,
  { account, json }: TenantOptions,
): Promise<void> {
  await withDatabase(async (db) => {
    const caller = await operatorOf(db, account);
    const zip = await named(id, (tenantId) => zipTenant(db, caller, tenantId, new Date()));
    // Only the file's owner may read it, and an existing file is never overwritten.
    const out = createWriteStream(file, { flags: 'wx', mode: 0o600 });
    await pipeline(zip, out).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') await unlink(file).catch(() => undefined);
      throw error;
    });
    await audit(db, caller, 'export.downloaded', { subject: `/tenants/${id}/export` });
  });
  print(json, { id, file }, [
    `Everything kept about ${id} is in ${file}. Keep it as safe as the data itself.`,
  ]);
}

export async function tenantsErase(id: string, { account, json }: TenantOptions): Promise<void> {
  await withDatabase(async (db, config) => {
    const caller = await operatorOf(db, account);
    const now = new Date();
    const { current, accepted } = await secretKeysFor(db, config, now);
    const secrets = createSecretBox(current, accepted);
    await named(id, (tenantId) => eraseTenant(db, secrets, caller, tenantId, now));
  });
  print(json, { id, erased: true }, [
    `${id} is erased. Backups made before still have their data: delete them, or let them expire.`,
  ]);
}

/** Whoever operates the installation may do everything, in any account. */
async function operatorOf(db: Db, account: string): Promise<Caller> {
  const { id: accountId } = await findAccount(db, account);
  const { currency, time_zone: timeZone } = JSON.parse(await getAccount(db, accountId)) as {
    currency: string;
    time_zone: string;
  };
  return { accountId, currency, timeZone, permission: 'write', source: 'api', actor: operator };
}

async function named<Result>(id: string, work: (tenantId: string) => Promise<Result>): Promise<Result> {
  const unknown = new Error(`The account has no tenant ${id}.`);
  const tenantId = parseId('ten', id);
  if (tenantId === null) throw unknown;
  return work(tenantId).catch((error) => {
    throw error instanceof AppError && error.status === 404 ? unknown : error;
  });
}
