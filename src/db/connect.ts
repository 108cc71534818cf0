import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { hours } from '../clock.ts';
import { ConnectionQueue, type Share } from './connection-queue.ts';
import { isConnectionKept, isDeadlock, isReadOnly, isUnavailable } from './database-errors.ts';
import { HotStatements } from './hot-statements.ts';
import { countOnCoordinator, isNumbered } from './records/written-in.ts';
import { type Sql, toStatement } from './sql.ts';
import { JustTaken } from './violations.ts';

/** What stores and verbs work with: the pool, or one transaction on it. */
export interface Db {
  /** Whether what is written can still be undone, and is not yet seen by others. */
  readonly inTransaction: boolean;
  /** Whether the database has Citus, so that its tables may be on several nodes. Known from the first connection on. */
  isDistributed(): boolean;
  query<Row>(query: Sql): Promise<Row[]>;
  /** Runs `work` in a transaction. Inside a transaction, it joins that one. */
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>;
}

export interface Database extends Db {
  /** With an account, the statement waits for that account's turn. */
  query<Row>(query: Sql, accountId?: string): Promise<Row[]>;
  transaction<Result>(work: (tx: Db) => Promise<Result>, accountId?: string): Promise<Result>;
  /** A connection for LISTEN, COPY and migrations. The caller releases it. */
  connect(): Promise<pg.PoolClient>;
  readonly pool: pg.Pool;
  /** Whether the database's disk is full. Only known of the embedded database. */
  isFull(): boolean;
  /** Waits for statements that run or wait for a connection, even if their callers are gone. */
  close(): Promise<void>;
}

interface ConnectOptions {
  connection: pg.PoolConfig;
  poolSize: number;
  /** How long to wait for the answer to one statement. */
  timeoutMs?: number;
  onError: (error: Error) => void;
  isFull?: () => boolean;
}

export function connect(options: ConnectOptions): Database {
  const { connection, poolSize, timeoutMs = 10_000, onError, isFull } = options;
  // It is better to fail early than to wait longer.
  const waitMs = Math.min(5_000, timeoutMs);
  let isDistributed = false;
  const pool = new pg.Pool({
    ...connection,
    max: poolSize,
    application_name: 'tenure',
    connectionTimeoutMillis: waitMs,
    // Longer than any statement of ours should take. If the database stops answering, its callers are not stuck.
    query_timeout: timeoutMs,
    keepAlive: true,
    // With pg's default of ten seconds, every small burst of requests would wait for new connections again.
    idleTimeoutMillis: 60_000,
    // Planning for the values of each call would take longer than most of our statements do. They are written so that
    // one plan is right for all values, which test/plans.test.ts checks. Incremental sort is off because Postgres would
    // read a page from an index that begins alike, and sort it. Dates are ISO whatever the server's own style is. A
    // distributed database can find an account's node only by the value, so there each plan is made for its values.
    onConnect: async (client) => {
      const results = (await client.query(
        `select set_config('plan_cache_mode', case when extension then 'auto' else 'force_generic_plan' end, false),
           extension as "isDistributed"
         from (select exists (select from pg_extension where extname = 'citus') as extension) found;
         set enable_incremental_sort = off; set datestyle = iso; ${limits(timeoutMs)}`,
      )) as unknown as pg.QueryResult<{ isDistributed: boolean }>[];
      isDistributed = results[0]?.rows[0]?.isDistributed ?? false;
      if (!isDistributed) return;
      distributed.add(client);
      await client.query(oneConnectionToEachNode);
    },
  });
  // Every caller who waits for a connection adds a listener (connectBefore).
  pool.setMaxListeners(0);
  // The pool attaches the whole client to the error, which is no use in a log line. While closing, the pool does not
  // wait for connections to end, so it is nothing new if Postgres stops right after.
  pool.on('error', (error) => {
    if (!pool.ending) onError(Object.assign(error, { client: undefined }));
  });
  // A connection that is lost while checked out emits 'error', which ends the process if nobody listens. Other users of
  // the pool (better-auth) do not, and we would be too late if the end arrives in one packet with the greeting.
  pool.on('connect', (client) => {
    bornAt.set(client, performance.now());
    client.on('error', () => broken.add(client));
  });
  const queue = new ConnectionQueue(poolSize, waitMs);
  const own = queue.shareWithoutLimit();
  const shares = new LRUCache<string, Share>({ max: mostShares, memoMethod: () => queue.share() });
  const hot = new HotStatements();
  const withQueuedClient = <Result>(
    accountId: string | undefined,
    work: (client: pg.PoolClient) => Promise<Result>,
  ) => {
    const share = accountId === undefined ? own : shares.memo(accountId);
    const deadline = performance.now() + waitMs;
    return queue.run(share, () => withClient(pool, deadline, work));
  };
  return {
    inTransaction: false,
    pool,
    isFull: isFull ?? (() => false),
    isDistributed: () => isDistributed,
    connect: () => pool.connect(),
    close: async () => {
      await queue.quiet();
      await pool.end();
    },
    query: (query, accountId) => withQueuedClient(accountId, (client) => runAlone(client, hot, query)),
    transaction: (work, accountId) =>
      withQueuedClient(accountId, (client) => inTransaction(client, hot, work)),
  };
}

