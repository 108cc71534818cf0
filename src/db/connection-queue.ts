import { setTimeout as sleep, setImmediate as yieldToOthers } from 'node:timers/promises';

/**
 * A statement or transaction is long if it keeps its connection for this much longer than the quickest one. (The
 * quickest takes as long as the way to the database and back.) With 4 ms, another account's p95 beside twenty exports
 * was 3.1 instead of 2.0 times that of a quiet server, and beside twenty searches that find nothing 2.0 instead of 1.8
 * times.
 */
const longMs = 2;
/** After this long, a statement no longer holds up what else its account asks for. */
const lastingMs = 20;
/** An account that asked for something within this time counts for the others. */
const presentMs = 5_000;
/**
 * After an answer from the database, a request needs fewer turns of the event loop than this to ask its next question.
 */
const quietRounds = 5;
const lookEveryMs = 10;

interface Use {
  since: number;
}

interface Waiting {
  begin: (use: Use) => void;
  timer: NodeJS.Timeout;
}

/** An account's running and waiting statements. */
export class Share {
  readonly waiting = new Set<Waiting>();
  readonly isAccount: boolean;
  readonly most: number;
  /** When each of the connections in use was taken, oldest first. */
  readonly inUse = new Set<Use>();
  watch: NodeJS.Timeout | undefined;
  /** How many connections it may use at once while other accounts want some too. */
  allowed: number;
  /** When it last got a connection, as a number that rises. */
  lastServed = 0;

  constructor(isAccount: boolean, first: number, most: number) {
    this.isAccount = isAccount;
    this.most = most;
    this.allowed = first;
  }

  /** A quick statement earns another connection; a long one costs half of them. */
  earn(isLong: boolean): void {
    this.allowed = isLong ? Math.max(1, Math.floor(this.allowed / 2)) : Math.min(this.most, this.allowed + 1);
  }
}

/**
 * Decides who gets the next free connection. Whatever one account asks for, the others get theirs:
 *
 * - An account that is alone may use all connections except a fifth, which others will find free.
 * - While there are others, an account starts with a fifth of the connections. Each quick statement earns it one more,
 *   up to all but a fifth. Each long one costs it half of them. So an account that asks for too much at once comes down
 *   to one statement at a time, which leaves the processors to the others. An account with quick statements has nearly
 *   all connections.
 * - Reports and exports of one account run two at a time (with ten connections): beside a statement that lasts, a
 *   second one may begin, so that nobody waits for the whole of a report of their own account.
 * - A free connection goes to the account that has the fewest in use; among equals, to the one whose last turn was the
 *   longest ago.
 *
 * What the process does for itself (finding out who is asking, deliveries) comes first and has no limit: everybody
 * waits for it, and it does few things at once.
 *
 * Whoever holds a connection must not ask for a second one. If all connections were held by such callers, none would
 * ever become free. So a transaction does all its work on its own (`tx`), and the tests look for statements that do
 * not.
 */
export class ConnectionQueue {
  readonly #waitMs: number;
  readonly #few: number;
  readonly #connections: number;
  readonly #shares = new Set<Share>();
  #free: number;
  #served = 0;
  #quickestMs = Number.POSITIVE_INFINITY;
  #latest: Share | undefined;
  #sharedUntil = 0;

  constructor(connections: number, waitMs: number) {
    this.#connections = connections;
    this.#few = Math.max(1, Math.floor(connections / 5));
    this.#free = connections;
    this.#waitMs = waitMs;
  }

  share(): Share {
    return new Share(true, this.#few, Math.max(this.#few, this.#connections - this.#few));
  }

  shareWithoutLimit(): Share {
    return new Share(false, this.#connections, this.#connections);
  }

  async run<Result>(share: Share, work: () => Promise<Result>): Promise<Result> {
    this.#notice(share);
    const isFree = this.#free > 0 && share.waiting.size === 0 && this.#hasRoom(share);
    const use = isFree ? this.#begin(share) : await this.#wait(share);
    const began = performance.now();
    try {
      const result = await work();
      // A statement that fails may never have been sent, so its time does not count.
      this.#quickestMs = Math.min(this.#quickestMs, performance.now() - began);
      return result;
    } finally {
      share.earn(performance.now() - began > this.#quickestMs + longMs);
      share.inUse.delete(use);
      this.#free++;
      this.#next();
    }
  }

  /**
   * Waits until nobody holds a connection or waits for one. A caller who hung up may leave a request behind that still
   * asks for one, and has none between two statements. So this waits for a few turns of the event loop without any.
   */
  async quiet(): Promise<void> {
    for (let rounds = 0; rounds < quietRounds; rounds++) {
      await yieldToOthers();
      for (; this.#free < this.#connections || this.#shares.size > 0; rounds = 0) await sleep(lookEveryMs);
    }
  }

  /** Notes whether several accounts want connections. What the process does for itself does not count. */
  #notice(share: Share): void {
    if (!share.isAccount || share === this.#latest) return;
    if (this.#latest !== undefined) this.#sharedUntil = performance.now() + presentMs;
    this.#latest = share;
  }

  #hasRoom({ inUse, isAccount, allowed, most }: Share): boolean {
    const now = performance.now();
    if (!isAccount || now >= this.#sharedUntil) return inUse.size < most;
    if (inUse.size < allowed) return true;
    if (inUse.size >= this.#few) return false;
    const lasting = [...inUse].filter(({ since }) => now - since > lastingMs).length;
    return inUse.size - lasting < allowed;
  }

  #begin(share: Share): Use {
    this.#free--;
    share.lastServed = ++this.#served;
    const use = { since: performance.now() };
    share.inUse.add(use);
    return use;
  }

  #wait(share: Share): Promise<Use> {
    this.#watch(share);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#leave(share, waiting);
        // The same message as the pool's.
        reject(new Error('timeout exceeded when trying to connect'));
      };
      const waiting = { begin: resolve, timer: setTimeout(giveUp, this.#waitMs) };
      share.waiting.add(waiting);
      this.#shares.add(share);
    });
  }

  /** Checks now and then whether the statement that the share waits for has turned out to last. */
  #watch(share: Share): void {
    share.watch ??= setTimeout(() => {
      share.watch = undefined;
      this.#next();
      if (share.waiting.size > 0) this.#watch(share);
    }, lastingMs);
  }

  #leave(share: Share, waiting: Waiting): void {
    clearTimeout(waiting.timer);
    share.waiting.delete(waiting);
    if (share.waiting.size === 0) this.#shares.delete(share);
  }

  #next(): void {
    while (this.#free > 0) {
      let next: Share | undefined;
      for (const share of this.#shares)
        if (this.#hasRoom(share) && (next === undefined || comesBefore(share, next))) next = share;
      const [first] = next?.waiting ?? [];
      if (next === undefined || first === undefined) return;
      this.#leave(next, first);
      first.begin(this.#begin(next));
    }
  }
}

const comesBefore = (a: Share, b: Share): boolean =>
  !a.isAccount ||
  (b.isAccount &&
    (a.inUse.size < b.inUse.size || (a.inUse.size === b.inUse.size && a.lastServed < b.lastServed)));
