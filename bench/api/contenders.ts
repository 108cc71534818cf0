import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, nodeFlags } from '../../test/support/process.ts';
import { startChild } from '../lib/child.ts';
import type { BenchDatabase } from '../lib/postgres.ts';

export interface Server {
  name: string;
  pid: number;
  url: string;
  stop(): Promise<void>;
}

export const names = {
  tenure: 'Tenure',
  ceiling: 'node:http + pg, the same statement (ceiling)',
  rows: 'node:http + pg, rows and a transaction',
  kysely: 'Fastify + Kysely',
  drizzle: 'Fastify + Drizzle',
  prisma: 'Express + Prisma',
} as const;

export const secretKey = 'only for this benchmark, 32 characters';

/** The default of Tenure's, for all. */
export const poolSize = 10;

export async function startContenders(database: BenchDatabase): Promise<Server[]> {
  const servers: Server[] = [await startTenure(database)];
  const modules = {
    ceiling: 'ceiling.ts',
    rows: 'raw-rows.ts',
    kysely: 'kysely.ts',
    drizzle: 'drizzle.ts',
    prisma: 'prisma.ts',
  } as const;
  for (const [contender, file] of Object.entries(modules)) {
    const child = startChild(new URL(`./contenders/${file}`, import.meta.url));
    const port = await child.call<number>('start', {
      connection: database.connection,
      url: database.url,
      poolSize,
    });
    servers.push({
      name: names[contender as keyof typeof modules],
      pid: child.pid,
      url: `http://127.0.0.1:${port}/api/v1`,
      stop: () => child.stop(),
    });
  }
  return servers;
}

/** `tenure api` as it is shipped, but without its rate limit; its log, at the level it is shipped with, goes to /dev/null. */
async function startTenure({ url }: BenchDatabase): Promise<Server> {
  const port = await freePort();
  const root = join(import.meta.dirname, '../..');
  const child = spawn(process.execPath, [...nodeFlags, join(root, 'src/cli.ts'), 'api'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      DATABASE_URL: url,
      DATABASE_POOL_SIZE: String(poolSize),
      SECRET_KEY: secretKey,
      RATE_LIMIT_PER_SECOND: '0',
      LOG_LEVEL: 'info',
    },
  });
  const ended = once(child, 'exit');
  for (let tries = 0; (await statusOf(`http://127.0.0.1:${port}/healthz`)) !== 200; tries++) {
    if (child.exitCode !== null || tries > 200) throw new Error('tenure api did not start.');
    await sleep(50);
  }
  return {
    name: names.tenure,
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}/api/v1`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const statusOf = async (url: string): Promise<number | undefined> =>
  (await fetch(url).catch(() => undefined))?.status;
