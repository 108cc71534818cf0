/** What must not outlive us: servers that would keep running without their parent. */
const open = new Set<() => Promise<unknown>>();

/**
 * For `await using`: ends with its scope, or earlier if somebody interrupts the benchmark. Use `return await` in such a
 * scope; otherwise it ends before the returned work.
 */
export function disposable(end: () => Promise<unknown>): AsyncDisposable {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    if (process.listenerCount(signal, endAll) === 0) process.on(signal, endAll);
  open.add(end);
  return {
    async [Symbol.asyncDispose]() {
      if (open.delete(end)) await end();
    },
  };
}

async function endAll(): Promise<void> {
  // Interrupted work fails. That must not end the process before everything has stopped.
  process.on('uncaughtException', () => undefined);
  const ends = [...open];
  open.clear();
  await Promise.allSettled(ends.map((end) => end()));
  process.exit(130);
}
