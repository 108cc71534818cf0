import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { packages, startCluster } from '../../e2e/cluster/cluster.ts';
import { type Environment, freePort, newKey, until } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { needsDebian } from './support/debian.ts';
import { keeping } from './support/keep-running.ts';
import { expectNoneLeft } from './support/leftovers.ts';
import { expectPromisesKept } from './support/promises.ts';
import { randomFrom, seed } from './support/scale.ts';
import { startWriters, subscribe } from './support/writers.ts';

const paths = ['/one', '/two'];
const backWithinMs = 30_000;

test('a primary that dies is replaced within 30 s; nothing acknowledged is lost and every event is delivered', {
  timeout: 420_000,
}, async (context) => {
  await needsDebian(context, ...packages);
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const environment: Environment = {
    DATABASE_URL: cluster.url,
    SECRET_KEY: 'a secret key for the cluster, long enough',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    WEBHOOK_RETRY_DELAYS_MS: '200,400,800,1600',
    RATE_LIMIT_PER_SECOND: '0',
  };
  const keep = keeping(environment);
  const apis = [
    keep('api 1', 'api', { PORT: String(await freePort()) }),
    keep('api 2', 'api', { PORT: String(await freePort()) }),
  ];
  const workers = [keep('worker 1', 'worker'), keep('worker 2', 'worker')];
  const all = [...apis, ...workers];
  await Promise.all(all.map((kept) => kept.ready()));
  const key = await newKey(environment);
  for (const path of paths) await subscribe(apis[0]?.current().url ?? '', key, receiver.url(path));

  const writers = startWriters({
    urls: () => apis.map((api) => api.current().url),
    key,
    random: randomFrom(seed),
    kept: 8,
    pauseMs: 20,
  });
  onTestFinished(() => writers.stop());
  const someWrites = async () => {
    const before = writers.acknowledged.size;
    await until(() => writers.acknowledged.size >= before + 100);
  };
  /** How long no write was acknowledged after something was done to the cluster. */
  const away = async (what: () => unknown): Promise<number> => {
    await someWrites();
    const from = performance.now();
    await what();
    await until(
      () => performance.now() - from > 3_000 && (writers.acknowledgedAt.at(-1) ?? 0) > from + 3_000,
    );
    await someWrites();
    const times = [from, ...writers.acknowledgedAt.filter((at) => at > from)];
    return Math.max(...times.map((at, n) => at - (times[n - 1] ?? at)));
  };

  const failovers: number[] = [];
  for (const _ of ['first', 'again, when the first is back as a standby']) {
    await cluster.healthy();
    const primary = await cluster.primary();
    failovers.push(await away(() => cluster.kill(primary)));
    cluster.revive(primary);
  }
  await cluster.healthy();
  const crashed = await cluster.primary();
  failovers.push(await away(() => cluster.killPostgres(crashed)));
  await cluster.healthy();
  const switchover = await away(() => cluster.switchover());
  await writers.stop();

  expect(Math.max(...failovers, switchover)).toBeLessThan(backWithinMs);
  // Until then callers are told the truth: try again later, and nothing else.
  const honest =
    /^503 {"error":{"code":503,"message":"Service unavailable","type":"unavailable","request_id":"req_\w+"}} retry-after 1$/;
  expect(writers.failures.filter((failure) => !honest.test(failure))).toEqual([]);
  const db = new pg.Pool({ connectionString: cluster.url, max: 2 });
  db.on('error', () => undefined);
  onTestFinished(() => db.end());
  const counted = await expectPromisesKept(db, receiver, paths, writers);
  await Promise.all(all.map((kept) => kept.stop()));
  expect(all.flatMap((kept) => kept.troubles())).toEqual([]);
  await cluster.stop();
  await expectNoneLeft(cluster.folder);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  console.log(
    `seed ${seed}: no write acknowledged for ${failovers.map(seconds).join(', ')} after the primary was killed (the last time its Postgres alone), ` +
      `for ${seconds(switchover)} in a switchover; ${counted.writes} writes acknowledged, ${writers.failures.length} answered 503, ` +
      `${counted.deliveries} deliveries, ${counted.duplicates} duplicates`,
  );
});
