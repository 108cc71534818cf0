import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { hours } from '../clock.ts';
import { ConnectionTurns, type Lane } from './connection-turns.ts';
import { isConnectionKept, isDeadlock, isReadOnly, isUnavailable } from './database-errors.ts';
import { HotStatements } from './hot-statements.ts';
import { countOnCoordinator, isNumbered } from './records/written-in.ts';
import { type Sql, toStatement } from './sql.ts';
import { JustTaken } from './violations.ts';

/** What stores and verbs work with: the pool, or one transaction on it. */
export interface Db {
  /** Whether what is written can still be undone, and is not yet seen by others. */
  readonly inTransaction: boolean;
  /** Whether it has Citus: its tables may be on several nodes. Known from the first connection on. */
  isDistributed(): boolean;
  query<Row>(query: Sql): Promise<Row[]>;
  /** Runs `work` in one transaction; inside a transaction it joins that one. */
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>;
}

export interface Database extends Db {
  /** With an account, the statement waits for that account's turn. */
  query<Row>(query: Sql, accountId?: string): Promise<Row[]>;
  transaction<Result>(work: (tx: Db) => Promise<Result>, accountId?: string): Promise<Result>;
  /** A connection for LISTEN, COPY and migrations. The caller releases it. */
  connect(): Promise<pg.PoolClient>;
  readonly pool: pg.Pool;
  /** Whether its disk is full. Known of the embedded database only. */
  isFull(): boolean;
  /** Waits for statements that run or wait for their turn: their callers may be gone. */
  close(): Promise<void>;
}

interface ConnectOptions {
  connection: pg.PoolConfig;
  poolSize: number;
  /** Longest wait for the answer to one statement. */
  timeoutMs?: number;
  onError: (error: Error) => void;
  isFull?: () => boolean;
}

