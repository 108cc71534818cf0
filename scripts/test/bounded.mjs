import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectNoneLeft, processesOf } from '../../test/faults/support/leftovers.ts';

/** In this time a server answers its requests and stops its Postgres. Otherwise it hangs. */
const endWithinMs = 15_000;

/**
 * Runs a part for a limited time, then stops it and counts a failure. Everything it starts uses a folder of its own, by
 * TMPDIR, so leftovers are found wherever they are. What outlives the part is ended, and is a failure too.
 *
 *     bounded(900_000, ({ environment, signal }) => vitest(files, environment, signal))
 */
export async function bounded(mostMs, part) {
  const since = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'tenure-faults-'));
  chmodSync(folder, 0o711); // as root, Postgres runs as another user, who must get in
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(`it had not ended after ${spelled(mostMs)}`), mostMs);
  const interrupt = (name) => stop.abort(`${name} came`);
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, interrupt);
  try {
    const result = await part({ environment: { TMPDIR: folder }, signal: stop.signal });
    const trouble = stop.signal.aborted
      ? `The run was stopped: ${stop.signal.reason}.`
      : await expectNoneLeft(folder, endWithinMs).then(
          () => null,
          (error) => error.message,
        );
    await endAll(folder);
    if (trouble) console.error(trouble);
    console.log(`It took ${spelled(performance.now() - since)}.`);
    return trouble ? { ...result, failed: Math.max(1, result.failed) } : result;
  } finally {
    clearTimeout(timer);
    for (const name of ['SIGINT', 'SIGTERM']) process.off(name, interrupt);
    for (const mounted of mountsBelow(folder)) execFileSync('umount', ['--lazy', mounted]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Each is asked to end, once: a killed Postgres would leave its shared memory behind. */
async function endAll(folder) {
  const since = performance.now();
  const asked = new Set();
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    const isPatient = performance.now() - since < endWithinMs;
    for (const pid of left) {
      if (!isPatient) send(pid, 'SIGKILL');
      else if (!asked.has(pid)) send(pid, 'SIGTERM');
      asked.add(pid);
    }
    await sleep(200);
  }
}

function send(pid, name) {
  try {
    process.kill(Number(pid), name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function mountsBelow(folder) {
  if (!existsSync('/proc/self/mounts')) return [];
  const paths = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  return paths.filter((path) => path.startsWith(`${folder}/`)).reverse();
}

function spelled(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
