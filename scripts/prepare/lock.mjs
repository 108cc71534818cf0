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
// Longer than a busy machine can keep a living process from its beat.
const SILENCE_MS = 30_000;
// As long as `npm ci` may take on a slow network when the one of us who started it was killed.
const ORPHAN_MS = 600_000;

const me = { pid: process.pid, host: hostname() };

/** Lets one process at a time work on what all share: `npm start` and `npm test` in two terminals. */
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
    // Only when it has really ended may the next of us begin.
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

/** Runs a program while we are alone, quietly unless it fails. */
export async function run(program, args, { env = process.env, cwd = root, failure }) {
  let said = '';
  child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  // If we are killed and it is not, the next of us waits for it.
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
    // Counted while watching, not from the file's time: clocks jump, laptops sleep.
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
      `Something is to be installed or built in ${root}, and this user may not write there (${error.code}). Run "node scripts/prepare.mjs start" there as the user whom it belongs to, or give it to this one (chown).`,
    );
  }
}

/** Whether nobody works under this lock any more, after so long without a beat. */
export function isAbandoned(content, silentMs) {
  const { pid, child, since, host } = parse(content);
  if (host !== me.host) return silentMs > SILENCE_MS;
  // Two that install at once spoil each other's work, so one that is left alone is waited for.
  if (child && exists(child) && startOf(child) === since) return silentMs > ORPHAN_MS;
  return !exists(pid) || silentMs > SILENCE_MS;
}

/** When a process was started, which tells it from a later one of the same number; where there is no /proc, nothing does. */
export const startOf = (pid) => readStamp(`/proc/${pid}/stat`).split(') ').at(-1).split(' ')[19] ?? '';

function parse(content) {
  try {
    return JSON.parse(content);
  } catch {
    return {}; // being written at this moment
  }
}

function exists(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  // One that has ended and waits for its parent to notice, which in a container may be never.
  return !/\) Z [^)]*$/.test(readStamp(`/proc/${pid}/stat`));
}

/** Removes the lock that was judged, and not one that another process has just taken instead. */
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
