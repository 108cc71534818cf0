import { LRUCache } from 'lru-cache';

interface Bucket {
  tokens: number;
  filledAt: number;
}

interface Taken {
  allowed: boolean;
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Seconds until the same cost is allowed again. */
  retryAfterSeconds: number;
}

/**
 * Token buckets by name (a key, a client's address), in this process. Several processes behind one address each grant
 * their own. A fixed window would let two bursts through at its edge.
 */
export class RateLimit {
  readonly perSecond: number;
  readonly burst: number;
  /**
   * With `max` instead of `maxSize`, memory for all of them would be allocated at once, which takes 20 ms for each
   * limit.
   */
  readonly #buckets = new LRUCache<string, Bucket>({ maxSize: 50_000, sizeCalculation: () => 1 });

  constructor(perSecond: number, burst: number) {
    this.perSecond = perSecond;
    this.burst = burst;
  }

  /** A cost higher than the bucket ever holds is allowed when the bucket is full, and then has to be made up for. */
  take(name: string, nowMs: number, cost = 1): Taken {
    const bucket = this.#filled(name, nowMs);
    const needed = Math.min(cost, this.burst);
    const allowed = bucket.tokens >= needed;
    if (allowed) bucket.tokens -= cost;
    return {
      allowed,
      remaining: Math.max(0, Math.floor(bucket.tokens)),
      resetSeconds: Math.ceil((this.burst - bucket.tokens) / this.perSecond),
      retryAfterSeconds: Math.max(1, Math.ceil((needed - bucket.tokens) / this.perSecond)),
    };
  }

  /** Makes no bucket, so that callers refused by another limit do not push others' buckets out. */
  isEmpty(name: string, nowMs: number): boolean {
    return this.#buckets.has(name) && this.#filled(name, nowMs).tokens < 1;
  }

  /** Undoes one take(). */
  giveBack(name: string): void {
    const bucket = this.#buckets.get(name);
    if (bucket) bucket.tokens = Math.min(this.burst, bucket.tokens + 1);
  }

  #filled(name: string, nowMs: number): Bucket {
    let bucket = this.#buckets.get(name);
    if (!bucket) {
      bucket = { tokens: this.burst, filledAt: nowMs };
      this.#buckets.set(name, bucket);
    }
    // A clock stepping back must not take tokens away.
    const elapsedMs = Math.max(0, nowMs - bucket.filledAt);
    bucket.tokens = Math.min(this.burst, bucket.tokens + (elapsedMs / 1000) * this.perSecond);
    bucket.filledAt = nowMs;
    return bucket;
  }
}
