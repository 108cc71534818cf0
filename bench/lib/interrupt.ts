/** What must not outlive us: servers that would go on without their parent. */
const running = new Set<() => Promise<void>>();
let isWatching = false;

/** Has `stop` called when somebody ends the benchmark early. Returns what to call for the usual end, once. */
export function stopAtInterrupt(stop: () => Promise<void>): () => Promise<void> {
  if (!isWatching) {
    isWatching = true;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  }
  running.add(stop);
  return async () => {
    if (running.delete(stop)) await stop();
  };
}

async function interrupt(): Promise<void> {
  // The work that is broken off fails, and that is nothing to end of before all is stopped.
  process.on('uncaughtException', () => undefined);
  const stops = [...running];
  running.clear();
  await Promise.allSettled(stops.map((stop) => stop()));
  process.exit(130);
}
