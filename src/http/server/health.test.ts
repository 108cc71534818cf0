import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { type Service, testService } from '../../../test/support/service.ts';
import { type App, Workers } from '../../app.ts';
import { connect } from '../../db/connect.ts';
import { createServer } from './server.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
  return () => service.close();
});

/** Asks a process that is like the service except for these parts. */
async function ask(path: string, parts: Partial<App> = {}) {
  const server = createServer({ ...service.app, ...parts, stopping: new AbortController() });
  const response = await server.inject(path);
  await server.close();
  expect(response.headers['cache-control']).toBe('no-store');
  return [response.statusCode, response.json()];
}
const ready = { status: 'ok', database: 'ok', worker: 'none' };

test('a service that works is alive and ready, and says so to anyone', async () => {
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
  expect(await ask('/readyz')).toEqual([200, ready]);
});

test('without its database it is alive but not ready', async () => {
  const away = connect({ connection: { host: '127.0.0.1', port: 1 }, poolSize: 1, onError: () => undefined });
  expect(await ask('/healthz', { db: away })).toEqual([200, { status: 'ok' }]);
  const status = await ask('/readyz', { db: away });
  expect(status).toEqual([503, { ...ready, status: 'unavailable', database: 'unreachable' }]);
  await away.close();
});

test('on a database that a newer release has migrated it keeps serving, so that upgrades can roll', async () => {
  const other = await testDatabase();
  await other.db.pool.query("insert into schema_migrations (version, name) values (9000, 'x')");
  expect(await ask('/readyz', { db: other.db })).toEqual([200, ready]);
  await other.drop();
});

test('on a database that lacks a migration it is not ready', async () => {
  const other = await testDatabase();
  await other.db.pool.query(
    'delete from schema_migrations where version = (select max(version) from schema_migrations)',
  );
  const status = await ask('/readyz', { db: other.db });
  expect(status).toEqual([503, { ...ready, status: 'unavailable', database: 'not migrated' }]);
  await other.drop();
});

test('on an empty database it is not ready', async () => {
  const empty = await testDatabase('empty');
  const status = await ask('/readyz', { db: empty.db });
  expect(status).toEqual([503, { ...ready, status: 'unavailable', database: 'not migrated' }]);
  await empty.drop();
});

test('with a worker that is stuck it is not ready', async () => {
  const workers = new Workers(() => undefined);
  workers.join({ wake: () => undefined, isStuck: () => true });
  const status = await ask('/readyz', { workers });
  expect(status).toEqual([503, { ...ready, status: 'unavailable', worker: 'stuck' }]);
});
