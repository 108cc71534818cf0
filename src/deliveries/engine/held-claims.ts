import type { App } from '../../app.ts';
import { formatId } from '../../ids.ts';
import { Line } from '../../line.ts';
import { leaseMs, renewAfterMs, renewLeases } from './claim-leases.ts';
import type { Claim } from './job.ts';

/** No attempt takes this much longer than it may: a claim as old as that was forgotten by a fault of ours. */
const forgottenAfterMs = 60_000;

const none: ReadonlySet<Claim> = new Set();

/** The claims of this process that are not settled yet, the oldest first; keeps their leases. */
export class HeldClaims {
  readonly #app: App;
  readonly #most: number;
  readonly #claims = new Line<Claim>();
  #renewing = false;
  /** Until when all leases surely hold. */
  #sureUntil = Number.POSITIVE_INFINITY;

  constructor(app: App, most: number) {
    this.#app = app;
    this.#most = most;
  }

  /**
   * How many more may be claimed: this bounds what piles up while the database or the network is slow. Those that wait for
   * a held endpoint take no place of others', up to as many again.
   */
  room(aside: number): number {
    return Math.max(0, this.#most - this.#claims.size + Math.min(aside, this.#most));
  }

  /** Some leases may have run out and must be renewed before anything is claimed: we would be given what we have. */
  get isUnsure(): boolean {
    return performance.now() >= this.#sureUntil;
  }

  add(claim: Claim): void {
    claim.held = this.#claims.add(claim);
    this.#sureUntil = Math.min(this.#sureUntil, claim.leasedUntil);
  }

  delete(claim: Claim): void {
    if (claim.held !== null) this.#claims.remove(claim.held);
    claim.held = null;
  }

  /** Extends leases that have been held for a while: most deliveries are settled long before. */
  async renew(now: number): Promise<void> {
    this.#letGo(now - this.#app.config.WEBHOOK_TIMEOUT_MS - forgottenAfterMs);
    if (this.#renewing) return;
    const renewBefore = now + leaseMs - renewAfterMs;
    const claims = [...this.#claims].filter(({ leasedUntil }) => leasedUntil < renewBefore);
    if (claims.length === 0) return this.#lookHowLong(none);
    this.#renewing = true;
    try {
      const renewed = await renewLeases(this.#app.db, claims);
      for (const claim of claims) if (renewed.has(claim.row.id)) claim.leasedUntil = now + leaseMs;
      this.#lookHowLong(new Set(claims.filter(({ row }) => !renewed.has(row.id))));
    } catch (error) {
      this.#app.log.warn({ err: error, leases: claims.length }, 'leases not renewed');
    } finally {
      this.#renewing = false;
    }
  }

  /** Those that are lost, or being settled at this moment, are nothing to wait for. */
  #lookHowLong(besides: ReadonlySet<Claim>): void {
    this.#sureUntil = Number.POSITIVE_INFINITY;
    for (const claim of this.#claims)
      if (!besides.has(claim)) this.#sureUntil = Math.min(this.#sureUntil, claim.leasedUntil);
  }

  /** Without its lease any worker can take it up again. A result that waits for the database keeps its own. */
  #letGo(claimedBefore: number): void {
    for (const claim of this.#claims) {
      if (claim.claimedAt >= claimedBefore) return;
      if (claim.isSettling) continue;
      this.delete(claim);
      this.#app.log.error({ delivery: formatId('dlv', claim.row.id) }, 'a claim was held too long');
    }
  }
}
