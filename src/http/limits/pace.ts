/** This many callers are a busy day and no flood: they would rather wait than be refused. */
export const shortest = 256;

/** Longer than this nobody should stand in line. */
const patienceMs = 500;
/** For each look while all goes well: the line answers a second later, and by then must not have grown much too long. */
const growth = 1.1;

/**
 * How long the line of requests may be, by how quickly they are done. One number for all machines is too long a line for the
 * slow ones: two thousand requests are a second's work here and five there, and whoever is let in last waits for all of it.
 *
 * While even the quickest take longer than anybody should wait, as many are let in as get done in that time. After that some
 * more with each look, until they do not fill half of it: then there is no line, and no limit.
 */
export class Pace {
  #most = Number.POSITIVE_INFINITY;
  #longest = 0;
  #done = 0;
  #perSecond = Number.POSITIVE_INFINITY;
  #quickestMs = Number.POSITIVE_INFINITY;
  #lookedAt: number;

  constructor(now: number) {
    this.#lookedAt = now;
  }

  get most(): number {
    return this.#most;
  }

  /** What got done in a second. */
  get perSecond(): number {
    return this.#perSecond;
  }

  /** With how many there are. */
  entered(underWay: number): void {
    if (underWay > this.#longest) this.#longest = underWay;
  }

  done(ms: number): void {
    this.#done++;
    if (ms < this.#quickestMs) this.#quickestMs = ms;
  }

  /** To be called every half a second or so. While nothing gets done, there is nothing to learn. */
  look(now: number, underWay: number): void {
    this.#perSecond = (this.#done * 1_000) / Math.max(now - this.#lookedAt, 1);
    const isLine = this.#longest >= shortest && this.#quickestMs > patienceMs;
    if (this.#done > 0 && isLine)
      this.#most = Math.max(shortest, Math.ceil((this.#perSecond * patienceMs) / 1_000));
    else if (underWay === 0 || (this.#done > 0 && this.#longest < this.#most / 2))
      this.#most = Number.POSITIVE_INFINITY;
    else if (this.#done > 0) this.#most = Math.ceil(this.#most * growth);
    this.#longest = underWay;
    this.#done = 0;
    this.#quickestMs = Number.POSITIVE_INFINITY;
    this.#lookedAt = now;
  }
}
