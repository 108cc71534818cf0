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

/** As package.json gives them to Node. */
export const nodeFlags = ['--max-semi-space-size=16', '--disable-warning=ExperimentalWarning'] as const;
const node = [process.execPath, ...nodeFlags, 'src/cli.ts'] as const;

/** A folder for a server's data, reachable for the user that Postgres runs as. Benchmarks want theirs on the disk. */
export async function dataFolder(inside = quickFolder()): Promise<string> {
  const folder = mkdtempSync(join(inside, 'tenure-process-'));
  await chmod(folder, 0o711);
  return folder;
}

export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 });

/**
 * Below those that Linux and others give to outgoing connections: one of these could take it before it is used. And
 * between those that no webhook may be sent to (src/safe-url/service-ports.ts).
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
  /** Everything it printed. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** The exit code, once it has ended. */
  ended: Promise<number | null>;
}

export type Environment = Record<string, string>;

/** `tenure start` (or api, worker) as a process of its own. It prints into the file, if one is given. */
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

/** Waits until /readyz says so; a process that ends instead is a failure with its output. */
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

/** Asks again until it is so. A hung condition is caught by the test's own time limit. */
export async function until(condition: () => Promise<boolean> | boolean, everyMs = 25): Promise<void> {
  while (!(await condition())) await sleep(everyMs);
}

/** It is so for whoever asks a second later, and mostly for those before. */
export async function withinASecond(isSo: () => Promise<boolean>): Promise<void> {
  const since = performance.now();
  for (;;) {
    const askedAfterMs = performance.now() - since;
    if (await isSo()) return;
    if (askedAfterMs > 1_000) throw new Error('It is not so after a second.');
    await sleep(25);
  }
}

/** Waits until the server has printed it: log lines are written a few times a second. */
export const said = (server: ServerProcess, text: string): Promise<void> =>
  until(() => server.output().includes(text));

/** A command that prints JSON. */
export async function tenure<Result>(environment: Environment, ...args: string[]): Promise<Result> {
  const [program, ...first] = node;
  const { stdout } = await promisify(execFile)(program, [...first, ...args, '--json'], {
    env: { ...inherited(), ...environment },
  });
  return JSON.parse(stdout) as Result;
}

/** An account with a key that may write. */
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

/** Settings of whoever runs the tests must not leak into the processes under test. */
function inherited(): Environment {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TMPDIR: tmpdir() };
}
