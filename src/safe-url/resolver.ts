import { lookup } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';

/** All addresses of a name; rejects, or gives none, when it does not resolve. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Names that are not known to resolve have so many threads between them: Node gives lookups half of its 32. */
const mostUnproven = 8;
/** Who waited longer has given up: a connection has as long for everything. */
const waitMs = 5_000;
const mostWaiting = 1_000;
/** A name server that takes longer is about to fail. */
const slowMs = 1_000;

/**
 * Looks names up by the system's own resolver, which knows /etc/hosts and everything else that is set up here. It blocks a thread for
 * each name and cannot be called off: name servers that never answer hold theirs for ten seconds and more, and whoever sends
 * enough such names would keep everybody's deliveries from being looked up. So names that have not resolved before
 * wait for one of a few threads, and the others always find some.
 */
export function boundedResolver(resolve: Resolve): Resolve {
  const proven = new LRUCache<string, true>({ max: 10_000 });
  const waiting: (() => void)[] = [];
  let underWay = 0;

  async function look(hostname: string): Promise<string[]> {
    const started = performance.now();
    const answers = await resolve(hostname).catch((error) => {
      proven.delete(hostname);
      throw error;
    });
    if (answers.length > 0 && performance.now() - started < slowMs) proven.set(hostname, true);
    else proven.delete(hostname);
    return answers;
  }

  async function lookInTurn(hostname: string): Promise<string[]> {
    if (underWay >= mostUnproven) await turn();
    else underWay++;
    try {
      return await look(hostname);
    } finally {
      // The next one takes over, or there is one less.
      const next = waiting.shift();
      if (next) next();
      else underWay--;
    }
  }

  function turn(): Promise<void> {
    if (waiting.length >= mostWaiting) return Promise.reject(busy());
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(next), 1);
      reject(busy());
    }, waitMs).unref();
    const next = () => {
      clearTimeout(timer);
      begin();
    };
    waiting.push(next);
    return promise;
  }

  return (hostname) => (proven.has(hostname) ? look(hostname) : lookInTurn(hostname));
}

const busy = (): Error => new Error('Too many names are being looked up.');

/** One for the whole process, as its threads are. */
export const resolveAll: Resolve = boundedResolver(async (hostname) => {
  const answers = await lookup(hostname, { all: true });
  return answers.map((answer) => answer.address);
});
