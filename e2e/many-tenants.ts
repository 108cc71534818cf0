import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/open.ts';
import { sql } from '../src/db/sql.ts';
import { newId, parseId } from '../src/ids.ts';
import { createLog } from '../src/log.ts';

/** Puts many tenants into an account, past the API, which would take minutes: Tenant 00000, Tenant 00001, … */
export async function addManyTenants(dataDir: string, accountId: string, count: number): Promise<void> {
  const config = loadConfig({ DATA_DIR: dataDir }, '/nonexistent');
  const { db, close } = await openDatabase(config, createLog('silent'), 'command');
  const ids = Array.from({ length: count }, newId);
  const names = ids.map((_, number) => String(number).padStart(5, '0'));
  try {
    await db.query(sql`
      insert into tenants (account_id, id, first_name, last_name, created_at, updated_at)
      select ${parseId('acct', accountId)}::uuid, id, 'Tenant', name, now(), now()
      from unnest(${ids}::uuid[], ${names}::text[]) as made (id, name)`);
  } finally {
    await close();
  }
}
