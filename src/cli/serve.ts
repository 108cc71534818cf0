import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isStartedByNpm, loadConfig } from '../config.ts';
import type { Part, Running } from '../start.ts';

/** Runs until it is told to stop. */
export async function serve(part: Part): Promise<void> {
  // It listens from the first moment on: being stopped during the start must not leave the embedded Postgres behind.
  const stop = stopSignal();
  // A wrong setting is reported at once, before the server's code is loaded.
  const config = loadConfig();
  const { start } = await import('../start.ts');
  // Nothing is open yet.
  if (stop.aborted) process.exit(0);
  const running = await start(config, part, stop).catch((error) => {
    // It was told to stop while it waited for the database.
    if (stop.aborted) process.exit(0);
    throw error;
  });
  if (!stop.aborted) {
    process.stdout.write(welcome(part, running));
    await once(stop, 'abort');
  }
  running.app.log.info('stopping: finishing what is in flight');
  await running.stop();
  running.app.log.info('stopped');
  // Everything has stopped; nothing else may keep the process alive.
  process.exit(0);
}

/**
 * Aborts at the first SIGINT, SIGTERM or SIGHUP (the end of the terminal). Under npm, Ctrl-C arrives twice: from the
 * terminal and from npm. So a second signal counts only after a second, and then means "now".
 */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  let first = 0;
  const onSignal = () => {
    if (!stop.signal.aborted) {
      first = performance.now();
      stop.abort();
    } else if (performance.now() - first > 1_000) {
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  onOrphaned(onSignal);
  return stop.signal;
}

/**
 * npm dies of a SIGTERM without passing it on. Whoever stops `npm start` means the server, so it ends with its parent.
 */
function onOrphaned(stop: () => void): void {
  if (!isStartedByNpm()) return;
  if (wasOrphaned()) stop();
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 250).unref();
}

/** Whether the parent ended before we could look: then the first process adopted us. (In a container that may be npm.) */
function wasOrphaned(): boolean {
  if (process.ppid !== 1) return false;
  try {
    return !/npm|yarn|bun/.test(readFileSync('/proc/1/cmdline', 'utf8'));
  } catch {
    return true;
  }
}

function welcome(part: Part, { address }: Running): string {
  if (address === null) return `\n  Tenure is running (${part}). Press Ctrl-C to stop.\n\n`;
  return `
  Tenure is running. Press Ctrl-C to stop.

    Dashboard      ${address}
    API            ${address}/api/v1
    API reference  ${address}/docs
    First key      sign up in the dashboard, then Settings → API keys; or, in another terminal:
                   npm run --silent tenure -- accounts create --email you@example.com --name "My properties"
                   npm run --silent tenure -- keys create --account you@example.com --name first --permission write

`;
}
