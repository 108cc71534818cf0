import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { openEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import { envelope } from '../support/envelope.ts';
import {
  type Environment,
  freePort,
  ready,
  type ServerProcess,
  said,
  spawnServer,
  tenure,
  until,
} from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { thorough } from '../support/thorough.ts';
import { keyOn, withEmbedded } from './support/embedded-database.ts';
import { mountFailingDisk } from './support/failing-disk.ts';
import { full, scale } from './support/scale.ts';
import { mountSmallDisk, type SmallDisk } from './support/small-disk.ts';

interface Running {
  environment: Environment;
  server: ServerProcess;
  key: string;
}

async function startOnSmallDisk(context: TestContext): Promise<Running & { disk: SmallDisk }> {
  const disk = mountSmallDisk(context, 200);
  onTestFinished(() => disk.remove());
  return { disk, ...(await startOn(disk.folder)) };
}

async function startOn(folder: string): Promise<Running> {
  const environment = {
    DATA_DIR: join(folder, 'data'),
    PORT: String(await freePort()),
    RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'info',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
  };
  const server = spawnServer(environment);
  onTestFinished(async () => {
    server.kill('SIGTERM');
    expect(await server.ended, server.output()).toBe(0);
  });
  await ready(server);
  return { environment, server, key: await keyOn(environment.DATA_DIR) };
}

interface Answer {
  status: number;
  body: unknown;
}

async function call({ server, key }: Running, method: string, body?: object): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v1/properties${method === 'GET' ? '?limit=5' : ''}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function subscribe({ server, key }: Running, url: string): Promise<void> {
  const { status } = await fetch(`${server.url}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ url, events: ['property.created'] }),
  });
  expect(status).toBe(201);
}

const full503 = {
  status: 503,
  body: envelope(503, 'The storage is full: nothing was written'),
};
const away503 = { status: 503, body: envelope(503, 'Service unavailable') };

/** Writes all the time, and remembers what was acknowledged and what was refused. */
function keepWriting(running: Running) {
  const acknowledged: string[] = [];
  const refused: Answer[] = [];
  let writing = true;
  const done = Promise.all(
    [1, 2, 3, 4].map(async (writer) => {
      for (let n = 0; writing; n++) {
        const name = `${writer} ${n}`;
        const answer = await call(running, 'POST', { name, notes: 'n'.repeat(2_000) });
        if (answer.status === 201) acknowledged.push(name);
        else {
          refused.push(answer);
          await sleep(20);
        }
      }
    }),
  );
  return {
    acknowledged,
    refused,
    async stop() {
      writing = false;
      await done;
    },
  };
}

async function expectNothingLost(running: Running, acknowledged: string[]): Promise<void> {
  const rows = await withEmbedded(running.environment.DATA_DIR ?? '', (db) =>
    db.query<{ name: string }>(sql`select name from properties`),
  );
  const written = new Set(rows.map(({ name }) => name));
  expect(acknowledged.filter((name) => !written.has(name))).toEqual([]);
}

test.runIf(full || thorough)(
  'on a full disk writes are refused with the reason, reads still work, and free space restores it',
  async (context) => {
    const running = await startOnSmallDisk(context);
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    await subscribe(running, receiver.url());
    const writes = keepWriting(running);
    await until(() => writes.acknowledged.length > 20);
    running.disk.fill(4_000_000);
    await until(() => writes.refused.length > 20);

    const since = performance.now();
    while (performance.now() - since < 1_500) expect((await call(running, 'GET')).status).toBe(200);
    // Everybody who asks is told so, and a command that runs beside the server finds out, too.
    const found = await tenure(running.environment, 'doctor').catch(({ stdout }) => JSON.parse(stdout));
    expect((found as { findings: object[] }).findings).toContainEqual({
      name: 'disk',
      ok: false,
      message: expect.stringMatching(/^only \d+ MiB are left on the disk of .*\. Free some space\.$/),
    });
    const note = () => undefined;
    const { isFull } = await openEmbedded({
      dataDir: running.environment.DATA_DIR ?? '',
      role: 'command',
      purpose: 'this test',
      log: { info: note, warn: note, error: note },
    });
    expect(isFull()).toBe(true);
    running.disk.empty();
    expect(isFull()).toBe(false);
    const before = writes.acknowledged.length;
    const freed = performance.now();
    await until(() => writes.acknowledged.length > before + 5);
    expect(performance.now() - freed).toBeLessThan(scale(5_000, 30_000));
    await writes.stop();

    for (const answer of writes.refused) expect(answer).toEqual(full503);
    await expectNothingLost(running, writes.acknowledged);
    await said(running.server, 'disk full: writes are refused until there is space again');
    await said(running.server, 'there is space on the disk again');
    // Sending needs writing as well. What was due in the meantime is sent now.
    await until(() => {
      const heard = new Set(receiver.received.map(({ body }) => JSON.parse(body).data.property.name));
      return writes.acknowledged.every((name) => heard.has(name));
    });
  },
);

test.runIf(full)(
  'Postgres stopped by a full disk comes back with the space, without a loop that burns the machine',
  async (context) => {
    const running = await startOnSmallDisk(context);
    const writes = keepWriting(running);
    await until(() => writes.acknowledged.length > 20);
    running.disk.fill();
    // Uses up the rest of the write-ahead log. There is no space for its next file.
    await withEmbedded(running.environment.DATA_DIR ?? '', async (db) => {
      for (;;) await db.query(sql`select pg_logical_emit_message(false, 'x', repeat('y', 100000))`);
    }).catch(() => undefined);
    await until(() => running.server.output().includes('disk full: Postgres cannot start'));

    const starts = () => postgresLog(running).split('starting PostgreSQL').length;
    const startsBefore = starts();
    await sleep(10_000);
    expect(starts() - startsBefore).toBeLessThanOrEqual(4);
    expect((await call(running, 'GET')).status).toBe(503);
    expect((await fetch(`${running.server.url}/healthz`)).status).toBe(200);

    running.disk.empty();
    const freed = performance.now();
    const before = writes.acknowledged.length;
    await until(() => writes.acknowledged.length > before + 5);
    expect(performance.now() - freed).toBeLessThan(8_000);
    await writes.stop();
    for (const answer of writes.refused) expect([full503, away503]).toContainEqual(answer);
    await expectNothingLost(running, writes.acknowledged);
  },
);

test.runIf(full)(
  'a disk that turns read-only is reported with what to do, and after its repair nothing acknowledged is lost',
  async (context) => {
    const disk = mountFailingDisk(context, 400);
    onTestFinished(() => disk.remove());
    const running = await startOn(disk.folder);
    const { server } = running;
    const writes = keepWriting(running);
    await until(() => writes.acknowledged.length > 20);
    disk.fail();
    await until(() => writes.refused.length > 20);
    const acknowledged = writes.acknowledged.length;
    await said(server, 'its file system is read-only. Make it writable');
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await writes.stop();
    expect(writes.acknowledged).toHaveLength(acknowledged);
    for (const answer of writes.refused) expect(answer).toEqual(away503);

    server.kill('SIGTERM');
    expect(await server.ended, server.output()).toBe(0);
    disk.repair();
    const again = await startOn(disk.folder);
    await expectNothingLost(again, writes.acknowledged);
    expect((await call(again, 'POST', { name: 'after the repair' })).status).toBe(201);
  },
);

test.runIf(thorough)(
  'a start on a full disk says so in a sentence, leaves nothing running, and works once there is space',
  async (context) => {
    const disk = mountSmallDisk(context, 200);
    onTestFinished(() => disk.remove());
    const environment = { DATA_DIR: join(disk.folder, 'data'), PORT: String(await freePort()) };
    const startOnFull = async (leave: number) => {
      disk.fill(leave);
      const server = spawnServer(environment);
      expect(await server.ended).toBe(1);
      expect(server.output().trim()).toMatch(/^The disk is full: [^\n]*Free some space[^\n]*$/);
      disk.empty();
    };
    const startAndStop = async () => {
      const server = spawnServer(environment);
      await ready(server);
      server.kill('SIGTERM');
      expect(await server.ended).toBe(0);
    };
    await startOnFull(0);
    if (!full) return;
    await startOnFull(20_000_000);
    await startAndStop();
    await startOnFull(0);
    await startAndStop();
  },
);

const postgresLog = ({ environment }: Running): string =>
  readFileSync(join(environment.DATA_DIR ?? '', 'postgres/postgres.log'), 'utf8');
