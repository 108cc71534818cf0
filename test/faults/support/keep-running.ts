import { onTestFinished } from 'vitest';
import { type Environment, ready, type ServerProcess, spawnServer, until } from '../../support/process.ts';
import { scale } from './scale.ts';

interface Life {
  process: ServerProcess;
  startedAt: number;
  /** How we ended it. Null if it ended by itself or still lives. */
  ended: 'killed' | 'stopped' | null;
  isReady: boolean;
  /** If it was killed before it was ready, how much time it had had. */
  unreadyMs: number | null;
  code: number | null | undefined;
}

/** A process that is started again whenever it ends, as a service manager would. */
export interface Kept {
  readonly name: string;
  current(): ServerProcess;
  ready(): Promise<void>;
  /**
   * Kills it at once, as a power failure would. Returns whether there was a process to kill: the next one may not be
   * there yet.
   */
  kill(): boolean;
  /** How many of its processes died of a kill, and how many of them before they were ready. */
  killed(): { times: number; unready: number; longestUnreadyMs: number };
  /** Sends SIGTERM, and starts a new process when the old one has ended. Returns how long the old one took. */
  restart(): Promise<number>;
  stop(): Promise<void>;
  /**
   * What must happen in none of its lives: that it ends by itself, that it fails to start, or that its log has an
   * error. How the start of a process would have ended that was killed before it was ready is unknown. It must have
   * printed no error until then, and must not have had so much time that it should have been ready. That a start
   * succeeds with what it left behind is shown by the next life, and by the last one, which no kill cuts short.
   */
  troubles(): string[];
}

export function keepRunning(name: string, spawn: () => ServerProcess): Kept {
  const lives: Life[] = [];
  let wanted = true;

  function begin(): Life {
    const life: Life = {
      process: spawn(),
      startedAt: performance.now(),
      ended: null,
      isReady: false,
      unreadyMs: null,
      code: undefined,
    };
    lives.push(life);
    void whenReady(life.process).then(
      () => {
        life.isReady = true;
      },
      () => undefined,
    );
    void life.process.ended.then((code) => {
      life.code = code;
      if (wanted) setTimeout(() => wanted && begin(), 50);
    });
    return life;
  }

  const last = (): Life => lives.at(-1) ?? begin();
  begin();
  return {
    name,
    current: () => last().process,
    // The process is killed a moment before its end is known.
    ready: () => until(() => last().isReady && last().ended === null && last().code === undefined),
    kill() {
      const life = last();
      if (!isAlive(life)) return false;
      life.ended = 'killed';
      if (!life.isReady) life.unreadyMs = performance.now() - life.startedAt;
      life.process.kill('SIGKILL');
      return true;
    },
    killed() {
      const died = lives.filter(diedOfKill);
      const unready = died.flatMap(({ unreadyMs }) => unreadyMs ?? []);
      return {
        times: died.length,
        unready: unready.length,
        longestUnreadyMs: Math.round(Math.max(0, ...unready)),
      };
    },
    async restart() {
      const old = last();
      if (isAlive(old)) old.ended = 'stopped';
      const since = performance.now();
      old.process.kill('SIGTERM');
      await old.process.ended;
      const took = performance.now() - since;
      await until(() => last() !== old && last().isReady);
      return took;
    },
    async stop() {
      wanted = false;
      const life = last();
      if (isAlive(life)) {
        life.ended = 'stopped';
        life.process.kill('SIGTERM');
      }
      await life.process.ended;
    },
    troubles: () => lives.flatMap((life, n) => troublesOf(life).map((what) => `${name} #${n}: ${what}`)),
  };
}

/** Starts servers of one installation, each kept running until the test ends. */
export function keeping(environment: Environment) {
  return (name: string, part: 'api' | 'worker', more: Environment = {}): Kept => {
    const kept = keepRunning(name, () => spawnServer({ ...environment, ...more }, part));
    onTestFinished(() => kept.stop());
    return kept;
  };
}

/** An API says so at /readyz. A worker alone does not have this, and prints its welcome when it works. */
async function whenReady(server: ServerProcess): Promise<void> {
  if (!server.url.endsWith('undefined')) return ready(server);
  let over = false;
  void server.ended.then(() => {
    over = true;
  });
  await until(() => over || server.output().includes('Tenure is running'));
  if (over) throw new Error('ended');
}

/**
 * It has not ended and is not about to, as far as we know. If it ends at this moment, the way it ended shows it
 * (diedOfKill).
 */
const isAlive = ({ ended, process: { child } }: Life): boolean =>
  ended === null && child.exitCode === null && child.signalCode === null;

const diedOfKill = ({ ended, process: { child } }: Life): boolean =>
  ended === 'killed' && child.signalCode === 'SIGKILL';

/** Starting takes a second or two. A database that is killed and recovers during that time adds a few more. */
const readyWithinMs = scale(30_000, 120_000);

function troublesOf(life: Life): string[] {
  const { process, ended, isReady, unreadyMs, code } = life;
  const found = badLines(process.output(), diedOfKill(life));
  if (ended !== 'stopped' && code !== undefined && !diedOfKill(life))
    found.push(`ended by itself with code ${code}`);
  if (ended === 'stopped' && code !== 0) found.push(`was asked to stop and ended with code ${code}`);
  if (!isReady && ended !== 'killed') found.push('never became ready');
  if (unreadyMs !== null && unreadyMs > readyWithinMs)
    found.push(`was not ready after ${Math.round(unreadyMs / 1000)} s, when it was killed`);
  return found;
}

/** The errors that a process may log while its database is killed. */
const expected = /^(database unavailable|Postgres died, starting it again)$/;

/** All other errors, and whatever is neither a log line nor the welcome: a stack trace, or a warning of Node's. */
function badLines(output: string, wasKilled: boolean): string[] {
  const lines = output.split('\n');
  return lines.filter((line, n) => {
    if (line === '' || (line.startsWith(' ') && !/^\s+at /.test(line))) return false;
    if (!line.startsWith('{')) return true;
    const logged = parsed(line);
    // The last line of a killed process may be incomplete.
    if (logged === null) return !(wasKilled && n === lines.length - 1);
    return logged.level >= 50 && !expected.test(logged.msg);
  });
}

function parsed(line: string): { level: number; msg: string } | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
