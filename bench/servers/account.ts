import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createKey } from '../../src/api-keys/api-keys.ts';
import { operator } from '../../src/caller.ts';
import { connect, type Database } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { formatId } from '../../src/ids.ts';
import { createSecretBox } from '../../src/secrets/secret-box.ts';
import { makeManyRecords, probes } from '../../test/support/many-records.ts';
import type { BenchDatabase } from '../lib/postgres.ts';
import { secretKey } from '../lib/tenure.ts';

export const seededPayments = 10_000;

export interface Account {
  db: Database;
  key: string;
  /** A file of payments to record, one a line. */
  bodies: string;
}

/**
 * An account of 2,000 tenants with their leases and 10,000 payments, and one endpoint that wants to hear of new ones.
 */
export async function prepareAccount({ connection }: BenchDatabase, folder: string): Promise<Account> {
  const db = connect({ connection, poolSize: 2, onError: console.error });
  await migrate(db);
  const client = new pg.Client(connection);
  await client.connect();
  const few = {
    charges: 100,
    maintenance: 100,
    events: 100,
    deliveries: 100,
    queued: 0,
    accounts: 1,
    endpoints: 1,
  };
  await makeManyRecords(client, { payments: seededPayments, ...few });
  const secret = createSecretBox(secretKey).encrypt('whsec_bench');
  await client.query('update webhook_endpoints set secret = $1', [secret]);
  const { rows } = await client.query<{ id: string }>('select id from tenants order by id limit 200');
  await client.end();
  const by = { actor: operator };
  const holder = {
    accountId: probes.account,
    by,
    name: 'bench',
    permission: 'write' as const,
    expiresAt: null,
  };
  const { key } = await createKey(db, holder);
  const bodies = join(folder, 'payments.jsonl');
  const lines = rows.map(({ id }, n) => JSON.stringify(paymentOf(id, n)));
  writeFileSync(bodies, `${lines.join('\n')}\n`);
  return { db, key, bodies };
}

const paymentOf = (tenantId: string, n: number): object => ({
  tenant_id: formatId('ten', tenantId),
  amount_cents: 125_000 + n,
  paid_on: '2026-10-03',
  method: 'bank_transfer',
  period: '2026-10',
  reference: `CHK-${1000 + n}`,
  memo: 'Rent for October',
});
