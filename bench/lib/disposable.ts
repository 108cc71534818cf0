/** What must not outlive us: servers that would go on without their parent. */
const open = new Set<() => Promise<unknown>>();

/**
 * For `await using`: ends with its scope, or before, when somebody interrupts the benchmark. In such a scope it must be
 * `return await`, or it ends before the work that is returned.
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
  // The work that is broken off fails, and that is nothing to end of before all is stopped.
  process.on('uncaughtException', () => undefined);
  const ends = [...open];
  open.clear();
  await Promise.allSettled(ends.map((end) => end()));
  process.exit(130);
}
