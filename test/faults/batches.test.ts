import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { newId } from '../../src/ids.ts';
import { countLockWaits } from '../support/database.ts';
import { freePort, ready, spawnServer, until } from '../support/process.ts';
import { eventsOf } from '../support/records.ts';
import { testService } from '../support/service.ts';
import { thorough } from '../support/thorough.ts';

test.runIf(thorough)(
  'a batch whose process is killed in the middle is finished by a repeat, with nothing twice',
  async () => {
    const service = await testService();
    onTestFinished(() => service.close());
    const client = await service.client();
    const api = spawnServer(
      {
        DATABASE_URL: service.database.url,
        SECRET_KEY: service.secretKey,
        DATABASE_TIMEOUT_MS: '60000',
        PORT: String(await freePort()),
      },
      'api',
    );
    onTestFinished(() => api.kill('SIGKILL'));
    await ready(api);

    // Somebody else is about to take the external_id of an item in the third step, so the batch waits there.
    const holder = new pg.Client(service.database.connection);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('begin');
    await holder.query(
      `insert into tenants (account_id, id, first_name, last_name, external_id, created_at, updated_at)
     values ($1, $2, 'Ada', 'Okafor', 'crm-120', now(), now())`,
      [client.accountId, newId()],
    );

    const items = Array.from({ length: 180 }, (_, n) => ({
      first_name: 'Ada',
      last_name: 'Okafor',
      external_id: `crm-${n}`,
    }));
    const headers = { authorization: `Bearer ${client.key}`, 'idempotency-key': 'night' };
    const lost = fetch(`${api.url}/api/v1/tenants/batch`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ items }),
    }).then(
      ({ status }) => status,
      () => 'no answer',
    );
    await until(async () => (await countLockWaits(service.database.db)) > 0);
    api.kill('SIGKILL');
    await api.ended;
    expect(await lost).toBe('no answer');
    await holder.query('rollback');

    const count = async () => {
      const [row] = await service.database.db.query<{ count: number }>(
        sql`select count(*)::integer from tenants where account_id = ${client.accountId}`,
      );
      return row?.count;
    };
    expect(await count()).toBe(100);

    const again = await client.post('/tenants/batch', { items }, { 'idempotency-key': 'night' });
    expect(again.body.data).toMatchObject({ created: 180, failed: 0 });
    expect(again.body.data.results.map((each: { data: object }) => each.data)).toMatchObject(items);
    expect(await count()).toBe(180);
    expect(await eventsOf(service, client)).toHaveLength(180);
  },
);
