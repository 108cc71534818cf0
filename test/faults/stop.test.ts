import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { localTargets } from '../support/installation.ts';
import { type ServerProcess, until } from '../support/process.ts';
import { hang, startReceiver } from '../support/receiver.ts';
import { preparedSettings, startServer } from '../support/servers.ts';
import { withEmbedded } from './support/embedded-database.ts';
import { full } from './support/scale.ts';

async function prepare() {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { environment, key } = await preparedSettings(localTargets);
  return { environment, key, dataDir: environment.DATA_DIR, receiver };
}

const post = ({ url }: ServerProcess, key: string, path: string, body: object): Promise<Response> =>
  fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });

const tenantOf = (body: string): string => JSON.parse(body).data.tenant.id;

test.runIf(full)(
  'a stop in the middle of work answers what was asked, settles or gives back what is being delivered, and is clean',
  async () => {
    const { environment, key, dataDir, receiver } = await prepare();
    receiver.answer((_received, response) => void setTimeout(() => response.end(), 300));
    const server = await startServer(environment);
    await post(server, key, '/webhooks', { url: receiver.url(), events: ['tenant.created'] });

    const acknowledged: string[] = [];
    const strange: unknown[] = [];
    let writing = true;
    const writers = [1, 2, 3, 4].map(async (writer) => {
      for (let n = 0; writing; n++) {
        try {
          const response = await post(server, key, '/tenants', {
            first_name: `${writer}`,
            last_name: `${n}`,
          });
          const { data } = (await response.json()) as { data: { id: string } };
          if (response.status === 201) acknowledged.push(data.id);
          else strange.push(response.status);
        } catch (error) {
          // A refused connection is fine: the server no longer listens. Anything else was broken off.
          const { code } = (error as { cause?: { code?: string } }).cause ?? {};
          if (code !== 'ECONNREFUSED') strange.push(code ?? error);
          return;
        }
      }
    });
    await until(() => acknowledged.length > 30 && receiver.received.length > 5);
    const told = performance.now();
    server.kill('SIGTERM');
    expect(await server.ended, server.output()).toBe(0);
    expect(performance.now() - told).toBeLessThan(20_000);
    writing = false;
    await Promise.all(writers);
    expect(strange).toEqual([]);
    const log = readFileSync(join(dataDir, 'postgres/postgres.log'), 'utf8');
    expect(log.trimEnd().split('\n').at(-1)).toContain('database system is shut down');

    const again = await startServer(environment);
    // A delivery that was given back does not count as an attempt.
    const [left] = await withEmbedded(dataDir, (db) =>
      db.query<{ repeated: number }>(
        sql`select count(*)::integer as repeated from delivery_queue where attempts > 1`,
      ),
    );
    expect(left?.repeated).toBe(0);
    const heard = () => new Set(receiver.received.map(({ body }) => tenantOf(body)));
    await until(() => {
      const told = heard();
      return acknowledged.every((id) => told.has(id));
    });
    // Nothing was sent twice. The server waited for what was in flight, and did not begin the rest.
    expect(receiver.received.length).toBe(heard().size);
    again.kill('SIGTERM');
    expect(await again.ended).toBe(0);
  },
);

test.runIf(full)(
  'a second signal ends a stop that takes too long at once, and the next start continues from there',
  async () => {
    const { environment, key, receiver } = await prepare();
    receiver.answer(hang);
    const server = await startServer(environment);
    await post(server, key, '/webhooks', { url: receiver.url(), events: ['tenant.created'] });
    const made = await post(server, key, '/tenants', { first_name: 'Ada', last_name: 'Okafor' });
    expect(made.status).toBe(201);
    await receiver.count(1);

    server.kill('SIGTERM');
    await sleep(1_200);
    const second = performance.now();
    server.kill('SIGTERM');
    expect(await server.ended).toBe(1);
    expect(performance.now() - second).toBeLessThan(1_000);

    receiver.answer((_received, response) => void response.end());
    const again = await startServer(environment);
    // The attempt that was broken off keeps its lease until that expires.
    await receiver.count(2);
    again.kill('SIGTERM');
    expect(await again.ended).toBe(0);
  },
);
