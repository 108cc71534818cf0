import { lookup } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';

/** All addresses of a name; rejects, or gives none, when it does not resolve. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Node gives lookups half of its threads (src/cli.ts); what is more waits here, where it can be given up. */
const most = 28;
/** Names that are not known to resolve have so many of them, those that are only checked half as many. */
const mostStrangers = 8;
/** And so many have the names of one domain, which one name server answers for. */
const mostOfDomain = 4;
/** Who waited longer has given up: a connection has as long for everything. */
const waitMs = 5_000;
const mostWaiting = 1_000;
/** A name that takes longer is no better than one that never resolved. */
const slowMs = 1_000;

/**
 * The system's resolver knows /etc/hosts and everything else that is set up here, but it blocks a thread for each name and cannot be
 * called off: name servers that never answer hold theirs for ten seconds and more, and whoever has enough such names would
 * keep everybody's deliveries from being looked up. So names that have not resolved before share a few threads, as do the
 * names of one domain. It takes many domains whose names did resolve, and fall silent together, to use them all up.
 */
export class Lookups {
  readonly #lookUp: Resolve;
  readonly #known = new LRUCache<string, true>({ max: 10_000 });
  readonly #ofDomain = new Map<string, number>();
  readonly #waiting = new Set<{ hostname: string; begin: () => void }>();
  #underWay = 0;
  #strangers = 0;

  constructor(lookUp: Resolve) {
    this.#lookUp = lookUp;
  }

  /** As soon as there is a thread for it. */
  readonly resolve: Resolve = (hostname) =>
    this.#mayBegin(hostname, mostStrangers) ? this.#begin(hostname) : this.#wait(hostname);

  /** Only if there is one now. */
  readonly resolveNow: Resolve = (hostname) =>
    this.#mayBegin(hostname, mostStrangers / 2) ? this.#begin(hostname) : Promise.reject(busy());

  #mayBegin(hostname: string, strangers: number): boolean {
    return (
      this.#underWay < most &&
      (this.#ofDomain.get(domainOf(hostname)) ?? 0) < mostOfDomain &&
      (this.#known.has(hostname) || this.#strangers < strangers)
    );
  }

  async #begin(hostname: string): Promise<string[]> {
    let isStranger = !this.#known.has(hostname);
    this.#count(hostname, 1);
    if (isStranger) this.#strangers++;
    const slow = setTimeout(() => {
      this.#known.delete(hostname);
      if (!isStranger) this.#strangers++;
      isStranger = true;
    }, slowMs).unref();
    let answered = false;
    try {
      const answers = await this.#lookUp(hostname);
      answered = answers.length > 0;
      return answers;
    } finally {
      clearTimeout(slow);
      if (answered) this.#known.set(hostname, true);
      else this.#known.delete(hostname);
      if (isStranger) this.#strangers--;
      this.#count(hostname, -1);
      this.#beginNext();
    }
  }

  #count(hostname: string, by: 1 | -1): void {
    const domain = domainOf(hostname);
    const count = (this.#ofDomain.get(domain) ?? 0) + by;
    if (count === 0) this.#ofDomain.delete(domain);
    else this.#ofDomain.set(domain, count);
    this.#underWay += by;
  }

  #beginNext(): void {
    for (const next of this.#waiting) {
      if (!this.#mayBegin(next.hostname, mostStrangers)) continue;
      this.#waiting.delete(next);
      next.begin();
    }
  }

  #wait(hostname: string): Promise<string[]> {
    if (this.#waiting.size >= mostWaiting) return Promise.reject(busy());
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const timer = setTimeout(() => {
      this.#waiting.delete(entry);
      reject(busy());
    }, waitMs).unref();
    const entry = {
      hostname,
      begin: () => {
        clearTimeout(timer);
        this.#begin(hostname).then(resolve, reject);
      },
    };
    this.#waiting.add(entry);
    return promise;
  }
}

/** One for the process, as its threads are. */
const lookups = new Lookups(async (hostname) => {
  const answers = await lookup(hostname, { all: true });
  return answers.map((answer) => answer.address);
});
/** For a connection that is to be made. */
export const resolveAll = lookups.resolve;
/** For a check that does without where it would have to wait. */
export const resolveNow = lookups.resolveNow;

const busy = (): Error => new Error('Too many names are being looked up.');

/** Below these, two-letter ends of names have domains of other people. */
const shared = new Set(['ac', 'co', 'com', 'edu', 'go', 'gov', 'mil', 'ne', 'net', 'or', 'org']);

/** `hooks.example.com` is of `example.com`, `hooks.example.co.uk` of `example.co.uk`. */
function domainOf(hostname: string): string {
  const labels = hostname.split('.');
  const [second = '', end = ''] = labels.slice(-2);
  return labels.slice(end.length === 2 && shared.has(second) ? -3 : -2).join('.');
}