export function connect(options: ConnectOptions): Database {
  const { connection, poolSize, timeoutMs = 10_000, onError, isFull } = options;
  // Failing early is better than a longer wait.
  const waitMs = Math.min(5_000, timeoutMs);
  let isDistributed = false;
  const pool = new pg.Pool({
    ...connection,
    max: poolSize,
    application_name: 'tenure',
    connectionTimeoutMillis: waitMs,
    // Longer than any statement of ours should take: a database that stops answering frees its callers.
    query_timeout: timeoutMs,
    keepAlive: true,
    // After pg's ten seconds, every small burst of requests would wait for new connections again.
    idleTimeoutMillis: 60_000,
    // Planning for the values of each call takes longer than most of our statements do. They are written so that one
    // plan is right for all values; test/plans.test.ts checks it. Incremental sort is off because Postgres would read
    // a page from an index that begins alike, and sort. Dates are ISO whatever the server's own style is.
    // A distributed database finds an account's node by the value alone, so there each plan is made for its values.
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
  // wait for connections to end, and a Postgres that stops right after is no news.
  pool.on('error', (error) => {
    if (!pool.ending) onError(Object.assign(error, { client: undefined }));
  });
  // A connection that is lost while checked out emits 'error', which ends the process if nobody listens. Other users
  // of the pool (better-auth) do not listen, and we would be too late when the end arrives in one packet with the
  // greeting.
  pool.on('connect', (client) => {
    bornAt.set(client, performance.now());
    client.on('error', () => broken.add(client));
  });
  const turns = new ConnectionTurns(poolSize, waitMs);
  const own = turns.laneWithoutLimit();
  const lanes = new LRUCache<string, Lane>({ max: mostLanes, memoMethod: () => turns.lane() });
  const hot = new HotStatements();
  const withClientInTurn = <Result>(
    accountId: string | undefined,
    work: (client: pg.PoolClient) => Promise<Result>,
  ) => {
    const lane = accountId === undefined ? own : lanes.memo(accountId);
    const deadline = performance.now() + waitMs;
    return turns.run(lane, () => withClient(pool, deadline, work));
  };
  return {
    inTransaction: false,
    pool,
    isFull: isFull ?? (() => false),
    isDistributed: () => isDistributed,
    connect: () => pool.connect(),
    close: async () => {
      await turns.quiet();
      await pool.end();
    },
    query: (query, accountId) => withClientInTurn(accountId, (client) => runAlone(client, hot, query)),
    transaction: (work, accountId) =>
      withClientInTurn(accountId, (client) => inTransaction(client, hot, work)),
  };
}

/**
 * Of a distributed database: by default a statement on many parts of a table opens up to 16 connections to each node
 * and keeps one. A new one costs a process, TLS and everything that PostgreSQL remembers of tables. There were 5 for
 * each payment delivered (docs/decisions/0043-one-connection-to-each-node.md).
 */
const oneConnectionToEachNode = 'set citus.max_adaptive_executor_pool_size = 1';

/** More accounts than are ever active at the same time. */
const mostLanes = 10_000;

/**
 * A statement must not be done after its caller was told that it failed. A wait for a lock must not take a connection
 * from everybody else for as long. And the locks of a machine that vanished in the middle of a transaction must be let
 * go before TCP notices, which takes hours.
 */
const limits = (timeoutMs: number): string =>
  `set statement_timeout = ${Math.ceil(timeoutMs * 0.9)}; set lock_timeout = ${Math.ceil(timeoutMs * 0.3)};
   set idle_in_transaction_session_timeout = ${3 * timeoutMs}`;

/** Begins a transaction that may take long. */
export const liftLimits =
  'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0';

/**
 * A transaction that may take long, such as a migration or a backup. `settings` are statements that run before the
 * work.
 */
export async function inLongTransaction<Result>(
  database: Database,
  { isolation = '', settings = '' }: { isolation?: string; settings?: string },
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await database.connect();
  // A connection lost between two statements would otherwise end the process.
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
    // The connection is not reused: it may lead to a server that was replaced and is read-only now.
    client.release(failed);
  }
}

const ignore = () => undefined;

/** On much data a migration takes longer than any request may, and so does waiting for another process's. */
export const withoutLimit = (text: string) => ({ text, query_timeout: hours(24) });

/**
 * Of a distributed database: a transaction that changes tables uses one connection to each node. Over several, it could
 * not change a table and then one that refers to it. PostgreSQL alone ignores the setting.
 */
const oneConnection = "set local citus.multi_shard_modify_mode = 'sequential'";

/** The settings of a transaction that changes the schema. Others that do so wait until it ends. */
export const changingSchema = `${oneConnection}; select pg_advisory_xact_lock(hashtext('tenure migrations'))`;

/**
 * pool.query() throws the connection away after any error, so every constraint violation would cost a
 * new connection with all its prepared statements. Here only a broken connection is thrown away.
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
 * Connections to be thrown away. A reset between two statements of a caller reaches neither of them, only the
 * client's 'error'.
 */
const broken = new WeakSet<pg.ClientBase>();
/** Connections to a database with Citus. */
const distributed = new WeakSet<pg.ClientBase>();
const bornAt = new WeakMap<pg.PoolClient, number>();
/** When a statement of this pool last met a read-only server, because the primary was replaced. */
const readOnlySince = new WeakMap<pg.Pool, number>();

/**
 * A primary that was replaced may still hold connections of ours, all of which would fail. One failure means that
 * every connection at least as old fails too.
 */
async function takeFresh(pool: pg.Pool, deadline: number): Promise<pg.PoolClient> {
  for (;;) {
    const client = await (hasIdle(pool) ? pool.connect() : connectBefore(pool, deadline));
    const staleBefore = readOnlySince.get(pool);
    if (staleBefore === undefined || (bornAt.get(client) ?? 0) > staleBefore) return client;
    client.release(true);
  }
}

/** An idle connection that nobody is about to take: the pool hands them out in the next turn of the event loop. */
const hasIdle = (pool: pg.Pool): boolean => pool.idleCount > pool.waitingCount;

/** A new connection has at least this long, after however long a wait for the turn. */
const leastConnectMs = 500;

/**
 * While the database hangs, callers wait for their turn and a connection together no longer than for one of them
 * alone. Making a connection takes the database a process, and on a busy machine seconds, during which the pool would
 * make its caller wait for that connection only. Here the caller takes one that is returned in the meantime.
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
        // The returned connection came first.
        if (isOver) return client.release();
        end();
        resolve(client);
      },
      (error) => {
        end();
        reject(error);
      },
    );
  // The pool announces a connection just before it is idle.
  const lookForIdle = () =>
    queueMicrotask(() => {
      if (!isOver && hasIdle(pool)) waitFor(pool.connect());
    });
  const giveUp = () => {
    end();
    // With the pool's own message.
    reject(new Error('timeout exceeded when trying to connect'));
  };
  const timer = setTimeout(giveUp, Math.max(leastConnectMs, deadline - performance.now()));
  pool.on('release', lookForIdle);
  waitFor(pool.connect());
  return promise;
}

/** A statement outside of a transaction. */
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
    // The stack of its creation, in the code that reads from a socket, is of no help.
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
    // A statement that is not answered in time would keep this one waiting for as long; its connection is thrown away.
    // On others it is waited for: Postgres tells of an error before it lets go of locks, and a repeat would meet them.
    if (isConnectionKept(error, distributed.has(client)))
      await client.query('rollback').catch(() => broken.add(client));
    throw error;
  }
}

/**
 * For writes, which nothing else may repeat. It also tries again after somebody else was faster with an external_id.
 * The pause lets the other one through: without it, this one would lock the row again while the other is still being
 * woken for it.
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

/** Retries stop after this time: callers should soon hear of a database that is really away. */
const retryWithinMs = 1_000;

/**
 * Again after the database went away: pooled connections to a restarted or failed-over server are dead, and the next
 * ones may be dead too (each try removes one from the pool, and others take from it as well). Only for what may be
 * done twice.
 */
export async function retryUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  for (let retries = 5; ; retries--) {
    try {
      return await work();
    } catch (error) {
      // A read-only server says so at once, however long it took to reach it; the next connection goes to another
      // server.
      const late = performance.now() - started > retryWithinMs && !isReadOnly(error);
      if (retries === 0 || !isUnavailable(error) || late) throw error;
    }
  }
}
