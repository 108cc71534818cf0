import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { quickFolder } from './quick-folder.ts';

/** The flags that package.json passes to Node. */
export const nodeFlags = ['--max-semi-space-size=16', '--disable-warning=ExperimentalWarning'] as const;
const node = [process.execPath, ...nodeFlags, 'src/cli.ts'] as const;

/** A folder for a server's data, accessible to the user that Postgres runs as. Benchmarks want theirs on the disk. */
export async function dataFolder(inside = quickFolder()): Promise<string> {
  const folder = mkdtempSync(join(inside, 'tenure-process-'));
  await chmod(folder, 0o711);
  return folder;
}

export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 });

/**
 * Below the ports that Linux and others give to outgoing connections: such a connection could take the port before it
 * is used. Also between the ports to which no webhook may be sent (src/safe-url/service-ports.ts).
 */
const ports = { from: 17_000, to: 25_000 };

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.to);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

export interface ServerProcess {
  child: ChildProcess;
  url: string;
  /** Everything that it has printed. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** The exit code, as soon as it has ended. */
  ended: Promise<number | null>;
}

export type Environment = Record<string, string>;

/** Starts `tenure start` (or api, worker) as a process of its own. It prints into the file, if one is given. */
export function spawnServer(
  environment: Environment,
  part: 'start' | 'api' | 'worker' = 'start',
  file?: string,
): ServerProcess {
  const [program, ...args] = node;
  const output = file === undefined ? 'pipe' : openSync(file, 'a');
  const child = spawn(program, [...args, part], {
    env: { ...inherited(), LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', output, output],
  });
  if (typeof output === 'number') closeSync(output);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      printed += chunk;
    });
  }
  return {
    child,
    url: `http://127.0.0.1:${environment.PORT}`,
    output: () => (file === undefined ? printed : readFileSync(file, 'utf8')),
    kill: (signal) => void child.kill(signal),
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}

/**
 * Waits until /readyz says that the server is ready. If the process ends instead, that is a failure with its output.
 */
export async function ready(server: ServerProcess): Promise<void> {
  let ended = false;
  void server.ended.then(() => {
    ended = true;
  });
  const isReady = async () => {
    if (ended) throw new Error(`The server ended: ${server.output()}`);
    return (await fetch(`${server.url}/readyz`).catch(() => null))?.status === 200;
  };
  // A start takes seconds where much is started at once. Asking more often would only slow it down.
  await until(isReady, 100);
}

/** Asks again until the condition is true. If it never is, the test's own time limit ends it. */
export async function until(condition: () => Promise<boolean> | boolean, everyMs = 25): Promise<void> {
  while (!(await condition())) await sleep(everyMs);
}

/** Expects it to be true within a second, for everybody who asks after that. */
export async function withinASecond(isSo: () => Promise<boolean>): Promise<void> {
  const since = performance.now();
  for (;;) {
    const askedAfterMs = performance.now() - since;
    if (await isSo()) return;
    if (askedAfterMs > 1_000) throw new Error('It is not so after a second.');
    await sleep(25);
  }
}

/** Waits until the server has printed this. Log lines are written a few times a second. */
export const said = (server: ServerProcess, text: string): Promise<void> =>
  until(() => server.output().includes(text));

/** Runs a command that prints JSON. */
export async function tenure<Result>(environment: Environment, ...args: string[]): Promise<Result> {
  const [program, ...first] = node;
  const { stdout } = await promisify(execFile)(program, [...first, ...args, '--json'], {
    env: { ...inherited(), ...environment },
  });
  return JSON.parse(stdout) as Result;
}

/** Makes an account with a key that may write. */
export async function newKey(environment: Environment): Promise<string> {
  const email = `person-${process.hrtime.bigint()}@example.com`;
  await tenure(environment, 'accounts', 'create', '--email', email, '--name', 'Test');
  const { key } = await tenure<{ key: string }>(
    environment,
    'keys',
    'create',
    '--account',
    email,
    '--name',
    'test',
    '--permission',
    'write',
  );
  return key;
}

/** Settings of the person who runs the tests must not leak into the processes under test. */
function inherited(): Environment {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TMPDIR: tmpdir() };
}