/**
 * For a distributed database. By default, a statement on many parts of a table opens up to 16 connections to each node,
 * and keeps one of them. A new one costs a process, TLS and all that PostgreSQL remembers of tables. There were 5 new
 * ones for each payment delivered (docs/decisions/0043-one-connection-to-each-node.md).
 */
const oneConnectionToEachNode = 'set citus.max_adaptive_executor_pool_size = 1';

/** More than the number of accounts that are ever active at the same time. */
const mostShares = 10_000;

/**
 * A statement must not take effect after its caller was told that it failed. Waiting for a lock must not keep a
 * connection from everybody else for that long. And if a machine vanishes in the middle of a transaction, its locks
 * must be released before TCP notices, which takes hours.
 */
const limits = (timeoutMs: number): string =>
  `set statement_timeout = ${Math.ceil(timeoutMs * 0.9)}; set lock_timeout = ${Math.ceil(timeoutMs * 0.3)};
   set idle_in_transaction_session_timeout = ${3 * timeoutMs}`;

/** Begins a transaction that may take long. */
export const liftLimits =
  'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0';

/**
 * Runs a transaction that may take long, such as a migration or a backup. `settings` are statements that run before the
 * work.
 */
export async function inLongTransaction<Result>(
  database: Database,
  { isolation = '', settings = '' }: { isolation?: string; settings?: string },
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await database.connect();
  // Otherwise a connection lost between two statements would end the process.
  client.on('error', ignore);
  let failed = false;
  try {
    await client.query(withoutLimit(`begin ${isolation}; ${liftLimits}; ${settings}`));
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    failed = true;
    await client.query('rollback').catch(ignore);
    throw error;
  } finally {
    client.removeListener('error', ignore);
    // The connection is not reused: it may lead to a server that was replaced and is now read-only.
    client.release(failed);
  }
}

const ignore = () => undefined;

/**
 * With much data, a migration takes longer than any request may, and so does waiting for another process to migrate.
 */
export const withoutLimit = (text: string) => ({ text, query_timeout: hours(24) });

/**
 * For a distributed database: a transaction that changes tables uses one connection to each node. With several, it
 * could not change a table and then another that refers to it. Plain PostgreSQL ignores the setting.
 */
const oneConnection = "set local citus.multi_shard_modify_mode = 'sequential'";

/** The settings of a transaction that changes the schema. Other such transactions wait until it ends. */
export const changingSchema = `${oneConnection}; select pg_advisory_xact_lock(hashtext('tenure migrations'))`;

/**
 * pool.query() throws the connection away after any error, so every constraint violation would cost a new connection
 * with all its prepared statements. This throws away broken connections only.
 */
async function withClient<Result>(
  pool: pg.Pool,
  deadline: number,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await takeFresh(pool, deadline);
  try {
    return await work(client);
  } catch (error) {
    if (!isConnectionKept(error, distributed.has(client))) broken.add(client);
    if (isReadOnly(error)) readOnlySince.set(pool, performance.now());
    throw error;
  } finally {
    client.release(broken.has(client));
  }
}

/**
 * Connections to throw away. If one is reset between two statements, neither of them fails: only the client emits
 * 'error'.
 */
const broken = new WeakSet<pg.ClientBase>();
/** Connections to a database with Citus. */
const distributed = new WeakSet<pg.ClientBase>();
const bornAt = new WeakMap<pg.PoolClient, number>();
/** When a statement of this pool last met a read-only server, which means that the primary was replaced. */
const readOnlySince = new WeakMap<pg.Pool, number>();

/**
 * The pool may still hold connections to a primary that was replaced, and all of them would fail. So one failure counts
 * for every connection that is at least as old.
 */
async function takeFresh(pool: pg.Pool, deadline: number): Promise<pg.PoolClient> {
  for (;;) {
    const client = await (hasIdle(pool) ? pool.connect() : connectBefore(pool, deadline));
    const staleBefore = readOnlySince.get(pool);
    if (staleBefore === undefined || (bornAt.get(client) ?? 0) > staleBefore) return client;
    client.release(true);
  }
}

