import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app.ts';
import { endsWithin } from '../../clock.ts';
import { isLocked, isStorageFull, isUnavailable } from '../../db/connect.ts';
import { formatId } from '../../ids.ts';
import { metricsOf } from '../../system/metrics.ts';
import { cancelBatch, cancelQueued } from '../../webhooks/webhooks.ts';
import type { Settlement } from '../sending/settlement.ts';
import type { Claim } from './job.ts';
import { settle } from './settle.ts';

/** How long results wait for company: a batch costs about as much as ten results of it. */
const gatherMs = 10;
const mostInBatch = 250;
const retryAfterMs = { first: 50, most: 1_000 };

/** What became of a claim. */
export interface Result {
  readonly claim: Claim;
  readonly settlement: Settlement;
}

const endpointOf = ({ claim }: Result): string => claim.row.endpoint_id;

/**
 * Collects results and writes them down in batches, one batch at a time: what comes in meanwhile makes the
 * next one, so batches grow by themselves under load. While the database is away results wait in memory,
 * and with them the number of deliveries held, which bounds how many there can be.
 */
export class Settler {
  readonly #app: App;
  readonly #onSettled: (batch: Result[]) => void;
  #pending: Result[] = [];
  /** By endpoint, of those that somebody holds in the database. */
  readonly #aside = new Map<string, Result[]>();
  #settlingAside: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #draining = false;
  #givenUp = false;
  readonly #cancelling = new Map<string, Promise<void>>();

  constructor(app: App, onSettled: (batch: Result[]) => void) {
    this.#app = app;
    this.#onSettled = onSettled;
  }

  add(claim: Claim, settlement: Settlement): void {
    claim.isSettling = true;
    const aside = this.#aside.get(claim.row.endpoint_id);
    if (aside) return void aside.push({ claim, settlement });
    this.#pending.push({ claim, settlement });
    if (this.#running !== undefined) return;
    if (this.#pending.length >= mostInBatch) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), gatherMs);
  }

  /** Waits until everything is written down, or the time is over: then leases run out by themselves. */
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

  /** Whether the results of this endpoint cannot be written down for the moment: then no more are to be made. */
  isAside(endpointId: string): boolean {
    return this.#aside.has(endpointId);
  }

  get asideCount(): number {
    let count = 0;
    for (const results of this.#aside.values()) count += results.length;
    return count;
  }

  /** Empties the queue of an endpoint that is disabled or gone. */
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
        await this.#settle(batch.map(({ settlement }) => settlement));
        wait = retryAfterMs.first;
      } catch (error) {
        if (isLocked(error)) {
          this.#pending = this.#pending.slice(batch.length);
          await this.#settleApart(batch);
          continue;
        }
        if (isUnavailable(error) || isStorageFull(error)) {
          this.#app.log.warn({ err: error, waiting: this.#pending.length }, 'results wait for the database');
          await sleep(wait);
          wait = Math.min(wait * 2, retryAfterMs.most);
          continue;
        }
        await this.#settleOneByOne(batch);
      }
      this.#pending = this.#pending.slice(batch.length);
      this.#onSettled(batch);
      if (this.#pending.length < mostInBatch && !this.#draining) await sleep(gatherMs);
    }
  }

  async #settle(batch: Settlement[]): Promise<void> {
    const { db, now, log } = this.#app;
    const metrics = metricsOf(this.#app);
    const startedAt = performance.now();
    const { count, lost, disabled } = await settle(db, batch, now());
    metrics.settleSeconds.observe((performance.now() - startedAt) / 1000);
    metrics.settled.inc(count);
    for (const { accountId, endpointId } of disabled) this.cancelAll(accountId, endpointId);
    if (lost.length === 0) return;
    log.warn({ deliveries: lost.map((id) => formatId('dlv', id)) }, 'results came after the claim was lost');
  }

  /** Somebody holds one of the endpoints in the database: its results step aside, so that no others wait for it. */
  async #settleApart(batch: Result[]): Promise<void> {
    for (const [endpoint, results] of Map.groupBy(batch, endpointOf)) {
      if (this.#givenUp) return;
      try {
        await this.#settle(results.map(({ settlement }) => settlement));
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
          await this.#settle(batch.map(({ settlement }) => settlement));
        } catch (error) {
          if (isUnavailable(error) || isStorageFull(error)) {
            this.#tellWaiting(error, endpoint, results);
            await sleep(retryAfterMs.most);
            continue;
          }
          await this.#settleOneByOne(batch);
        }
        results.splice(0, batch.length);
        if (results.length === 0) this.#aside.delete(endpoint);
        this.#onSettled(batch);
      }
    }
  }

  #tellWaiting(error: unknown, endpoint: string, { length }: Result[]): void {
    const told = { err: error, endpoint: formatId('we', endpoint), waiting: length };
    this.#app.log.warn(told, 'results wait for their endpoint');
  }

  /** Something in the batch is refused: the others must not suffer. Its lease runs out and it is tried again. */
  async #settleOneByOne(batch: Result[]): Promise<void> {
    for (const { settlement } of batch) {
      try {
        await this.#settle([settlement]);
      } catch (error) {
        const told = { err: error, delivery: formatId('dlv', settlement.id) };
        this.#app.log.error(told, 'a result could not be written down');
      }
    }
  }
}
