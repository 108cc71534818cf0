import { afterEach, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { type Service, testService } from '../../../test/service.ts';
import { connect } from '../../db/connect.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
  return () => service.close();
});
afterEach(() => {
  service.app.db = service.database.db;
  service.app.workerState = () => 'none';
});

const ask = async (path: string) => {
  const response = await fetch(service.url + path);
  expect(response.headers.get('cache-control')).toBe('no-store');
  return [response.status, await response.json()];
};
const ready = { status: 'ok', database: 'ok', worker: 'none' };

test('a service that works is alive and ready, and says so to anyone', async () => {
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
  expect(await ask('/readyz')).toEqual([200, ready]);
});

test('without its database it is alive but not ready', async () => {
  const away = connect({ connection: { host: '127.0.0.1', port: 1 }, poolSize: 1, onError: () => undefined });
  service.app.db = away;
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
  expect(await ask('/readyz')).toEqual([503, { ...ready, status: 'unavailable', database: 'unreachable' }]);
  await away.close();
});

test('on a database that a newer release has migrated meanwhile it goes on serving, so that upgrades can roll', async () => {
  const other = await testDatabase();
  service.app.db = other.db;
  await other.db.pool.query("insert into schema_migrations (version, name) values (9000, 'x')");
  expect(await ask('/readyz')).toEqual([200, ready]);
  await other.drop();
});

test('on a database that lacks a migration it is not ready', async () => {
  const other = await testDatabase();
  service.app.db = other.db;
  await other.db.pool.query(
    'delete from schema_migrations where version = (select max(version) from schema_migrations)',
  );
  expect(await ask('/readyz')).toEqual([503, { ...ready, status: 'unavailable', database: 'not migrated' }]);
  await other.drop();
});

test('on an empty database it is not ready', async () => {
  const empty = await testDatabase('empty');
  service.app.db = empty.db;
  expect(await ask('/readyz')).toEqual([503, { ...ready, status: 'unavailable', database: 'not migrated' }]);
  await empty.drop();
});

test('with a worker that is stuck it is not ready', async () => {
  service.app.workerState = () => 'stuck';
  expect(await ask('/readyz')).toEqual([503, { ...ready, status: 'unavailable', worker: 'stuck' }]);
});
