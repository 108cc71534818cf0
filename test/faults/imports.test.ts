import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { newId, parseId } from '../../src/ids.ts';
import { importNextFile } from '../../src/imports/queue/importer.ts';
import { countLockWaits } from '../support/database.ts';
import { freePort, ready, spawnServer, until } from '../support/process.ts';
import { eventsOf } from '../support/records.ts';
import { testService } from '../support/service.ts';
import { thorough } from '../support/thorough.ts';

test.runIf(thorough)(
  'an import whose process is killed in the middle is done once, by another process',
  async () => {
    const service = await testService();
    onTestFinished(() => service.close());
    const client = await service.client();
    // Somebody else is about to take the external_id of a row in the third step, so the import waits there.
    const holder = new pg.Client(service.database.connection);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('begin');
    await holder.query(
      `insert into tenants (account_id, id, first_name, last_name, external_id, created_at, updated_at)
     values ($1, $2, 'Ada', 'Okafor', 't-1100', now(), now())`,
      [client.accountId, newId()],
    );

    const rows = Array.from({ length: 1300 }, (_, n) => `Ada,Okafor,t-${n}`);
    const file = ['First name,Last name,external_id', ...rows].join('\n');
    const sent = await client.post('/imports', { kind: 'tenants', file });
    expect(sent.status).toBe(201);
    const { id } = sent.body.data;
    const read = async () => (await client.get(`/imports/${id}`)).body.data;
    const count = async () => {
      const [row] = await service.database.db.query<{ count: number }>(
        sql`select count(*)::integer from tenants where account_id = ${client.accountId}`,
      );
      return row?.count;
    };

    const server = spawnServer({
      DATABASE_URL: service.database.url,
      SECRET_KEY: service.secretKey,
      DATABASE_TIMEOUT_MS: '60000',
      PORT: String(await freePort()),
    });
    onTestFinished(() => server.kill('SIGKILL'));
    await ready(server);
    const waiting = async () => (await countLockWaits(service.database.db)) > 0;
    await until(waiting);
    server.kill('SIGKILL');
    await server.ended;
    await holder.query('rollback');
    await until(async () => !(await waiting()));

    // Nobody knows yet that its worker is gone, and none of its changes can be seen.
    expect(await read()).toMatchObject({ state: 'running', create: 0, finished_at: null });
    expect(await count()).toBe(0);
    const work = () => importNextFile(service.app, new AbortController().signal);
    expect(await work()).toBe(false);

    // A minute later, the next worker that looks takes it over.
    const expire = () =>
      service.database.db.query(
        sql`update imports set claimed_until = now() where account_id = ${client.accountId} and id = ${parseId('imp', id)}`,
      );
    await until(async () => {
      await expire();
      await work();
      return (await read()).state === 'applied';
    });
    expect(await read()).toMatchObject({ rows: 1300, rows_done: 1300, create: 1300, error_count: 0 });
    expect(await count()).toBe(1300);
    expect(await eventsOf(service, client)).toHaveLength(1300);
    expect(await work()).toBe(false);
    expect(await count()).toBe(1300);
  },
);
