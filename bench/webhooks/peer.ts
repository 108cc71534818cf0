import pg from 'pg';
import { newId } from '../../src/ids.ts';
import { serve } from '../lib/child.ts';
import { type Attempt, WebhookClient } from './client.ts';
import { type Pace, writeAtPace } from './pace.ts';
import { batchesOf, type Load, makeWebhook, makeWebhooks, type Webhook } from './workload.ts';

/*
 * A job queue as a sender of webhooks, in a process of its own. Its file says how it takes jobs and works on them;
 * what all share is here. They also keep what a webhook service must and a job queue does not: a durable record of
 * every delivery, one narrow table with a row for each. (Tenure writes more columns and has more indexes.)
 */

export interface Given {
  database: string;
  redis: string | null;
  /** Where the receiver is. */
  base: string;
  /** How it is set up, if there are several ways. */
  mode: string;
  /** How many Tenure subscribes; peers have as many as their load names. */
  endpoints?: number;
}

interface Tools {
  pool: pg.Pool;
  client: WebhookClient;
  /** One statement for many attempts. */
  recordAll(attempts: Attempt[]): Promise<void>;
  /** Sends a job's webhook, and writes its row before the job ends. */
  deliver(webhook: Webhook): Promise<void>;
}

interface Queue {
  /** Removes all jobs. */
  clear(): Promise<unknown>;
  add(webhooks: Webhook[]): Promise<unknown>;
  /** Adds a job inside the transaction; where that is impossible, `isApart` has it called after the commit. */
  addOne(webhook: Webhook, transaction: pg.PoolClient): Promise<unknown>;
  isApart?: true;
  work(): Promise<unknown>;
  halt(): Promise<unknown>;
}

export function servePeer(open: (given: Given, tools: Tools) => Promise<Queue>): void {
  let pool: pg.Pool;
  let queue: Queue;
  serve({
    async setup(given: Given) {
      pool = new pg.Pool({ connectionString: given.database, max: 14 });
      pool.on('error', (error) => console.error(error));
      pool.on('connect', (connected) => connected.on('error', () => undefined));
      await pool.query(tables);
      const client = new WebhookClient(given.base);
      queue = await open(given, {
        pool,
        client,
        recordAll: (attempts) => recordAll(pool, attempts),
        deliver: async (webhook) => recordOne(pool, await client.send(webhook)),
      });
    },
    async enqueue(load: Load) {
      await pool.query('truncate delivery_record');
      await queue.clear();
      for (const batch of batchesOf(makeWebhooks(load), 2_000)) await queue.add(batch);
      await pool.query('analyze');
    },
    go: async () => void (await queue.work()),
    halt: async () => void (await queue.halt()),
    write: (pace: Pace) => writeAtPace(pace, () => writeWithJob(pool, queue)),
  });
}

const tables = `
  create table if not exists payments (id uuid primary key, body text not null);
  create table if not exists delivery_record (
    id uuid primary key, endpoint integer not null, started_at timestamptz not null, duration_ms integer not null,
    status smallint not null, signature text not null, response text not null)`;

/** The peer's own record and its job, in one transaction: one webhook for each commit, and none without one. */
async function writeWithJob(pool: pg.Pool, queue: Queue): Promise<string> {
  const webhook = makeWebhook(0, 0);
  const client = await pool.connect();
  try {
    await client.query('begin');
    const insert = { name: 'payment', text: 'insert into payments values ($1, $2)' };
    await client.query({ ...insert, values: [newId(), webhook.body] });
    if (!queue.isApart) await queue.addOne(webhook, client);
    await client.query('commit');
    // It is committed from here on. The caller takes the time: adding the job is part of what is measured.
    if (queue.isApart) void queue.addOne(webhook, client);
  } finally {
    client.release();
  }
  return webhook.id;
}

async function recordAll(pool: pg.Pool, attempts: Attempt[]): Promise<void> {
  const column = <Key extends keyof Attempt>(key: Key) => attempts.map((attempt) => attempt[key]);
  await pool.query({
    name: 'record',
    text: `insert into delivery_record
      select * from unnest($1::uuid[], $2::integer[], $3::timestamptz[], $4::integer[], $5::smallint[],
        $6::text[], $7::text[])`,
    values: columns.map(column),
  });
}

async function recordOne(pool: pg.Pool, attempt: Attempt): Promise<void> {
  await pool.query({
    name: 'record one',
    text: 'insert into delivery_record values ($1, $2, $3, $4, $5, $6, $7)',
    values: columns.map((column) => attempt[column]),
  });
}

/** In the order of the table. */
const columns = ['id', 'endpoint', 'startedAt', 'durationMs', 'status', 'signature', 'response'] as const;
