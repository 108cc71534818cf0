import type { Place } from '../../line.ts';
import type { ClaimedRow } from './claim.ts';
import type { Lane } from './lanes.ts';

/** Where and how to send, as it was at the last claim. */
export interface Endpoint {
  readonly url: string;
  readonly disabled: boolean;
  /** Its secrets as they are stored, by which a change of them is seen. */
  readonly sealed: { readonly secret: Uint8Array; readonly previous: Uint8Array | null };
  /** The newest first; null where they cannot be decrypted. */
  readonly secrets: readonly string[] | null;
  /** When one of them ends that the row does not tell of. */
  readonly secretsUntil: number;
  /** As the log names them. */
  readonly account: string;
  readonly id: string;
}

/** A delivery that this process has claimed and not yet settled. Times are of its monotonic clock. */
export interface Claim {
  readonly row: ClaimedRow;
  readonly claimId: string;
  readonly claimedAt: number;
  /** Until when the lease surely holds. */
  leasedUntil: number;
  /** Among all that are held. */
  held: Place<Claim> | null;
  /** Its result waits to be written down. */
  isSettling: boolean;
}

/** A claim on its way out. */
export interface Job extends Claim {
  readonly lane: Lane;
  readonly body: Buffer;
  startedAt: number;
  /** The same by the calendar. */
  startedOn: Date;
  sentTo: string;
  /** `dlv_…` */
  readonly publicId: string;
  signature: string;
  /** Among all that are in flight. */
  inFlight: Place<Job> | null;
}
