import { lookup } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';

/** All addresses of a name; rejects, or gives none, when it does not resolve. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Names that are not known to resolve have so many threads between them: Node gives lookups half of its 32. */
const mostStrangers = 8;
/** And the names of one domain, which one name server answers for. */
const mostOfDomain = 4;
/** Who waited longer has given up: a connection has as long for everything. */
const waitMs = 5_000;
const mostWaiting = 1_000;
/** A name that takes longer is no better than one that never resolved. */
const slowMs = 1_000;

/** The system's own resolver, which knows /etc/hosts and everything else that is set up here. One for the process, as its threads are. */
export const resolveAll: Resolve = boundedResolver(async (hostname) => {
  const answers = await lookup(hostname, { all: true });
  return answers.map((answer) => answer.address);
});

/**
 * The system's resolver blocks a thread for each name and cannot be called off: name servers that never answer hold theirs for ten
 * seconds and more, and whoever has enough such names would keep everybody's deliveries from being looked up. So
 * names that have not resolved before share a few threads, as do the names of one domain, and there are always some for the rest.
 */
export function boundedResolver(resolve: Resolve): Resolve {
  const known = new LRUCache<string, true>({ max: 10_000 });
  const underWay = new Map<string, number>();
  const waiting = new Set<{ hostname: string; begin: () => void }>();
  let strangers = 0;

  const mayBegin = (hostname: string): boolean =>
    (underWay.get(domainOf(hostname)) ?? 0) < mostOfDomain &&
    (known.has(hostname) || strangers < mostStrangers);

  async function look(hostname: string): Promise<string[]> {
    const domain = domainOf(hostname);
    underWay.set(domain, (underWay.get(domain) ?? 0) + 1);
    let isStranger = !known.has(hostname);
    if (isStranger) strangers++;
    const slow = setTimeout(() => {
      known.delete(hostname);
      if (!isStranger) strangers++;
      isStranger = true;
    }, slowMs).unref();
    let answered = false;
    try {
      const answers = await resolve(hostname);
      answered = answers.length > 0;
      return answers;
    } finally {
      if (answered) known.set(hostname, true);
      else known.delete(hostname);
      clearTimeout(slow);
      if (isStranger) strangers--;
      const left = (underWay.get(domain) ?? 1) - 1;
      if (left === 0) underWay.delete(domain);
      else underWay.set(domain, left);
      beginNext();
    }
  }

  function beginNext(): void {
    for (const next of waiting) {
      if (!mayBegin(next.hostname)) continue;
      waiting.delete(next);
      next.begin();
    }
  }

  function wait(hostname: string): Promise<string[]> {
    if (waiting.size >= mostWaiting) return Promise.reject(busy());
    return new Promise((done, fail) => {
      const entry = { hostname, begin };
      const timer = setTimeout(() => {
        waiting.delete(entry);
        fail(busy());
      }, waitMs).unref();
      function begin(): void {
        clearTimeout(timer);
        look(hostname).then(done, fail);
      }
      waiting.add(entry);
    });
  }

  return (hostname) => (mayBegin(hostname) ? look(hostname) : wait(hostname));
}

const busy = (): Error => new Error('Too many names are being looked up.');

/** `hooks.example.com` is of `example.com`, `hooks.example.co.uk` of `example.co.uk`. */
function domainOf(hostname: string): string {
  const labels = hostname.split('.');
  return labels.slice((labels.at(-2)?.length ?? 0) <= 3 ? -3 : -2).join('.');
}
