import { lookup } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';

/** All addresses of a name. Rejects or returns none if it does not resolve. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Node uses half of its threads for lookups (src/cli.ts). Further lookups wait here, where they can be given up. */
const most = 28;
/** One name server answers for all names of a domain, so together they get this many. */
const mostOfDomain = 4;

interface Purpose {
  /** How many lookups are for names that are not known to resolve. */
  mostStrangers: number;
  /** A caller who has waited longer has given up. */
  waitMs: number;
  /** How many lookups may wait. */
  mostWaiting: number;
}

/** A connection has this time for everything. */
const delivery: Purpose = { mostStrangers: 8, waitMs: 5_000, mostWaiting: 1_000 };
/** Leaves room for deliveries. */
const check: Purpose = { mostStrangers: 4, waitMs: 1_000, mostWaiting: 500 };

/** A name that takes longer than this is treated as one that never resolved. */
const slowMs = 1_000;

/**
 * The system's resolver knows /etc/hosts and everything else that is configured, but it blocks a thread for each name
 * and cannot be cancelled. A name server that never answers holds a thread for ten seconds or more, so a few dozen such
 * names would stop everybody's deliveries. Therefore names that have not resolved before share a few threads, and so do
 * the names of one domain. To use up all threads, many domains that did resolve would have to fall silent together.
 */
export class Lookups {
  readonly #lookUp: Resolve;
  readonly #known = new LRUCache<string, true>({ max: 10_000 });
  readonly #ofDomain = new Map<string, number>();
  readonly #waiting = new Set<{ hostname: string; purpose: Purpose; begin: () => void }>();
  #underWay = 0;
  #strangers = 0;

  constructor(lookUp: Resolve) {
    this.#lookUp = lookUp;
  }

  readonly resolve: Resolve = (hostname) => this.#whenFree(hostname, delivery);
  readonly resolveForCheck: Resolve = (hostname) => this.#whenFree(hostname, check);

  /** Looks up as soon as a thread is free. */
  #whenFree(hostname: string, purpose: Purpose): Promise<string[]> {
    return this.#mayBegin(hostname, purpose) ? this.#begin(hostname) : this.#wait(hostname, purpose);
  }

  #mayBegin(hostname: string, { mostStrangers }: Purpose): boolean {
    return (
      this.#underWay < most &&
      (this.#ofDomain.get(domainOf(hostname)) ?? 0) < mostOfDomain &&
      (this.#known.has(hostname) || this.#strangers < mostStrangers)
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
      if (!this.#mayBegin(next.hostname, next.purpose)) continue;
      this.#waiting.delete(next);
      next.begin();
    }
  }

  #wait(hostname: string, purpose: Purpose): Promise<string[]> {
    if (this.#waiting.size >= purpose.mostWaiting) return Promise.reject(busy());
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const timer = setTimeout(() => {
      this.#waiting.delete(entry);
      reject(busy());
    }, purpose.waitMs).unref();
    const entry = {
      hostname,
      purpose,
      begin: () => {
        clearTimeout(timer);
        this.#begin(hostname).then(resolve, reject);
      },
    };
    this.#waiting.add(entry);
    return promise;
  }
}

/** One for the whole process, because its threads are shared too. */
const lookups = new Lookups(async (hostname) => {
  const answers = await lookup(hostname, { all: true });
  return answers.map((answer) => answer.address);
});
/** For a connection that is about to be made. */
export const resolveAll = lookups.resolve;
/** For a URL that is about to be stored. */
export const resolveForCheck = lookups.resolveForCheck;

const busy = (): Error => new Error('Too many names are being looked up.');

/** Second-level names under two-letter endings, below which different people have their domains. */
const shared = new Set(['ac', 'co', 'com', 'edu', 'go', 'gov', 'mil', 'ne', 'net', 'or', 'org']);

/** `example.com` for `hooks.example.com`, and `example.co.uk` for `hooks.example.co.uk`. */
function domainOf(hostname: string): string {
  const labels = hostname.split('.');
  const [second = '', end = ''] = labels.slice(-2);
  return labels.slice(end.length === 2 && shared.has(second) ? -3 : -2).join('.');
}
