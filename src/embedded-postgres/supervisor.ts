import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Connection, connectionTo, ensureDatabase } from './ask.ts';
import type { Layout } from './layout.ts';
import {
  findPostmaster,
  type Postmaster,
  type Settings,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts';
import { diskFull, explainStart } from './problem.ts';
import { boundLog, readLog } from './run.ts';
import { makeSocketFolder, removeSocketFolder } from './socket.ts';
import { hasRoom, saysDiskFull } from './space.ts';
import { GRACE_SECONDS, watch } from './watchdog.ts';

interface Log {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: object, message: string): void;
}

const DISK_FULL = '53100';
const ASK_AGAIN_MS = 20;
const RETRY_MS = 250;
/**
 * How many quick retries there are, for causes that soon pass. After that, retries become rarer, because each start
 * costs a recovery.
 */
const QUICK_RETRIES = 20;
const LONGEST_RETRY_MS = 5_000;
/** A Postgres that lived this long did not die because of how it started. */
const SOUND_AFTER_MS = 30_000;
const TELL_EVERY_MS = 10_000; // a full disk can last for hours
/** Backends of a killed postmaster can take this long to notice and release its memory. */
const FIRST_START_TIMEOUT_MS = 30_000;
/** A postmaster that neither answers nor says that it is busy is stuck. */
const SILENCE_MS = 20_000;
const LOG_CHECK_MS = 60_000;
// What a start reports while such backends live.
const STILL_OCCUPIED = /pre-existing shared memory block|lock file .* already exists/;

export interface SupervisorOptions {
  log: Log;
  /** Further Postgres settings, for tests. */
  settings?: Settings;
  /** How long Postgres outlives a killed server; tests shorten it. */
  graceSeconds?: number;
}

/** Takes over or starts Postgres, and restarts it whenever it dies, until told to stop. */
export async function keepRunning(
  layout: Layout,
  { settings = {}, graceSeconds = GRACE_SECONDS, log }: SupervisorOptions,
): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const adopted = await adopt(layout, log);
  if (adopted) watch(layout, adopted.postmaster, graceSeconds);
  const socketFolder = adopted?.socketFolder ?? makeSocketFolder(layout);
  const connection = connectionTo(socketFolder);
  const start = () => {
    const postmaster = startPostmaster(layout, socketFolder, settings);
    watch(layout, postmaster, graceSeconds);
    return postmaster;
  };
  let current = adopted?.postmaster ?? (await firstStart(layout, start, connection));
  await ensureDatabase(connection).catch(async (error) => {
    await stopPostmaster(current);
    throw (error as { code?: string }).code === DISK_FULL ? diskFull(layout.cluster) : error;
  });
  let isStopping = false;
  let startedAt = performance.now();
  let attempt = 0;
  let toldAt = Number.NEGATIVE_INFINITY;

  async function restartWhenGone(): Promise<void> {
    for (;;) {
      await current.gone;
      if (isStopping) return;
      log.error({ pid: current.pid }, 'Postgres died, starting it again');
      // If it keeps dying, it is restarted ever more rarely.
      if (performance.now() - startedAt > SOUND_AFTER_MS) attempt = 0;
      else if (attempt > 0) await pause('');
      await restart();
    }
  }

  async function restart(): Promise<void> {
    const since = performance.now();
    while (!isStopping) {
      const reason = await tryAgain().catch(String);
      attempt += 1;
      if (!reason) {
        startedAt = performance.now();
        log.info({ pid: current.pid, afterMs: Math.round(performance.now() - since) }, 'Postgres is back');
        return;
      }
      tell(reason);
      await pause(reason);
    }
  }

  function tell(reason: string): void {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    if (saysDiskFull(reason))
      log.error({ folder: layout.cluster }, 'disk full: Postgres cannot start until there is space again');
    else log.warn({ reason: explainStart(layout.cluster, reason).message }, 'Postgres does not start yet');
  }

  /** Waits for the next try. On a full disk it waits for space, which costs almost nothing to check. */
  async function pause(reason: string): Promise<void> {
    const doublings = Math.max(0, attempt - QUICK_RETRIES);
    const longest = Math.min(RETRY_MS * 2 ** doublings, LONGEST_RETRY_MS);
    const isFull = saysDiskFull(reason);
    const until = performance.now() + (isFull ? LONGEST_RETRY_MS : longest);
    do await sleep(RETRY_MS);
    while (!isStopping && performance.now() < until && !(isFull && hasRoom(layout.folder)));
  }

  /** Returns the reason if Postgres did not start. */
  async function tryAgain(): Promise<string | undefined> {
    const from = boundLog(layout);
    current = start();
    if (await answers(current, connection)) return undefined;
    await stopPostmaster(current);
    return readLog(layout, from) || 'it said nothing';
  }

  const supervision = restartWhenGone();
  const logCheck = setInterval(boundLog, LOG_CHECK_MS, layout).unref();
  return {
    connection,
    async stop() {
      isStopping = true;
      clearInterval(logCheck);
      await stopPostmaster(current);
      await supervision;
      removeSocketFolder(socketFolder);
    },
  };
}

async function adopt(layout: Layout, log: Log): Promise<ReturnType<typeof findPostmaster>> {
  const found = findPostmaster(layout);
  if (!found) return undefined;
  if (await answers(found.postmaster, connectionTo(found.socketFolder))) {
    log.info({ pid: found.postmaster.pid }, 'Postgres was still running, taking it over');
    return found;
  }
  // It is shutting down, or its socket is gone and nothing will ever reach it.
  await stopPostmaster(found.postmaster);
  return undefined;
}

async function firstStart(
  layout: Layout,
  start: () => Postmaster,
  connection: Connection,
): Promise<Postmaster> {
  const since = performance.now();
  for (;;) {
    const from = boundLog(layout);
    const postmaster = start();
    if (await answers(postmaster, connection)) return postmaster;
    await stopPostmaster(postmaster);
    const said = readLog(layout, from);
    if (!STILL_OCCUPIED.test(said) || performance.now() - since > FIRST_START_TIMEOUT_MS) {
      throw explainStart(layout.cluster, said);
    }
    await sleep(RETRY_MS);
  }
}

/** Waits until Postgres answers. Returns false if it ends first or stays silent. A recovery may take long. */
async function answers(postmaster: Postmaster, connection: Connection): Promise<boolean> {
  let heardAt = performance.now();
  while (!postmaster.isGone() && performance.now() - heardAt < SILENCE_MS) {
    const answer = await ask(connection);
    if (answer === 'ready') return true;
    if (answer === 'busy') heardAt = performance.now();
    await sleep(ASK_AGAIN_MS);
  }
  return false;
}
