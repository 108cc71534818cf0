import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Connection, connectionTo } from './ask.ts';
import { type Hold, type Holder, type Role, readHolder, tryHold } from './hold.ts';
import { initialise } from './initdb.ts';
import { findLayout, type Layout } from './layout.ts';
import { readPidFile } from './postmaster.ts';
import { DataFolderHeld, explainRefusal } from './problem.ts';
import { hasRoom, watchSpace } from './space.ts';
import { keepRunning, type SupervisorOptions } from './supervisor.ts';

export { DataFolderHeld, EmbeddedProblem } from './problem.ts';

export interface EmbeddedOptions extends SupervisorOptions {
  dataDir: string;
  /** A server keeps Postgres for itself. A command shares a running server's Postgres, or runs its own for a moment. */
  role: Role;
  /** What the holder is doing, such as `tenure start`, for others who want the folder. */
  purpose: string;
}

export interface EmbeddedPostgres {
  /** For `pg.Pool`. The host is the folder of the socket, which stays the same when Postgres is restarted. */
  connection: Connection;
  /** Where the data really is. */
  dataDir: string;
  /** Whether its disk has too little space left for writing. */
  isFull(): boolean;
  /** Stops Postgres if it is ours to stop, and releases the folder. */
  stop(): Promise<void>;
}

const LOOK_AGAIN_MS = 50;

/** Provides a running Postgres on this data folder: started, taken over or shared. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    return await open(options);
  } catch (error) {
    throw explainRefusal(error, resolve(options.dataDir));
  }
}

async function open(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const layout = findLayout(options.dataDir, options.log);
  const entry = await enter(layout, options);
  if (!entry.hold) {
    const { connection } = entry;
    const isFull = () => !hasRoom(layout.folder);
    return { connection, dataDir: layout.cluster, isFull, stop: async () => {} };
  }
  const { hold } = entry;
  try {
    await initialise(layout, { sync: options.settings?.fsync !== 'off' });
    const { connection, stop } = await keepRunning(layout, options);
    hold.say('serving');
    const space = watchSpace(layout.folder, options.log);
    const stopAll = () => {
      space.stop();
      return stop();
    };
    return { connection, dataDir: layout.cluster, isFull: space.isFull, stop: stopOnce(hold, stopAll) };
  } catch (error) {
    hold.release();
    throw error;
  }
}

/** Takes the folder; a command may join the server that holds it. Waits if the holder will soon be done. */
async function enter(
  layout: Layout,
  { dataDir, role, purpose }: EmbeddedOptions,
): Promise<{ hold: Hold } | { hold?: undefined; connection: Connection }> {
  const since = performance.now();
  for (;;) {
    const hold = tryHold(layout.folder, { role, purpose });
    if (hold) return { hold };
    const holder = readHolder(layout.folder);
    if (role === 'command' && holder?.role === 'server' && holder.stage === 'serving') {
      const socketFolder = readPidFile(layout)?.socketFolder;
      const connection = socketFolder && connectionTo(socketFolder);
      if (connection && (await ask(connection)) === 'ready') return { connection };
    }
    if (performance.now() - since > longestWaitMs(role, holder)) throw heldBy(dataDir, holder);
    await sleep(LOOK_AGAIN_MS);
  }
}

function longestWaitMs(role: Role, holder: Holder | undefined): number {
  // Commands end by themselves, and a starting server will soon answer a command.
  if (role === 'command' || holder?.role === 'command') return 30_000;
  // Stopping Postgres can take this long.
  if (holder?.stage === 'stopping') return 20_000;
  // The holder may be finishing its last requests, or may not have written its name yet.
  return 2_000;
}

function heldBy(dataDir: string, holder: Holder | undefined): DataFolderHeld {
  const who = holder
    ? `"${holder.purpose}" (process ${holder.pid}, since ${holder.since.slice(0, 19).replace('T', ' ')} UTC)`
    : 'another process';
  return new DataFolderHeld(
    `The data folder ${resolve(dataDir)} is in use by ${who}. Stop that process first, or set DATA_DIR to another folder.`,
  );
}

function stopOnce(hold: Hold, stopPostgres: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  async function stop() {
    hold.say('stopping');
    try {
      await stopPostgres();
    } finally {
      hold.release();
    }
  }
  return () => {
    stopped ??= stop();
    return stopped;
  };
}
