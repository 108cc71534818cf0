import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Layout } from './layout.ts';
import type { Postmaster } from './postmaster.ts';

/** A killed server is often restarted at once, and then takes over its Postgres as it is. */
export const GRACE_SECONDS = 10;

// Its input ends when we do. We still hold the folder only if no other server has started since.
const SCRIPT = `
read -r _
left="$5"
while [ "$left" -gt 0 ]; do
  kill -0 "$1" 2>/dev/null || exit 0
  sleep 1
  left=$((left - 1))
done
case "$(cat "$3/holder.json")" in *'"pid":'"$2",*) ;; *) exit 0 ;; esac
[ "$(head -n 1 "$4/postmaster.pid")" = "$1" ] && kill -INT "$1"
`;

/**
 * Stops a Postgres whose server was killed and has not come back. It is a few lines of shell in a process of its own,
 * which lives as long as Postgres and learns of our end when a pipe closes.
 */
export function watch(layout: Layout, postmaster: Postmaster, graceSeconds: number): void {
  const args = [postmaster.pid, process.pid, layout.folder, layout.cluster, graceSeconds].map(String);
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'tenure-watchdog', ...args], {
    // It runs as the user who may stop Postgres, and may do nothing else.
    ...layout.account,
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // It does not matter if it cannot start, unless we are killed.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as Socket).unref();
  void postmaster.gone.then(() => child.stdin.destroy());
}
