import { existsSync } from 'node:fs';
import { minutes } from '../../clock.ts';
import { type Config, loadConfig } from '../../config.ts';
import { findBehind } from '../../days/days-behind.ts';
import type { Database } from '../../db/connect.ts';
import { explainConnection } from '../../db/connection-problem.ts';
import { NewerDatabase, schemaVersion } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { checkServerVersion } from '../../db/server-version.ts';
import { sql } from '../../db/sql.ts';
import { workersAtWork } from '../../deliveries/worker-beats.ts';
import { freeOrAll, ROOM_TO_WRITE } from '../../embedded-postgres/space.ts';
import { createLog } from '../../log.ts';
import { keyFile } from '../../secret-keys/key-file.ts';
import {
  countSecrets,
  refuseMissingKeys,
  registeredKeys,
  secretKeysFor,
} from '../../secret-keys/secret-keys.ts';
import { createSecretBox } from '../../secrets/secret-box.ts';
import { version } from '../../system/version.ts';
import { print } from '../command.ts';
import { describeDeposits, describeLedger } from './ledger.ts';

interface Finding {
  name: string;
  ok: boolean;
  /** Tells a person what is wrong, and what to do. */
  message: string;
}

const clockLimitMs = 2_000;

export async function doctor({ json }: { json?: boolean }): Promise<void> {
  const findings = await examine();
  const well = findings.every((finding) => finding.ok);
  const lines = findings.map(
    ({ name, ok, message }) => `${ok ? 'ok   ' : 'WRONG'}  ${name.padEnd(10)}  ${message}`,
  );
  print(json, { ok: well, version, findings }, lines);
  if (!well) process.exitCode = 1;
}

async function examine(): Promise<Finding[]> {
  const settings = await check('settings', async () => {
    const config = loadConfig();
    return {
      config,
      message: config.DATABASE_URL
        ? 'read; the database is the one of DATABASE_URL'
        : `read; the embedded database in ${config.DATA_DIR}`,
    };
  });
  if (!settings.result) return [settings.finding];
  return [settings.finding, ...(await examineDatabase(settings.result.config))];
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  const opened = await check('database', async () => {
    const { db, close, dataDir } = await openDatabase(config, createLog('silent'), 'command');
    try {
      return { db, close, dataDir, message: `reachable, Postgres ${await checkServerVersion(db.pool)}` };
    } catch (error) {
      await close();
      throw error;
    }
  });
  if (!opened.result) return [opened.finding];
  const { db, close, dataDir } = opened.result;
  try {
    // The disk of a remote database cannot be seen.
    const disk = dataDir === null ? [] : [await check('disk', () => describeDisk(dataDir))];
    const schema = await check('schema', () => describeSchema(db));
    const rest = schema.result
      ? [
          await check('secret', () => describeSecret(db, config)),
          await check('clock', () => describeClock(db)),
          await check('worker', () => describeWorkers(db)),
          await check('days', () => describeDays(db, new Date())),
          await check('ledger', () => describeLedger(db)),
          await check('deposits', () => describeDeposits(db)),
        ]
      : [];
    return [opened, ...disk, schema, ...rest].map(({ finding }) => finding);
  } finally {
    await close();
  }
}

async function check<Result extends { message: string }>(
  name: string,
  work: () => Promise<Result>,
): Promise<{ finding: Finding; result: Result | null }> {
  try {
    const result = await work();
    return { finding: { name, ok: true, message: result.message }, result };
  } catch (error) {
    const message = explainConnection(error) ?? ((error as Error).message || String(error));
    return { finding: { name, ok: false, message }, result: null };
  }
}

async function describeDisk(folder: string) {
  const free = freeOrAll(folder);
  if (free === Number.POSITIVE_INFINITY) return { message: 'the free space is unknown' };
  if (free < ROOM_TO_WRITE)
    throw new Error(
      `only ${megabytes(free)} MiB are left on the disk of ${folder}; writes are refused below ${megabytes(ROOM_TO_WRITE)} MiB. Free some space.`,
    );
  return { message: `${megabytes(free)} MiB free` };
}

const megabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);

async function describeSchema(db: Database) {
  const { found, known } = await schemaVersion(db);
  if (found > known) throw new NewerDatabase(found, known);
  if (found < known)
    throw new Error(
      'not the schema of this version; run `tenure migrate`, or start the server, which migrates too.',
    );
  return { message: 'up to date' };
}

export async function describeSecret(db: Database, config: Config) {
  // The key is not made here, because a check must change nothing.
  if (!config.SECRET_KEY && !existsSync(keyFile(config)) && (await registeredKeys(db)).length === 0)
    return { message: 'will be made at the first start' };
  const { current, accepted } = await secretKeysFor(db, config, new Date());
  const secrets = createSecretBox(current, accepted);
  await refuseMissingKeys(db, secrets);
  const counts = await countSecrets(db, secrets);
  if (counts.unreadable > 0)
    throw new Error(
      `${counts.unreadable} webhook secrets cannot be read with it; ${config.SECRET_KEY ? 'add the key that encrypted them to SECRET_KEYS_ACCEPTED, or, if it is lost, ' : ''}give these webhooks a new secret (in the dashboard, or POST /webhooks/:id/rotate-secret).`,
    );
  const where = config.SECRET_KEY ? 'SECRET_KEY' : `${keyFile(config)} (back it up with the data)`;
  const unfinished = (await registeredKeys(db)).some(
    (fingerprint) => fingerprint !== secrets.fingerprints[0],
  );
  // On the embedded database the command runs alone. So the rotation is not under way: it was interrupted.
  if (unfinished && !config.SECRET_KEY)
    throw new Error(
      'a rotation of the key was interrupted, and the old key is still needed: stop the server and run `tenure secrets rotate` again.',
    );
  if (counts.accepted > 0)
    return {
      message: `${where} fits; ${counts.accepted} webhook secrets still need an accepted key: run \`tenure secrets rotate\``,
    };
  if (unfinished)
    return {
      message: `${where} fits; a rotation is not finished: run \`tenure secrets rotate\` once all processes have the new key`,
    };
  return { message: `${where} fits the data` };
}

async function describeClock(db: Database) {
  const before = Date.now();
  const [row] = await db.query<{ now: number }>(
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as now`,
  );
  const offMs = Math.round((row?.now ?? 0) - (before + Date.now()) / 2);
  if (Math.abs(offMs) > clockLimitMs) {
    throw new Error(
      `this machine's clock is ${Math.abs(offMs)} ms ${offMs > 0 ? 'behind' : 'ahead of'} the database's; set up time synchronisation on both.`,
    );
  }
  return { message: 'agrees with the database' };
}

async function describeWorkers(db: Database) {
  const workers = await workersAtWork(db);
  if (workers.length > 0)
    return {
      message: `${workers.length} at work (${workers.map(({ host, pid }) => `${host} ${pid}`).join(', ')})`,
    };
  const [due] = await db.query<{ count: number }>(
    sql`select count(*)::integer as count from delivery_queue where next_at <= now()`,
  );
  if ((due?.count ?? 0) > 0) {
    throw new Error(
      `none at work, and ${due?.count} deliveries are due; run \`npm start\` or \`tenure worker\`.`,
    );
  }
  return { message: 'none at work; the server is not running' };
}

/** A large account's day takes a minute or two. */
const behindLimitMs = minutes(10);

export async function describeDays(db: Database, now: Date) {
  const { accounts, throughDay } = await findBehind(db, new Date(now.getTime() - behindLimitMs));
  if (accounts === 0) return { message: 'in every account, the days that have begun are done' };
  const message = `${accounts} accounts have days that are not turned, the first since ${throughDay}`;
  if ((await workersAtWork(db)).length === 0)
    return { message: `${message}; a worker goes through them when it runs` };
  throw new Error(`${message}, though a worker runs: its log says why (\`a day was not turned\`).`);
}
