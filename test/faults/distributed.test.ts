import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { isCluster, onEveryNodeOf, type TestDatabase, testDatabase } from '../support/database.ts';
import { type Environment, freePort, until } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { newKeyIn } from '../support/service.ts';
import { clusterNodes } from './support/cluster-nodes.ts';
import { keeping } from './support/keep-running.ts';
import { expectPromisesKept } from './support/promises.ts';
import { randomFrom, seed } from './support/scale.ts';
import { startWriters, subscribe, type Writers } from './support/writers.ts';

const nodes = isCluster() ? clusterNodes() : [];
const paths = ['/one', '/two'];

/*
 * Kills nodes of the cluster that TEST_DATABASE_URL names, so nothing else may be running there.
 */
test.skipIf(nodes.length === 0)(
  'nodes that die, and accounts that move to another, lose nothing; those on other nodes are served throughout' +
    (nodes.length === 0 ? ' (needs TEST_DATABASE_URL and TEST_CLUSTER_NODES)' : ''),
  { timeout: 900_000 },
  async () => {
    const database = await testDatabase();
    onTestFinished(() => database.drop());
    // A test cluster may be configured to be fast rather than safe.
    await onEveryNodeOf(database, 'set synchronous_commit = on');
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const environment: Environment = {
      DATABASE_URL: database.url,
      SECRET_KEY: 'a secret key for the cluster, long enough',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
      WEBHOOK_RETRY_DELAYS_MS: '200,400,800,1600',
      RATE_LIMIT_PER_SECOND: '0',
    };
    const keep = keeping(environment);
    const api = keep('api', 'api', { PORT: String(await freePort()) });
    const worker = keep('worker', 'worker');
    await Promise.all([api.ready(), worker.ready()]);

    const random = randomFrom(seed);
    const accounts = await accountOnEachNode(database);
    const written = new Map<number, Writers>();
    for (const [port, key] of accounts) {
      for (const path of paths) await subscribe(api.current().url, key, receiver.url(path));
      const urls = () => [api.current().url];
      written.set(port, startWriters({ urls, key, name: `${port} `, random, kept: 3, pauseMs: 30 }));
    }
    const all = [...written.values()];
    onTestFinished(async () => void (await Promise.all(all.map((writers) => writers.stop()))));
    const someWrites = (of: Writers[]) =>
      Promise.all(
        of.map(async ({ acknowledged }) => {
          const before = acknowledged.size;
          await until(() => acknowledged.size >= before + 20);
        }),
      );
    const someDeliveries = async ({ acknowledged }: Writers) => {
      const before = new Set(acknowledged);
      const isNew = ({ body }: { body: string }) => {
        const { tenant, payment } = JSON.parse(body).data;
        const { id } = tenant ?? payment;
        return acknowledged.has(id) && !before.has(id);
      };
      await until(() => receiver.received.filter(isNew).length >= 10);
    };
    const coordinator = database.connection.port;
    const told: string[] = [];

    for (const node of nodes) {
      await someWrites(all);
      const since = performance.now();
      const failed = all.reduce((sum, { failures }) => sum + failures.length, 0);
      node.kill();
      const others = [...accounts].filter(([port]) => port !== node.port && node.port !== coordinator);
      for (const [, key] of others)
        for (let n = 0; n < 20; n++) await until(async () => (await read(api.current().url, key)) === 200);
      await someWrites(others.flatMap(([port]) => written.get(port) ?? []));
      await node.start();
      await someWrites(all);
      await Promise.all(all.map(someDeliveries));
      const failures = all.reduce((sum, each) => sum + each.failures.length, 0) - failed;
      const name = node.port === coordinator ? 'the coordinator' : 'a node';
      told.push(`${name} was away: ${failures} answers of 503 in ${seconds(performance.now() - since)}`);
    }

    await someWrites(all);
    const moved = await moveAwayAndBack(database, [...accounts.keys()].at(-1) ?? 0);
    await someWrites(all);
    told.push(`${moved} parts moved off a node, and back onto it as a new one`);
    for (const writers of all) await writers.stop();

    const honest =
      /^503 {"error":{"code":503,"message":"Service unavailable","type":"unavailable","request_id":"req_\w+"}} retry-after 1$/;
    // These are compared together: the log contains what an answer of 500 does not say.
    expect({
      answers: all.flatMap(({ failures }) => failures).filter((failure) => !honest.test(failure)),
      troubles: [api, worker].flatMap((kept) => kept.troubles()),
    }).toEqual({ answers: [], troubles: [] });
    const counted = await expectPromisesKept(database.db.pool, receiver, paths, together(all));
    await Promise.all([api.stop(), worker.stop()]);
    expect([api, worker].flatMap((kept) => kept.troubles())).toEqual([]);
    console.log(
      `seed ${seed}: ${told.join('; ')}. ${counted.writes} writes acknowledged, ${counted.deliveries} deliveries, ` +
        `${counted.duplicates} duplicates`,
    );
  },
);

const read = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/api/v1/tenants?limit=5`, { headers: { authorization: `Bearer ${key}` } })).status;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Keys of accounts by their node's port, one for each node that has accounts. */
async function accountOnEachNode({ db }: TestDatabase): Promise<Map<number, string>> {
  const { rows } = await db.pool.query<{ count: number }>(
    'select count(*)::integer from pg_dist_node where shouldhaveshards',
  );
  const keys = new Map<number, string>();
  while (keys.size < (rows[0]?.count ?? 0)) {
    const key = await newKeyIn(db);
    const found = await db.pool.query<{ port: number }>(
      `select nodeport as port from pg_dist_shard_placement
       where shardid = (select get_shard_id_for_distribution_column('tenants', account_id)
                        from api_keys order by created_at desc, id desc limit 1)`,
    );
    const port = found.rows[0]?.port ?? 0;
    if (!keys.has(port)) keys.set(port, key);
  }
  return keys;
}

/** Moves all accounts off a node, removes it from the cluster, and adds it again. Returns how many parts moved. */
async function moveAwayAndBack({ connection }: TestDatabase, port: number): Promise<number> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const parts = async () => {
      const { rows } = await client.query<{ count: number }>(
        'select count(*)::integer from pg_dist_shard_placement where nodeport = $1',
        [port],
      );
      return rows[0]?.count ?? 0;
    };
    const before = await parts();
    const { rows } = await client.query<{ host: string }>(
      'select nodename as host from pg_dist_node where nodeport = $1',
      [port],
    );
    const node = [rows[0]?.host, port];
    await client.query('select citus_drain_node($1, $2)', node);
    await client.query('select citus_remove_node($1, $2)', node);
    await client.query('select citus_add_node($1, $2)', node);
    await client.query('select rebalance_table_shards()');
    expect(await parts()).toBeGreaterThan(1);
    return before;
  } finally {
    await client.end();
  }
}

function together(all: Writers[]): Writers {
  const [first] = all;
  if (first === undefined) throw new Error('Nobody writes.');
  return {
    ...first,
    acknowledged: new Set(all.flatMap(({ acknowledged }) => [...acknowledged])),
    keyed: new Set(all.flatMap(({ keyed }) => [...keyed])),
  };
}
