import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { type Environment, freePort, until } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { newKeyIn } from '../support/service.ts';
import { thorough } from '../support/thorough.ts';
import { needsDebian } from './support/debian.ts';
import { startDebianPostgres } from './support/debian-postgres.ts';
import { withDatabase } from './support/embedded-database.ts';
import { keeping } from './support/keep-running.ts';
import { expectPromisesKept } from './support/promises.ts';
import { full, randomFrom, scale, seed } from './support/scale.ts';
import { startWriters, subscribe } from './support/writers.ts';

const paths = ['/one', '/two', '/three'];

test.runIf(full || thorough)(
  'a rolling restart of API and worker processes under load fails no request',
  {
    timeout: scale(300_000, 180_000),
  },
  async (context) => {
    if (full) await needsDebian(context, 'postgresql-15');
    const url = await database();
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const environment: Environment = {
      DATABASE_URL: url,
      SECRET_KEY: 'a secret key for the rolling restart, long enough',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
      RATE_LIMIT_PER_SECOND: '0',
    };
    const keep = keeping(environment);
    const apis = [
      keep('api 1', 'api', { PORT: String(await freePort()) }),
      keep('api 2', 'api', { PORT: String(await freePort()) }),
    ];
    const workers = scale([1, 2, 3], [1]).map((n) => keep(`worker ${n}`, 'worker'));
    const all = [...apis, ...workers];
    await Promise.all(all.map((kept) => kept.ready()));

    const key = await withDatabase({ connectionString: url }, newKeyIn);
    for (const path of paths) await subscribe(apis[0]?.current().url ?? '', key, receiver.url(path));
    const writers = startWriters({
      urls: () => apis.map((api) => api.current().url),
      key,
      random: randomFrom(seed),
      kept: scale(32, 4),
      fresh: 2,
      pauseMs: scale(2, 60),
    });
    onTestFinished(() => writers.stop());
    const someWrites = async (more: number) => {
      const before = writers.acknowledged.size;
      await until(() => writers.acknowledged.size >= before + more);
    };

    const took: number[] = [];
    // In a short run one of each kind, while the other API process keeps serving.
    for (const kept of scale([...all, ...all], all.slice(1))) {
      await someWrites(scale(200, 30));
      took.push(await kept.restart());
    }
    await someWrites(scale(200, 30));
    await writers.stop();

    expect(writers.failures, `seed ${seed}`).toEqual([]);
    const db = new pg.Pool({ connectionString: url, max: 2 });
    // Its connections may be closed only after Postgres has stopped.
    db.on('error', () => undefined);
    onTestFinished(() => db.end());
    const counted = await expectPromisesKept(db, receiver, paths, writers);
    await Promise.all(all.map((kept) => kept.stop()));
    expect(all.flatMap((kept) => kept.troubles())).toEqual([]);
    console.log(
      `seed ${seed}: ${took.length} restarts (the slowest stop took ${Math.round(Math.max(...took))} ms), ` +
        `${counted.writes} writes, ${writers.reads} reads, none failed, ${writers.refused} refused connections went elsewhere, ` +
        `${counted.deliveries} deliveries, ${counted.duplicates} duplicates`,
    );
  },
);

/** At full length, Debian's own Postgres. Otherwise a database in the Postgres of the test run. */
async function database(): Promise<string> {
  if (full) {
    const postgres = await startDebianPostgres();
    onTestFinished(() => postgres.stop());
    return postgres.url;
  }
  const own = await testDatabase('empty');
  onTestFinished(() => own.drop());
  return own.url;
}
