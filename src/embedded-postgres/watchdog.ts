import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Layout } from './layout.ts';
import type { Postmaster } from './postmaster.ts';

/** A killed server is often started again at once, and then takes its Postgres over as it is. */
export const GRACE_SECONDS = 10;

// Its input ends when we do. The holder of the folder is still us only if nobody has come after us.
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
 * Stops a Postgres that nobody has stopped and nobody needs any more: one whose server was killed. A few lines of shell in
 * a process of their own, which live as long as Postgres does and see our end by that of a pipe.
 */
export function watch(layout: Layout, postmaster: Postmaster, graceSeconds: number): void {
  const args = [postmaster.pid, process.pid, layout.folder, layout.cluster, graceSeconds].map(String);
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'tenure-watchdog', ...args], {
    // As the user who may stop Postgres, and no more than that.
    ...layout.account,
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it nothing is missing until we are killed.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as Socket).unref();
  void postmaster.gone.then(() => child.stdin.destroy());
}
