import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readStamp, root } from './paths.mjs';
import { Problem } from './problem.mjs';

// Not in node_modules, which `npm ci` deletes.
const LOCK = join(root, 'dist/prepare.lock');
const BEAT_MS = 500;
const LOOK_MS = 200;
// On a busy machine, a living process never misses its beat for this long.
const SILENCE_MS = 30_000;
// `npm ci` may take this long on a slow network, even if the process that started it was killed.
const ORPHAN_MS = 600_000;

const me = { pid: process.pid, host: hostname() };

/** Lets one process at a time work on what they share, such as `npm start` and `npm test` in two terminals. */
export async function alone(work) {
  await take();
  const beat = setInterval(() => utimesSync(LOCK, new Date(), new Date()), BEAT_MS);
  const release = () => rmSync(LOCK, { force: true });
  const interrupt = (signal) => {
    const leave = () => {
      release();
      process.exit(signal === 'SIGINT' ? 130 : 143);
    };
    if (!child) leave();
    // The next process may begin only when it has really ended.
    child.once('close', leave).kill('SIGTERM');
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    release();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt).off('SIGHUP', interrupt);
  }
}

let child;

/** Runs a program under the lock, quietly unless it fails. */
export async function run(program, args, { env = process.env, cwd = root, failure }) {
  let said = '';
  child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  // If we are killed and it is not, the next process waits for it.
  if (child.pid) writeFileSync(LOCK, JSON.stringify({ ...me, child: child.pid, since: startOf(child.pid) }));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
  const outcome = await new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  child = undefined;
  if (outcome === 0) return;
  throw new Problem(`${said}${outcome instanceof Error ? `${outcome.message}\n` : ''}${failure}`);
}

async function take() {
  refusedAsProblem(() => mkdirSync(join(root, 'dist'), { recursive: true }));
  let seen = { beat: 0, at: performance.now() };
  for (;;) {
    try {
      refusedAsProblem(() => writeFileSync(LOCK, JSON.stringify(me), { flag: 'wx' }));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const beat = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs;
    const content = readStamp(LOCK);
    if (beat !== seen.beat) seen = { beat, at: performance.now() };
    // Measured while watching, not by the file's time: clocks jump, and laptops sleep.
    if (isAbandoned(content, performance.now() - seen.at)) discard(content);
    else await sleep(LOOK_MS);
  }
}

function refusedAsProblem(work) {
  try {
    work();
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    throw new Problem(
      `Something has to be installed or built in ${root}, but this user may not write there (${error.code}). Run "node scripts/prepare.mjs start" there as the owner of the folder, or give the folder to this user (chown).`,
    );
  }
}

/** Whether the lock is abandoned, after so long without a beat. */
export function isAbandoned(content, silentMs) {
  const { pid, child, since, host } = parse(content);
  if (host !== me.host) return silentMs > SILENCE_MS;
  // Two installations at once spoil each other's work, so we wait for one whose parent is gone.
  if (child && exists(child) && startOf(child) === since) return silentMs > ORPHAN_MS;
  return !exists(pid) || silentMs > SILENCE_MS;
}

/** The start time of a process, which distinguishes it from a later one with the same pid. Unknown without /proc. */
const startOf = (pid) => readStamp(`/proc/${pid}/stat`).split(') ').at(-1).split(' ')[19] ?? '';

function parse(content) {
  try {
    return JSON.parse(content);
  } catch {
    return {}; // it is just being written
  }
}

function exists(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  // A zombie: it has ended, and its parent may never notice, as in many containers.
  return !/\) Z [^)]*$/.test(readStamp(`/proc/${pid}/stat`));
}

/** Removes the lock that was examined, not one that another process has just taken. */
function discard(content) {
  const aside = `${LOCK}.${process.pid}`;
  try {
    renameSync(LOCK, aside);
  } catch {
    return;
  }
  if (readFileSync(aside, 'utf8') === content) rmSync(aside);
  else renameSync(aside, LOCK);
}
