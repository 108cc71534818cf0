import { createHmac } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';
import { sign } from '../../src/deliveries/sending/sign.ts';
import type { Webhook } from '../delivery/workload.ts';

/** In flight at once, for every contender. */
export const inFlight = 96;

/** One for all endpoints: peers do not even look it up. */
const secret = `whsec_${'5e'.repeat(32)}`;
const secrets = [secret];

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
 * How a peer sends. As one writes it: undici's `request` on a pool of its own, a signature by node:crypto. Or tuned, with all
 * that Tenure's own sender knows: `dispatch`, which `request` is made of, with a handler that only keeps what the record
 * needs, and an HMAC of two plain hashes.
 */
export class WebhookClient {
  readonly #pool: Pool;
  readonly #tuned: boolean;
  readonly #waiting: (() => void)[] = [];
  #free = inFlight;

  constructor(base: string, tuned: boolean) {
    this.#pool = new Pool(base, { connections: inFlight, pipelining: 1 });
    this.#tuned = tuned;
  }

  /** Waits for its turn: a peer may have more jobs in hand than may be in flight. */
  async send(webhook: Webhook): Promise<Attempt> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.sendSigned(webhook, this.#tuned ? signed(webhook) : plainlySigned(webhook));
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  sendSigned(webhook: Webhook, signature: string): Promise<Attempt> {
    return this.#tuned ? this.#dispatch(webhook, signature) : this.#request(webhook, signature);
  }

  async #request({ id, endpoint, body }: Webhook, signature: string): Promise<Attempt> {
    const startedAt = new Date();
    const answer = await this.#pool.request({
      path: `/hooks/${endpoint}`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Bench/1',
        'X-Service-Event': 'payment.created',
        'X-Service-Delivery': id,
        'X-Service-Signature': signature,
      },
      body,
    });
    const response = await answer.body.text();
    const durationMs = Date.now() - startedAt.getTime();
    return { id, endpoint, startedAt, durationMs, status: answer.statusCode, signature, response };
  }

  #dispatch({ id, endpoint, body }: Webhook, signature: string): Promise<Attempt> {
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

function plainlySigned({ body }: Webhook): string {
  const timestamp = Math.floor(Date.now() / 1000);
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

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
