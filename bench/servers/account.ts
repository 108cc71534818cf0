import { formatId } from '../../src/ids.ts';
import { createSecretBox } from '../../src/secrets/secret-box.ts';
import { probes } from '../../test/support/many-records.ts';
import { fillAccount, keyOf, openDatabase, type TenureDatabase } from '../lib/database.ts';
import type { BenchDatabase } from '../lib/postgres.ts';
import { secretKey } from '../lib/tenure.ts';

export const seededPayments = 10_000;

interface Account extends TenureDatabase {
  key: string;
  /** Payments to record, one a line. */
  bodies: string;
}

/** An account of 2,000 tenants with their leases and 10,000 payments, and one endpoint that subscribes to new ones. */
export async function openAccount(made: BenchDatabase): Promise<Account> {
  const database = await openDatabase(made);
  const { db, client } = database;
  await fillAccount(client, { payments: seededPayments });
  const secret = createSecretBox(secretKey).encrypt('whsec_bench');
  await client.query('update webhook_endpoints set secret = $1', [secret]);
  const { rows } = await client.query<{ id: string }>('select id from tenants order by id limit 200');
  const bodies = rows.map(({ id }, n) => JSON.stringify(paymentOf(id, n))).join('\n');
  return { ...database, key: await keyOf(db, probes.account), bodies };
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
