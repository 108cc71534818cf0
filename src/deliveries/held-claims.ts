import type { App } from '../app.ts';
import type { Claim } from './job.ts';
import { leaseMs, renewAfterMs, renewLeases } from './leases.ts';

/** No attempt takes this much longer than it may: a claim as old as that was forgotten by a fault of ours. */
const forgottenAfterMs = 60_000;

/** The claims of this process that are not settled yet, by delivery; keeps their leases. */
export class HeldClaims {
  readonly #app: App;
  readonly #most: number;
  readonly #claims = new Map<string, Claim>();
  #renewing = false;

  constructor(app: App, most: number) {
    this.#app = app;
    this.#most = most;
  }

  /** How many more may be claimed: this bounds what piles up while the database or the network is slow. */
  get room(): number {
    return Math.max(0, this.#most - this.#claims.size);
  }

  get(id: string): Claim | undefined {
    return this.#claims.get(id);
  }

  set(claim: Claim): void {
    this.#claims.set(claim.row.id, claim);
  }

  /** Only if it is that claim: after a lost lease, this process may have claimed the delivery again. */
  delete(id: string, claimId: string): void {
    if (this.#claims.get(id)?.claimId === claimId) this.#claims.delete(id);
  }

  /** Extends leases that have been held for a while: most deliveries are settled long before. */
  async renew(now: number): Promise<void> {
    this.#letGo(now - this.#app.config.WEBHOOK_TIMEOUT_MS - forgottenAfterMs);
    const renewBefore = now + leaseMs - renewAfterMs;
    const claims = Array.from(this.#claims.values()).filter(({ leasedUntil }) => leasedUntil < renewBefore);
    if (claims.length === 0 || this.#renewing) return;
    this.#renewing = true;
    try {
      const renewed = await renewLeases(this.#app.db, claims);
      for (const claim of claims) if (renewed.has(claim.row.id)) claim.leasedUntil = now + leaseMs;
    } catch (error) {
      this.#app.log.warn({ err: error, leases: claims.length }, 'leases not renewed');
    } finally {
      this.#renewing = false;
    }
  }

  /** Without its lease any worker can take it up again. */
  #letGo(claimedBefore: number): void {
    for (const [id, { claimedAt }] of this.#claims) {
      // The oldest come first.
      if (claimedAt >= claimedBefore) return;
      this.#claims.delete(id);
      this.#app.log.error({ delivery: id }, 'a claim was held too long');
    }
  }
}
