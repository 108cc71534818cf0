import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { ask, fromBeginning, type ListRequest, listRequests, listRoutes } from '../support/list-requests.ts';

/*
 * Every combination of filters is a statement of its own. On each connection, Postgres keeps the plan of every
 * statement that has a name. Requesting all of them must not fill its memory.
 */

const connections = 10;
/** The length of all statements that a connection keeps. */
const mostText = 120_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('asking for all combinations of filters leaves few statements on a connection, the usual ones among them', async () => {
  const secretKey = 'only for this test, 32 characters';
  const config = loadConfig({ SECRET_KEY: secretKey }, '');
  const app = createApp({ config, db: database.db, log: createLog('silent'), secretKey });
  const lists = listRoutes.filter(({ id }) => id === undefined);
  const combinations = fromBeginning(lists.flatMap((route) => listRequests(route, 25)));
  const rare = Array.from({ length: 400 }, (_, n) => {
    const request = combinations[(n * 7919) % combinations.length] as ListRequest;
    return {
      ...request,
      query: {
        ...request.query,
        limit: String([1, 10, 25, 50, 100, 200, 500, 1000][n % 8]),
      },
    };
  });
  const usual = lists.map((route) => ({ route, query: { limit: '25' }, label: route.path }));
  const asked = rare.flatMap((request, n) => [request, usual[n % usual.length] as ListRequest]);
  const one = async (first: number) => {
    for (let n = first; n < asked.length; n += connections)
      await ask(app, database.db, asked[n] as ListRequest);
  };
  await Promise.all(Array.from({ length: connections }, (_, first) => one(first)));

  const clients = await Promise.all(Array.from({ length: connections }, () => database.db.connect()));
  const kept = await Promise.all(
    clients.map(async (client) => {
      const { rows } = await client.query<{ statement: string }>(
        'select statement from pg_prepared_statements',
      );
      return rows.map(({ statement }) => statement);
    }),
  );
  for (const client of clients) client.release();
  for (const statements of kept) expect(statements.join('').length).toBeLessThanOrEqual(mostText);
  expect(new Set(kept.flat()).size).toBeGreaterThan(usual.length);
});
