import type { App } from '../../app.ts';
import { formatId } from '../../ids.ts';
import { readPrevious } from '../../webhooks/webhooks.ts';
import type { ClaimedRow, EndpointRow } from './claim.ts';
import type { Endpoint } from './job.ts';
import type { Trust } from './lanes.ts';

/** Turns endpoint rows into what is needed to send. */
export class EndpointReader {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Once for each row, of which a claim has many deliveries; `known` is how the endpoint was before, and mostly still is. */
  read(row: EndpointRow, known: Endpoint | undefined): Endpoint {
    row.read ??= known !== undefined && this.#isStill(known, row) ? known : this.#readAnew(row);
    return row.read;
  }

  #readAnew(row: EndpointRow): Endpoint {
    return {
      url: row.url,
      disabled: row.disabled,
      sealed: { secret: copyOf(row.secret), previous: row.previous_secret && copyOf(row.previous_secret) },
      ...this.#secretsOf(row),
      account: formatId('acct', row.account_id),
      id: formatId('we', row.id),
    };
  }

  #isStill(known: Endpoint, row: EndpointRow): boolean {
    return isSame(known, row) && this.#app.now().getTime() < known.secretsUntil;
  }

  #secretsOf({ id, secret, previous_secret }: EndpointRow): Pick<Endpoint, 'secrets' | 'secretsUntil'> {
    const current = this.#readable(id, secret);
    // One that is lost with its SECRET_KEY must not keep the new secret from signing.
    const previous = previous_secret === null ? null : this.#readable(id, previous_secret);
    const { secrets, until } =
      previous === null ? { secrets: [], until: Infinity } : readPrevious(previous, this.#app.now());
    return { secrets: current === null ? null : [current, ...secrets], secretsUntil: until };
  }

  #readable(id: string, box: Buffer): string | null {
    try {
      return this.#app.secrets.decrypt(box);
    } catch (error) {
      // Only when SECRET_KEY is not the one it was encrypted with.
      this.#app.log.error({ err: error, endpoint: formatId('we', id) }, 'the signing secret cannot be read');
      return null;
    }
  }
}

function isSame({ url, disabled, sealed }: Endpoint, row: EndpointRow): boolean {
  return (
    url === row.url &&
    disabled === row.disabled &&
    sameBytes(sealed.secret, row.secret) &&
    sameBytes(sealed.previous, row.previous_secret)
  );
}

const sameBytes = (a: Uint8Array | null, b: Buffer | null): boolean =>
  a === null || b === null ? a === b : b.equals(a);

/** Bytes of their own: those of a row share their memory with others, all of which would stay with them. */
const copyOf = (bytes: Buffer): Uint8Array => new Uint8Array(bytes);

/**
 * What the endpoint's counters say, until this process has seen for itself. Of tests they say too little: each is a lane of its
 * own, and if all of them were trusted, those of one endpoint that has begun to hang could take every slot.
 */
export function trustIn({ kind }: ClaimedRow, { failure_count, has_succeeded }: EndpointRow): Trust {
  if (failure_count > 0) return 'suspect';
  return has_succeeded && kind !== 'test' ? 'trusted' : 'unproven';
}