/**
 * Whether a connection is idle and nobody is about to get it: the pool hands them out in the next turn of the event
 * loop.
 */
const hasIdle = (pool: pg.Pool): boolean => pool.idleCount > pool.waitingCount;

/** A new connection gets at least this long, however long the caller waited for its turn. */
const leastConnectMs = 500;

/**
 * While the database hangs, the wait for a turn and the wait for a connection together last no longer than one of them
 * alone. Making a connection takes the database a process, and seconds on a busy machine, and the pool would make its
 * caller wait for that very connection. Here the caller takes any that is returned in the meantime.
 */
function connectBefore(pool: pg.Pool, deadline: number): Promise<pg.PoolClient> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    pool.off('release', lookForIdle);
  };
  const waitFor = (connecting: Promise<pg.PoolClient>) =>
    void connecting.then(
      (client) => {
        // Another connection was returned first.
        if (isOver) return client.release();
        end();
        resolve(client);
      },
      (error) => {
        end();
        reject(error);
      },
    );
  // The pool announces a connection just before it becomes idle.
  const lookForIdle = () =>
    queueMicrotask(() => {
      if (!isOver && hasIdle(pool)) waitFor(pool.connect());
    });
  const giveUp = () => {
    end();
    // The same message as the pool's.
    reject(new Error('timeout exceeded when trying to connect'));
  };
  const timer = setTimeout(giveUp, Math.max(leastConnectMs, deadline - performance.now()));
  pool.on('release', lookForIdle);
  waitFor(pool.connect());
  return promise;
}

/** Runs a statement outside a transaction. */
const runAlone = <Row>(client: pg.PoolClient, hot: HotStatements, query: Sql): Promise<Row[]> =>
  distributed.has(client) && isNumbered(toStatement(query))
    ? inTransaction(client, hot, (tx) => tx.query<Row>(query))
    : run(client, hot, query);

async function run<Row>(client: pg.PoolClient, hot: HotStatements, query: Sql): Promise<Row[]> {
  try {
    const written = toStatement(query);
    const statement = distributed.has(client) ? await countOnCoordinator(client, written) : written;
    const name = hot.nameOf(statement.text);
    if (name !== undefined) hot.makeRoom(client, name);
    const { rows } = await client.query(name === undefined ? statement : { ...statement, name });
    return rows as Row[];
  } catch (error) {
    // The original stack, in the code that reads from a socket, is of no help.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

async function inTransaction<Result>(
  client: pg.PoolClient,
  hot: HotStatements,
  work: (tx: Db) => Promise<Result>,
): Promise<Result> {
  const tx: Db = {
    inTransaction: true,
    isDistributed: () => distributed.has(client),
    query: (query) => run(client, hot, query),
    transaction: (inner) => inner(tx),
  };
  await client.query('begin');
  try {
    const result = await work(tx);
    await client.query('commit');
    return result;
  } catch (error) {
    // If a statement was not answered in time, rolling back would wait as long, so its connection is thrown away.
    // Otherwise the rollback is awaited: Postgres reports an error before it releases locks, and a repeat would meet
    // them.
    if (isConnectionKept(error, distributed.has(client)))
      await client.query('rollback').catch(() => broken.add(client));
    throw error;
  }
}

/**
 * For writes, which nothing else may repeat. It also tries again if somebody else was faster with an external_id. The
 * pause lets the other transaction through: without it, this one would lock the row again while the other is still
 * waking up.
 */
export async function retryDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let retries = 2; ; retries--) {
    try {
      return await work();
    } catch (error) {
      if (retries === 0 || !(isDeadlock(error) || error instanceof JustTaken)) throw error;
      if (isDeadlock(error)) await sleep(20 + Math.random() * 80);
    }
  }
}

/** After this time there are no more retries: callers should soon hear if the database is really away. */
const retryWithinMs = 1_000;

/**
 * Tries again after the database went away. Pooled connections to a server that restarted or failed over are dead, and
 * so may the next ones be (each try removes one from the pool, and others take from it as well). Only for what may be
 * done twice.
 */
export async function retryUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  for (let retries = 5; ; retries--) {
    try {
      return await work();
    } catch (error) {
      // A read-only server answers at once, however long it took to reach it, and the next connection goes to another
      // server.
      const late = performance.now() - started > retryWithinMs && !isReadOnly(error);
      if (retries === 0 || !isUnavailable(error) || late) throw error;
    }
  }
}
