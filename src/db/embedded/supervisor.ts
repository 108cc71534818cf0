import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Connection, connectionTo, ensureDatabase } from './ask.ts';
import type { Place } from './place.ts';
import {
  findPostmaster,
  type Postmaster,
  type Settings,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts';
import { EmbeddedProblem } from './problem.ts';
import { boundLog, readLog } from './run.ts';
import { makeSocketFolder, removeSocketFolder } from './socket.ts';

interface Log {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: object, message: string): void;
}

const ASK_AGAIN_MS = 20;
const RETRY_MS = 250;
const TELL_EVERY = 40; // attempts, some 10 s: a full disk can last for hours
/** Backends of a killed postmaster can take this long to notice and let go of its memory. */
const FIRST_START_PATIENCE_MS = 30_000;
/** A postmaster that neither answers nor says that it is busy is stuck. */
const SILENCE_MS = 20_000;
const LOG_CHECK_MS = 60_000;
// What a start says while such backends live.
const STILL_OCCUPIED = /pre-existing shared memory block|lock file .* already exists/;

/** Adopts or starts Postgres, and starts it again whenever it dies, until told to stop. */
export async function keepRunning(
  place: Place,
  settings: Settings,
  log: Log,
): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const adopted = await adopt(place, log);
  const socketFolder = adopted?.socketFolder ?? makeSocketFolder(place);
  const connection = connectionTo(socketFolder);
  const start = () => startPostmaster(place, socketFolder, settings);
  let current = adopted?.postmaster ?? (await firstStart(place, start, connection));
  await ensureDatabase(connection);
  let isStopping = false;

  async function restartWhenGone(): Promise<void> {
    for (;;) {
      await current.gone;
      if (isStopping) return;
      log.error({ pid: current.pid }, 'Postgres died, starting it again');
      await restart();
    }
  }

  async function restart(): Promise<void> {
    const since = performance.now();
    for (let attempt = 0; !isStopping; attempt += 1) {
      const reason = await tryAgain().catch(String);
      if (!reason) {
        log.info({ pid: current.pid, afterMs: Math.round(performance.now() - since) }, 'Postgres is back');
        return;
      }
      if (attempt % TELL_EVERY === 0) log.warn({ reason }, 'Postgres does not start yet');
      await sleep(RETRY_MS);
    }
  }

  /** Says why it did not work, if it did not. */
  async function tryAgain(): Promise<string | undefined> {
    const from = boundLog(place);
    current = start();
    if (await answers(current, connection)) return undefined;
    await stopPostmaster(current);
    return readLog(place, from) || 'it said nothing';
  }

  const supervision = restartWhenGone();
  const logCheck = setInterval(boundLog, LOG_CHECK_MS, place).unref();
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

async function adopt(place: Place, log: Log): Promise<ReturnType<typeof findPostmaster>> {
  const found = findPostmaster(place);
  if (!found) return undefined;
  if (await answers(found.postmaster, connectionTo(found.socketFolder))) {
    log.info({ pid: found.postmaster.pid }, 'Postgres was still running, taking it over');
    return found;
  }
  // It was just shutting down, or its socket is gone and nothing will ever reach it.
  await stopPostmaster(found.postmaster);
  return undefined;
}

async function firstStart(
  place: Place,
  start: () => Postmaster,
  connection: Connection,
): Promise<Postmaster> {
  const since = performance.now();
  for (;;) {
    const from = boundLog(place);
    const postmaster = start();
    if (await answers(postmaster, connection)) return postmaster;
    await stopPostmaster(postmaster);
    const said = readLog(place, from);
    if (!STILL_OCCUPIED.test(said) || performance.now() - since > FIRST_START_PATIENCE_MS) {
      throw new EmbeddedProblem(`Postgres did not start on ${place.cluster}:\n${said}`);
    }
    await sleep(RETRY_MS);
  }
}

/** Waits until Postgres answers. False when it ends first, or stays silent. Recovery may take its time. */
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
