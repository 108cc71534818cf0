import type { App } from '../../app.ts';
import { formatId } from '../../ids.ts';
import { UnorderedSet } from '../../system/unordered-set.ts';
import type { Delivery } from './delivery.ts';
import { leaseMs, renewLeases } from './queue.store.ts';

/** A lease older than this is renewed. That leaves time for two more tries before it runs out. */
const renewAfterMs = 3_000;

/** No attempt overruns its time-out by this much. A delivery held for longer was forgotten through a fault of ours. */
const forgottenAfterMs = 60_000;

const none: ReadonlySet<Delivery> = new Set();

/** The deliveries that this process has claimed and not yet settled. It keeps their leases alive. */
export class ClaimLeases {
  readonly #app: App;
  readonly #most: number;
  readonly #held = new UnorderedSet<Delivery>();
  #renewing = false;
  /** The time until which all leases certainly hold. */
  #sureUntil = Number.POSITIVE_INFINITY;

  constructor(app: App, most: number) {
    this.#app = app;
    this.#most = most;
  }

  /**
   * How many more may be claimed. This bounds what piles up while the database or the network is slow. Deliveries that
   * wait for a locked endpoint (`aside`) take no room from others, up to as many again.
   */
  room(aside: number): number {
    return Math.max(0, this.#most - this.#held.size + Math.min(aside, this.#most));
  }

  /**
   * Whether some leases may have run out. They must be renewed before the next claim, which would otherwise return what
   * we already hold.
   */
  get isUnsure(): boolean {
    return performance.now() >= this.#sureUntil;
  }

  add(delivery: Delivery): void {
    this.#held.add(delivery);
    this.#sureUntil = Math.min(this.#sureUntil, delivery.leasedUntil);
  }

  delete(delivery: Delivery): void {
    this.#held.delete(delivery);
  }

  all(): Delivery[] {
    return this.#held.all();
  }

  /** Extends leases that are a few seconds old. Most deliveries are settled long before. */
  async renew(now: number): Promise<void> {
    this.#letGo(now - this.#app.config.WEBHOOK_TIMEOUT_MS - forgottenAfterMs);
    if (this.#renewing) return;
    const renewBefore = now + leaseMs - renewAfterMs;
    const deliveries = this.#held.all().filter(({ leasedUntil }) => leasedUntil < renewBefore);
    if (deliveries.length === 0) return this.#lookHowLong(none);
    this.#renewing = true;
    try {
      const renewed = await renewLeases(this.#app.db, deliveries);
      for (const delivery of deliveries) if (renewed.has(delivery.id)) delivery.leasedUntil = now + leaseMs;
      this.#lookHowLong(new Set(deliveries.filter(({ id }) => !renewed.has(id))));
    } catch (error) {
      this.#app.log.warn({ err: error, leases: deliveries.length }, 'leases not renewed');
    } finally {
      this.#renewing = false;
    }
  }

  /** Works out how long the leases hold. Deliveries that are lost, or being settled at this moment, need none. */
  #lookHowLong(besides: ReadonlySet<Delivery>): void {
    this.#sureUntil = Number.POSITIVE_INFINITY;
    for (const delivery of this.#held.all())
      if (!besides.has(delivery)) this.#sureUntil = Math.min(this.#sureUntil, delivery.leasedUntil);
  }

  /**
   * Forgets old deliveries. Without a lease, any worker can claim them again. A result that waits for the database
   * keeps its lease.
   */
  #letGo(claimedBefore: number): void {
    for (const delivery of this.#held.all()) {
      if (delivery.claimedAt >= claimedBefore || delivery.settlement !== null) continue;
      this.delete(delivery);
      this.#app.log.error({ delivery: formatId('dlv', delivery.id) }, 'a claim was held too long');
    }
  }
}
