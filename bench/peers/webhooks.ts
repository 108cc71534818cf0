import { type Dispatcher, Pool } from 'undici';
import { sign } from '../../src/deliveries/sign.ts';
import type { Webhook } from '../delivery/workload.ts';

/** In flight at once, for every contender. */
export const inFlight = 96;

/** One for all endpoints: peers do not even look it up. */
const secrets = [`whsec_${'5e'.repeat(32)}`];

/** What came of an attempt, for the record. */
export interface Attempt {
  id: string;
  endpoint: number;
  startedAt: Date;
  durationMs: number;
  status: number;
  signature: string;
  response: string;
}

/**
 * How every peer sends: signed as Tenure signs, through undici in its quickest form (one pool, `dispatch`, a handler that
 * only keeps what the record needs).
 */
export class WebhookClient {
  readonly #pool: Pool;
  readonly #waiting: (() => void)[] = [];
  #free = inFlight;

  constructor(base: string) {
    this.#pool = new Pool(base, { connections: inFlight, pipelining: 1 });
  }

  /** Waits for its turn: a peer may have more jobs in hand than may be in flight. */
  async send(webhook: Webhook): Promise<Attempt> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.sendSigned(webhook, signed(webhook));
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  sendSigned({ id, endpoint, body }: Webhook, signature: string): Promise<Attempt> {
    return new Promise((resolve, reject) => {
      const attempt = {
        id,
        endpoint,
        startedAt: new Date(),
        durationMs: 0,
        status: 0,
        signature,
        response: '',
      };
      this.#pool.dispatch(
        {
          path: `/hooks/${endpoint}`,
          method: 'POST',
          headers: [
            'content-type',
            'application/json',
            'user-agent',
            'Bench/1',
            'X-Service-Event',
            'payment.created',
            'X-Service-Delivery',
            id,
            'X-Service-Signature',
            signature,
          ],
          body,
        },
        new Handler(attempt, resolve, reject),
      );
    });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

export const signed = ({ body }: Webhook): string =>
  sign({ secrets, timestamp: Math.floor(Date.now() / 1000), body });

/** With the callbacks of undici 6, which 7 calls directly: the newer ones cost a wrapper and a parse of all headers. */
class Handler implements Dispatcher.DispatchHandler {
  readonly #attempt: Attempt;
  readonly #resolve: (attempt: Attempt) => void;
  readonly #reject: (error: Error) => void;
  readonly #startedAt = performance.now();

  constructor(attempt: Attempt, resolve: (attempt: Attempt) => void, reject: (error: Error) => void) {
    this.#attempt = attempt;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onConnect(): void {}

  onHeaders(status: number): boolean {
    this.#attempt.status = status;
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.#attempt.response += chunk.toString();
    return true;
  }

  onComplete(): void {
    this.#attempt.durationMs = Math.round(performance.now() - this.#startedAt);
    this.#resolve(this.#attempt);
  }

  onError(error: Error): void {
    this.#reject(error);
  }
}
