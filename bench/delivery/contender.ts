import pg from 'pg';
import { startChild } from '../lib/child.ts';
import type { BenchPostgres } from '../lib/postgres.ts';
import type { BenchRedis } from '../lib/redis.ts';
import type { Load } from './workload.ts';

/** What all contenders share. */
export interface Stage {
  postgres: BenchPostgres;
  redis: BenchRedis | null;
}

/** One that is measured: started anew in every round. */
export interface DeliveryContender {
  name: string;
  start(): Promise<Running>;
  close(): Promise<void>;
}

export interface Running {
  pids: number[];
  /** An empty queue and record, then the load. Nothing goes out yet. */
  enqueue(load: Load): Promise<void>;
  /** From here on it is timed. */
  go(): Promise<void>;
  /** How many deliveries are on record; null where none is kept. */
  recorded(): Promise<number | null>;
  /** After a load: no more is worked on, so that the next one can be queued in peace. */
  halt(): Promise<void>;
  stop(): Promise<void>;
}

/** A peer: `contenders/<file>`, in a process of its own on a database of its own. */
export async function peer(
  name: string,
  file: string,
  { postgres, redis }: Stage,
  options: { tuned?: boolean } = {},
): Promise<DeliveryContender> {
  const database = await postgres.createDatabase(name.toLowerCase().replace(/\W+/g, '_'));
  const pool = new pg.Pool({ ...database.connection, max: 1 });
  return {
    name,
    async start() {
      const child = startChild(new URL(`./contenders/${file}`, import.meta.url));
      await child.call('setup', { database: database.url, redis: redis?.path, ...options });
      return {
        pids: [child.pid],
        enqueue: (load) => child.call('enqueue', load),
        go: () => child.call('go'),
        recorded: () => (file === 'ceiling.ts' ? Promise.resolve(null) : countRecord(pool)),
        halt: () => child.call('halt'),
        stop: () => child.stop(),
      };
    },
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}

async function countRecord(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::integer as count from delivery_record where status between 200 and 299',
  );
  return rows[0]?.count ?? 0;
}
