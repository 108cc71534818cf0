import type { App } from '../../app.ts';
import { newId } from '../../ids.ts';
import { metricsOf } from '../../system/metrics.ts';
import { claim, claimMost } from './across-accounts.store.ts';
import { claimedNow, laneIdOf } from './delivery.ts';
import type { Dispatch } from './dispatch.ts';
import { EndpointReader } from './endpoint-reader.ts';
import { startLimit } from './lanes.ts';
import { leaseMs } from './queue.store.ts';

/** The shortest time between two claims, so that a stream of writes is served in batches. */
const claimEveryMs = 4;
/**
 * The same after a claim that found nothing. A wake-up may shorten it, unless this many claims in a row found nothing.
 */
const claimEmptyEveryMs = 20;
const mostFruitlessWakes = 5;
const claimFailedEveryMs = 1_000;

/** Claims deliveries for the dispatch, one claim at a time. */
export class ClaimLoop {
  readonly #app: App;
  readonly #dispatch: Dispatch;
  readonly #endpoints: EndpointReader;
  readonly #maxAttempts: number;
  #running = false;
  #answeredAt = 0;
  /** Whether something may be due that no claim has looked for. */
  #dirty = false;
  /** Whether somebody wrote something, which may have no subscribers at all. */
  #woken = false;
  #fruitlessWakes = 0;
  #claiming: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether a claim begins in this turn of the event loop. */
  #isNext = false;
  #notBefore = 0;
  #notBeforeWoken = 0;
  #after = '00000000-0000-0000-0000-000000000000';

  constructor(app: App, dispatch: Dispatch) {
    this.#app = app;
    this.#dispatch = dispatch;
    this.#endpoints = new EndpointReader(app);
    this.#maxAttempts = app.config.WEBHOOK_RETRY_DELAYS_MS.length + 1;
  }

  start(): void {
    this.#running = true;
  }

  /** Called when somebody wrote, so that something may be due. */
  wake(): void {
    this.#dirty = true;
    this.#woken = true;
    if (this.#fruitlessWakes < mostFruitlessWakes) this.#stopTimer();
    this.schedule();
  }

  /** Looks for deliveries that fell due without a wake-up. */
  lookAgain(): void {
    this.#dirty = true;
    this.schedule();
  }

  /** Claims as soon as enough time has passed, if there is a reason to. */
  schedule(): void {
    if (!this.#running || this.#claiming !== undefined || this.#isNext || this.#timer !== undefined) return;
    const promptly = this.#woken && this.#fruitlessWakes < mostFruitlessWakes;
    const wait = (promptly ? this.#notBeforeWoken : this.#notBefore) - performance.now();
    // A timeout takes at least a millisecond, which is most of what a delivery takes from commit to receipt.
    this.#isNext = wait <= 0;
    if (this.#isNext) setImmediate(this.#begin);
    else this.#timer = setTimeout(this.#begin, wait);
  }

  /** When the last claim was answered. */
  get answeredAt(): number {
    return this.#answeredAt;
  }

  /** Starts no more claims, and waits for the one under way. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#stopTimer();
    await this.#claiming;
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #begin = (): void => {
    this.#timer = undefined;
    this.#isNext = false;
    // If there is no room, the next results make some and ask again, and so does the tick that renews leases.
    if (!this.#running || !this.#dispatch.hasRoom || this.#dispatch.isUnsure || !this.#isWanted()) return;
    this.#claiming = this.#claim()
      .catch((error) => {
        this.#app.log.warn({ err: error }, 'claim failed');
        this.#dirty = true;
        this.#notBefore = performance.now() + claimFailedEveryMs;
        this.#notBeforeWoken = this.#notBefore;
      })
      .finally(() => {
        this.#claiming = undefined;
        if (this.#isWanted()) this.schedule();
      });
  };

  #isWanted(): boolean {
    return this.#dirty || this.#dispatch.isHungry();
  }

  async #claim(): Promise<void> {
    const { db, now } = this.#app;
    const metrics = metricsOf(this.#app);
    this.#dirty = false;
    const wasWoken = this.#woken;
    this.#woken = false;
    const most = Math.min(claimMost, this.#dispatch.room);
    const claimId = newId();
    const rooms = this.#dispatch.rooms();
    const claimedAt = performance.now();
    this.#notBefore = claimedAt + claimEveryMs;
    this.#notBeforeWoken = this.#notBefore;
    const request = {
      claimId,
      after: this.#after,
      most,
      perLane: startLimit,
      rooms,
      leaseMs,
      maxAttempts: this.#maxAttempts,
      now: now(),
    };
    const rows = await claim(db, request);
    this.#answeredAt = performance.now();
    metrics.claimSeconds.observe((this.#answeredAt - claimedAt) / 1000);
    metrics.claimed.inc(rows.length);
    const wholeRound = rows.length < most;
    if (!wholeRound) this.#dirty = true;
    if (rows.length === 0) this.#notBefore = claimedAt + claimEmptyEveryMs;
    // A write that follows a look which no write had asked for must not wait for it.
    if (rows.length === 0 && !wasWoken) this.#notBeforeWoken = 0;
    if (wasWoken) this.#fruitlessWakes = rows.length === 0 ? this.#fruitlessWakes + 1 : 0;
    const last = rows.at(-1);
    if (last !== undefined) this.#after = laneIdOf(last);
    this.#dispatch.receive({
      deliveries: rows.map((row) => claimedNow(row, claimId, claimedAt, leaseMs)),
      endpoints: this.#endpoints.read(rows),
      rooms,
      wholeRound,
    });
  }
}
