import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../test/support/process.ts';
import { make } from '../../test/support/records.ts';
import { testService } from '../../test/support/service.ts';
import { connect } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { parseId } from '../ids.ts';
import { createFreshener } from './keep-fresh.ts';

test('an account whose leases are locked does not keep the others from being recalculated', async () => {
  const service = await testService();
  onTestFinished(() => service.close());
  const { db } = service.database;
  const clients = [await service.client(), await service.client(), await service.client()];
  const leases = await Promise.all(clients.map((client) => make.lease(client)));
  for (const [n, lease] of leases.entries())
    await clients[n]?.post('/payments', { tenant_id: lease.tenant_ids[0], amount_cents: 100 });
  const marked = async () =>
    (await db.query<{ id: string }>(sql`select distinct account_id as id from ledger_changes`)).map(
      ({ id }) => id,
    );
  expect(await marked()).toHaveLength(3);

  const busy = await db.connect();
  await busy.query('begin');
  const lease = [clients[0]?.accountId, parseId('lease', leases[0].id)];
  await busy.query('select from leases where account_id = $1 and id = $2 for update', lease);
  // It waits for a lock for less than a second.
  const connection = service.database.connection;
  const impatient = connect({ connection, poolSize: 2, timeoutMs: 3_000, onError: () => undefined });
  onTestFinished(() => impatient.close());
  const freshener = createFreshener(Object.create(service.app, { db: { value: impatient } }));
  freshener.start();
  await until(async () => (await marked()).join() === clients[0]?.accountId);
  await busy.query('rollback');
  busy.release();
  await until(async () => (await marked()).length === 0);
  await freshener.stop();
});
