import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app.ts';
import { endsWithin } from '../../clock.ts';
import { isLocked, isStorageFull, isTooLate, isUnavailable } from '../../db/database-errors.ts';
import { formatId } from '../../ids.ts';
import { metricsOf } from '../../system/metrics.ts';
import { cancelBatch, cancelQueued } from '../../webhooks/cancel-queued.ts';
import { settle } from './across-accounts.store.ts';
import type { Delivery } from './delivery.ts';

/** How long results wait for others to share a statement. A statement costs about as much as ten results in it. */
const gatherMs = 10;
const mostInBatch = 1_000;
const retryAfterMs = { first: 50, most: 1_000 };

const endpointOf = ({ endpointId }: Delivery): string => endpointId;

/**
 * Collects results and writes them in batches, one batch at a time. What arrives in the meantime makes up the next
 * batch, so batches grow under load. While the database is away, results wait in memory. Their number is bounded by how
 * many deliveries a process may hold.
 */
export class Settler {
  readonly #app: App;
  readonly #onSettled: (batch: Delivery[]) => void;
  #pending: Delivery[] = [];
  readonly #aside = new Map<string, Delivery[]>();
  #settlingAside: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #draining = false;
  #givenUp = false;
  readonly #cancelling = new Map<string, Promise<void>>();

  /** `onSettled` is called with deliveries whose results have been written, or never can be. */
  constructor(app: App, onSettled: (batch: Delivery[]) => void) {
    this.#app = app;
    this.#onSettled = onSettled;
  }

  /** Writes the delivery's settlement soon. */
  settle(delivery: Delivery): void {
    const aside = this.#aside.get(delivery.endpointId);
    if (aside) return void aside.push(delivery);
    this.#pending.push(delivery);
    if (this.#running !== undefined) return;
    if (this.#pending.length >= mostInBatch) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), gatherMs);
  }

  /** Endpoints whose rows somebody else has locked. Their results wait, and nothing more is sent to them. */
  get aside(): ReadonlyMap<string, unknown> {
    return this.#aside;
  }

  get asideCount(): number {
    let count = 0;
    for (const results of this.#aside.values()) count += results.length;
    return count;
  }

  /** Waits until everything is written or the time is up. In that case, leases run out by themselves. */
  async drain(withinMs: number): Promise<void> {
    this.#draining = true;
    this.#start();
    if (!(await endsWithin(withinMs, this.#untilWritten()))) this.#givenUp = true;
  }

  async #untilWritten(): Promise<void> {
    await this.#running;
    await this.#settlingAside;
    await Promise.all(this.#cancelling.values());
  }

  /** Empties the queue of an endpoint that was disabled or deleted. */
  cancelAll(accountId: string, endpointId: string): void {
    if (this.#cancelling.has(endpointId)) return;
    const work = this.#cancelBatches(accountId, endpointId)
      .catch((error) => {
        this.#app.log.warn({ err: error, endpoint: formatId('we', endpointId) }, 'queue not cancelled yet');
      })
      .finally(() => this.#cancelling.delete(endpointId));
    this.#cancelling.set(endpointId, work);
  }

  async #cancelBatches(accountId: string, endpointId: string): Promise<void> {
    const { db, now } = this.#app;
    while (!this.#givenUp) {
      if ((await cancelQueued(db, accountId, endpointId, now(), 'waiting')) < cancelBatch) return;
    }
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#pending.length > 0 && !this.#givenUp) this.#start();
    });
  }

  async #run(): Promise<void> {
    let wait = retryAfterMs.first;
    while (this.#pending.length > 0 && !this.#givenUp) {
      const batch = this.#pending.slice(0, mostInBatch);
      try {
        await this.#write(batch);
        wait = retryAfterMs.first;
      } catch (error) {
        // A node of a cluster knows no limit for waiting on a lock; only the coordinator has one, for the whole
        // statement.
        if (isLocked(error) || (this.#app.db.isDistributed() && isTooLate(error))) {
          this.#pending = this.#pending.slice(batch.length);
          await this.#settleApart(batch);
          continue;
        }
        if (mayPass(error)) {
          this.#app.log.warn({ err: error, waiting: this.#pending.length }, 'results wait for the database');
          await sleep(wait);
          wait = Math.min(wait * 2, retryAfterMs.most);
          continue;
        }
        await this.#writeOneByOne(batch);
      }
      this.#pending = this.#pending.slice(batch.length);
      this.#onSettled(batch);
      if (this.#pending.length < mostInBatch && !this.#draining) await sleep(gatherMs);
    }
  }

  async #write(deliveries: Delivery[]): Promise<void> {
    const { db, now, log } = this.#app;
    const metrics = metricsOf(this.#app);
    const startedAt = performance.now();
    const { count, lost, disabled } = await settle(db, deliveries, now());
    metrics.settleSeconds.observe((performance.now() - startedAt) / 1000);
    metrics.settled.inc(count);
    for (const { accountId, endpointId } of disabled) this.cancelAll(accountId, endpointId);
    if (lost.length === 0) return;
    log.warn({ deliveries: lost.map((id) => formatId('dlv', id)) }, 'results came after the claim was lost');
  }

  /** Somebody has locked one of the endpoints. Its results are put aside, so that no others wait for them. */
  async #settleApart(batch: Delivery[]): Promise<void> {
    for (const [endpoint, results] of Map.groupBy(batch, endpointOf)) {
      if (this.#givenUp) return;
      try {
        await this.#write(results);
        this.#onSettled(results);
      } catch (error) {
        this.#tellWaiting(error, endpoint, results);
        this.#aside.set(endpoint, [...(this.#aside.get(endpoint) ?? []), ...results]);
      }
    }
    for (const result of this.#pending) this.#aside.get(endpointOf(result))?.push(result);
    this.#pending = this.#pending.filter((result) => !this.#aside.has(endpointOf(result)));
    this.#settlingAside ??= this.#settleAside().finally(() => {
      this.#settlingAside = undefined;
    });
  }

  async #settleAside(): Promise<void> {
    while (this.#aside.size > 0 && !this.#givenUp) {
      await sleep(retryAfterMs.first);
      for (const [endpoint, results] of this.#aside) {
        if (this.#givenUp) return;
        const batch = results.slice(0, mostInBatch);
        try {
          await this.#write(batch);
        } catch (error) {
          if (mayPass(error)) {
            this.#tellWaiting(error, endpoint, results);
            await sleep(retryAfterMs.most);
            continue;
          }
          await this.#writeOneByOne(batch);
        }
        results.splice(0, batch.length);
        if (results.length === 0) this.#aside.delete(endpoint);
        this.#onSettled(batch);
      }
    }
  }

  #tellWaiting(error: unknown, endpoint: string, { length }: Delivery[]): void {
    const told = { err: error, endpoint: formatId('we', endpoint), waiting: length };
    this.#app.log.warn(told, 'results wait for their endpoint');
  }

  /**
   * Postgres refused something in the batch. The rest is still written; the refused one's lease runs out, and it is
   * tried again.
   */
  async #writeOneByOne(batch: Delivery[]): Promise<void> {
    for (const delivery of batch) {
      try {
        await this.#write([delivery]);
      } catch (error) {
        const told = { err: error, delivery: formatId('dlv', delivery.id) };
        this.#app.log.error(told, 'a result could not be written');
      }
    }
  }
}

/** The database is away, or its disk is full: waiting may help. */
const mayPass = (error: unknown): boolean => isUnavailable(error) || isStorageFull(error);
