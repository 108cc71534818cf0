import type pg from 'pg';
import type { Attempt } from './webhooks.ts';

/*
 * The durable record of every delivery that a webhook service must keep and job queues do not: for the peers one narrow
 * table, one row each, written in batches. (Tenure writes two rows with more columns and indexes.)
 */

export async function createRecord(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create table if not exists delivery_record (
      id uuid primary key, endpoint integer not null, started_at timestamptz not null, duration_ms integer not null,
      status smallint not null, signature text not null, response text not null)`);
}

export const clearRecord = (pool: pg.Pool): Promise<unknown> => pool.query('truncate delivery_record');

export async function record(pool: pg.Pool, attempts: Attempt[]): Promise<void> {
  await pool.query({
    name: 'record',
    text: `insert into delivery_record
      select * from unnest($1::uuid[], $2::integer[], $3::timestamptz[], $4::integer[], $5::smallint[], $6::text[], $7::text[])`,
    values: [
      attempts.map(({ id }) => id),
      attempts.map(({ endpoint }) => endpoint),
      attempts.map(({ startedAt }) => startedAt),
      attempts.map(({ durationMs }) => durationMs),
      attempts.map(({ status }) => status),
      attempts.map(({ signature }) => signature),
      attempts.map(({ response }) => response),
    ],
  });
}

/** What a job keeps before it ends. */
export interface Keeper {
  add(attempt: Attempt): Promise<void>;
}

/** As the handler of a job would: its row, on one of the pool's connections. */
export const recordEach = (pool: pg.Pool): Keeper => ({
  async add({ id, endpoint, startedAt, durationMs, status, signature, response }) {
    await pool.query({
      name: 'record one',
      text: 'insert into delivery_record values ($1, $2, $3, $4, $5, $6, $7)',
      values: [id, endpoint, startedAt, durationMs, status, signature, response],
    });
  },
});

const flushAfterMs = 5;
const flushAtRows = 250;

/** Collects the rows of many jobs for a moment, written for this benchmark. A job has ended when its batch is written. */
export class Recorder implements Keeper {
  readonly #pool: pg.Pool;
  #rows: Attempt[] = [];
  #written = Promise.withResolvers<void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  add(attempt: Attempt): Promise<void> {
    this.#rows.push(attempt);
    const { promise } = this.#written;
    if (this.#rows.length >= flushAtRows) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), flushAfterMs);
    return promise;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [rows, { resolve, reject }] = [this.#rows, this.#written];
    this.#rows = [];
    this.#written = Promise.withResolvers();
    record(this.#pool, rows).then(resolve, reject);
  }
}
