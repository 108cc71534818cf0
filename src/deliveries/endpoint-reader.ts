import { LRUCache } from 'lru-cache';
import type { App } from '../app.ts';
import { formatId } from '../ids.ts';
import type { EndpointRow } from './claim.ts';
import type { Endpoint } from './job.ts';
import type { Trust } from './lanes.ts';

/** Turns endpoint rows into what is needed to send. */
export class EndpointReader {
  readonly #app: App;
  /** Plain secrets by their encrypted form, so that a rotated one is never taken for the old. */
  readonly #secrets = new LRUCache<string, string>({ max: 10_000 });

  /** By row: a claim has many deliveries for one endpoint. */
  readonly #read = new WeakMap<EndpointRow, Endpoint>();

  constructor(app: App) {
    this.#app = app;
  }

  read(row: EndpointRow): Endpoint {
    let endpoint = this.#read.get(row);
    if (endpoint === undefined) {
      endpoint = {
        url: row.url,
        disabled: row.disabled,
        secrets: this.#secretsOf(row),
        account: formatId('acct', row.account_id),
        id: formatId('we', row.id),
      };
      this.#read.set(row, endpoint);
    }
    return endpoint;
  }

  #secretsOf({ id, secret, previous_secret }: EndpointRow): string[] | null {
    const current = this.#readable(id, secret);
    if (current === null) return null;
    // One that is lost with its SECRET_KEY must not keep the new secret from signing.
    const previous = previous_secret === null ? null : this.#readable(id, previous_secret);
    return previous === null ? [current] : [current, previous];
  }

  #readable(id: string, box: Buffer): string | null {
    try {
      return this.#decrypt(box);
    } catch (error) {
      // Only when SECRET_KEY is not the one it was encrypted with.
      this.#app.log.error({ err: error, endpoint: formatId('we', id) }, 'the signing secret cannot be read');
      return null;
    }
  }

  #decrypt(box: Buffer): string {
    const key = box.toString('latin1');
    let secret = this.#secrets.get(key);
    if (secret === undefined) {
      secret = this.#app.secrets.decrypt(box);
      this.#secrets.set(key, secret);
    }
    return secret;
  }
}

/** What the endpoint's counters say, until this process has seen for itself. */
export function trustByHistory({ failure_count, has_succeeded }: EndpointRow): Trust {
  if (failure_count > 0) return 'suspect';
  return has_succeeded ? 'trusted' : 'unproven';
}
