import { ready, type ServerProcess, until } from '../process.ts';

interface Life {
  process: ServerProcess;
  /** By us; null if it ended by itself, or lives. */
  ended: 'killed' | 'stopped' | null;
  isReady: boolean;
  code: number | null | undefined;
}

/** A process that is started again whenever it ends, as a service manager would. */
export interface Kept {
  readonly name: string;
  current(): ServerProcess;
  ready(): Promise<void>;
  /** At once, as by power loss. */
  kill(): void;
  /** SIGTERM, and a new one when it has ended. Returns how long the old one took. */
  restart(): Promise<number>;
  stop(): Promise<void>;
  /** What no life of it may have: an end of its own, a start that came to nothing, an error in its log. */
  troubles(): string[];
}

export function keepRunning(name: string, spawn: () => ServerProcess): Kept {
  const lives: Life[] = [];
  let wanted = true;

  function begin(): Life {
    const life: Life = { process: spawn(), ended: null, isReady: false, code: undefined };
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
    // A kill is a moment before its end.
    ready: () => until(() => last().isReady && last().ended === null && last().code === undefined),
    kill() {
      last().ended ??= 'killed';
      last().process.kill('SIGKILL');
    },
    async restart() {
      const old = last();
      old.ended = 'stopped';
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
      if (life.code !== undefined) return;
      life.ended = 'stopped';
      life.process.kill('SIGTERM');
      await life.process.ended;
    },
    troubles: () => lives.flatMap((life, n) => troublesOf(life).map((what) => `${name} #${n}: ${what}`)),
  };
}

/** The API says so at /readyz; a worker alone has none, and prints its welcome when it works. */
async function whenReady(server: ServerProcess): Promise<void> {
  if (!server.url.endsWith('undefined')) return ready(server);
  let over = false;
  void server.ended.then(() => {
    over = true;
  });
  await until(() => over || server.output().includes('Tenure is running'));
  if (over) throw new Error('ended');
}

function troublesOf({ process, ended, isReady, code }: Life): string[] {
  const found = badLines(process.output());
  if (ended === null && code !== undefined) found.push(`ended by itself with code ${code}`);
  if (ended === 'stopped' && code !== 0) found.push(`was asked to stop and ended with code ${code}`);
  if (!isReady && ended !== 'killed') found.push('never became ready');
  return found;
}

/** What a process may say as an error while its database is killed under it. */
const expected = /^(database unavailable|Postgres died, starting it again)$/;

/** Errors beyond those, and whatever is no log line: a stack trace, a warning of Node's. */
function badLines(output: string): string[] {
  return output.split('\n').filter((line) => {
    if (line === '' || line.startsWith(' ')) return false;
    if (!line.startsWith('{')) return true;
    // The last line of a killed process may be cut.
    const { level, msg } = parsed(line);
    return level >= 50 && !expected.test(msg);
  });
}

function parsed(line: string): { level: number; msg: string } {
  try {
    return JSON.parse(line);
  } catch {
    return { level: 0, msg: '' };
  }
}
