/*
 * What writing history costs a create: the statement that creates a record, as the service makes it, beside the same one
 * without its history, in turn, on one connection.
 *
 *   npm run bench -- compare history .
 */
import type { Actor } from '../../src/caller.ts';
import { newRow } from '../../src/db/records/columns.ts';
import { insertRows } from '../../src/db/records/rows.ts';
import { recordOne } from '../../src/events/record.ts';
import { tenants } from '../../src/tenants/tenants.columns.ts';
import { tenantShape } from '../../src/tenants/tenants.store.ts';
import { probes } from '../../test/support/many-records.ts';
import { watchCpu } from '../lib/cpu.ts';
import { fillAccount, openDatabase } from '../lib/database.ts';
import { openPostgres } from '../lib/postgres.ts';
import { compare, quick } from './comparison.ts';

const creates = quick ? 20 : 2_000;
const accountId = probes.account;
let created = 0;
const actor: Actor = { type: 'key', id: probes.we, name: 'bench' };

await using postgres = await openPostgres('history');
await using database = await openDatabase(await postgres.createDatabase('history'), 1);
await fillAccount(database.client, { payments: 10_000, events: 100_000 });
await compare('Create a tenant', [contender('without history', false), contender('with history', true)]);

function contender(name: string, isRemembered: boolean) {
  return {
    name,
    async measure() {
      await postgres.settle();
      const cpu = watchCpu({ postgres: [postgres.pid] });
      const began = performance.now();
      for (let each = 0; each < creates; each++) await create(isRemembered);
      const perSecond = creates / ((performance.now() - began) / 1000);
      return { perSecond, postgresUs: cpu(creates).postgres };
    },
  };
}

function create(isRemembered: boolean): Promise<string> {
  const n = ++created;
  const tenant = { first_name: 'Grace', last_name: `Hopper ${n}`, email: `grace${n}@example.com` };
  const row = newRow(tenants, { ...tenant, phone: `+1 555-${n}` });
  return recordOne(database.db, {
    accountId,
    actor,
    shape: tenantShape(accountId, '2026-11-01'),
    rows: insertRows(tenants, accountId, [row]),
    events: ['tenant.created'],
    isRemembered,
  });
}
