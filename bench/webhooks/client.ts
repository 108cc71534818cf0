import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { pathOf, type Webhook } from './workload.ts';

/** In flight at once, for every contender. */
export const inFlight = 96;

/** One for all endpoints: peers do not even look it up. */
const secret = `whsec_${'5e'.repeat(32)}`;

/** The result of an attempt, for the record. */
export interface Attempt {
  id: string;
  endpoint: number;
  startedAt: Date;
  durationMs: number;
  status: number;
  signature: string;
  response: string;
}

/** How a peer sends: undici's `request` on its own pool, with a signature by node:crypto. */
export class WebhookClient {
  readonly #pool: Pool;
  readonly #waiting: (() => void)[] = [];
  #free = inFlight;

  constructor(base: string) {
    this.#pool = new Pool(base, { connections: inFlight, pipelining: 1 });
  }

  /** Waits for a turn: a peer may hold more jobs than may be in flight. */
  async send(webhook: Webhook): Promise<Attempt> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.sendSigned(webhook, signatureOf(webhook));
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  async sendSigned({ id, endpoint, body }: Webhook, signature: string): Promise<Attempt> {
    const startedAt = new Date();
    const answer = await this.#pool.request({
      path: pathOf(endpoint),
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
}

export function signatureOf({ body }: Webhook): string {
  const timestamp = Math.floor(Date.now() / 1000);
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}
