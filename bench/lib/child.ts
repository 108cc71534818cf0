import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/*
 * A contender in its own process, so that its processor time is its own and measuring does not slow it down. The parent
 * calls what the child serves:
 *
 *   const child = startChild(new URL('./worker.ts', import.meta.url));   // in the suite
 *   await child.call('prepare', { database: url });
 *
 *   serve({ prepare: async ({ database }) => … });                       // in worker.ts
 */

type Call = { id: number; name: string; argument: unknown };
type Answer = { id: number; result: unknown } | { id: number; error: string };

export interface Child extends AsyncDisposable {
  pid: number;
  call<Result>(name: string, argument?: unknown): Promise<Result>;
}

/** A contender that hangs is an error, so the benchmark always ends. */
const waitAtMostMs = 600_000;

export function startChild(module: URL): Child {
  const child = fork(module, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production' },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  child.on('message', (answer: Answer) => {
    const call = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) call?.reject(new Error(answer.error));
    else call?.resolve(answer.result);
  });
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values())
      reject(new Error(`${module.pathname} ended (${code ?? signal}).`));
    waiting.clear();
  });
  return {
    pid: child.pid ?? 0,
    async call<Result>(name: string, argument: unknown = null): Promise<Result> {
      const call = Promise.withResolvers<unknown>();
      const id = ++calls;
      waiting.set(id, call);
      const late = new Error(`${module.pathname}: ${name} took over ${waitAtMostMs} ms.`);
      const timer = setTimeout(() => call.reject(late), waitAtMostMs);
      try {
        child.send({ id, name, argument } satisfies Call);
        return (await call.promise) as Result;
      } finally {
        clearTimeout(timer);
      }
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

/** It has five seconds after SIGTERM. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const impatient = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(impatient);
}

/** Each handler knows what its caller sends. */
type Handlers = Record<string, (argument: never) => unknown>;

/** Answers the parent's calls, in a child. Ends with its parent. */
export function serve(handlers: Handlers): void {
  process.on('message', async ({ id, name, argument }: Call) => {
    try {
      const handler = handlers[name];
      if (!handler) throw new Error(`There is no ${name} here.`);
      process.send?.({ id, result: (await handler(argument as never)) ?? null });
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.on('disconnect', () => process.exit());
}
