import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import { formatId } from '../../ids.ts';
import { readPrevious } from '../../webhooks/previous-secrets.ts';
import { type SigningKey, signingKey } from '../sending/sign.ts';
import type { ClaimedRow } from './across-accounts.store.ts';
import type { Endpoint } from './delivery.ts';

/** Reads the endpoints that come with claims. */
export class EndpointReader {
  readonly #app: Pick<App, 'secrets' | 'now' | 'log'>;
  /**
   * By the secret as it is encrypted, so that a new one is read at once. Every claim brings those of all its endpoints
   * again, and to decrypt one takes as long as both signatures of a delivery.
   */
  readonly #keys = new LRUCache<string, SigningKey>({ max: 10_000 });

  constructor(app: Pick<App, 'secrets' | 'now' | 'log'>) {
    this.#app = app;
  }

  /** The endpoints by id. One that was deleted is missing. */
  read(rows: ClaimedRow[]): Map<string, Endpoint> {
    const endpoints = new Map<string, Endpoint>();
    for (const row of rows) {
      if (row.url === null || endpoints.has(row.endpointId)) continue;
      endpoints.set(row.endpointId, {
        id: row.endpointId,
        publicId: formatId('we', row.endpointId),
        publicAccountId: formatId('acct', row.accountId),
        url: row.url,
        disabled: row.disabled,
        keys: this.#keysOf(row.endpointId, row.secret, row.previousSecret),
        isFailing: row.failureCount > 0,
        hasSucceeded: row.hasSucceeded,
      });
    }
    return endpoints;
  }

  #keysOf(id: string, secret: Buffer, previous: Buffer | null): SigningKey[] | null {
    const current = this.#currentKey(id, secret);
    // A previous secret that cannot be read must not keep the new one from signing.
    const before = previous && this.#decrypted(id, previous);
    if (current === null) return null;
    return before === null ? [current] : [current, ...readPrevious(before, this.#app.now()).map(signingKey)];
  }

  #currentKey(id: string, box: Buffer): SigningKey | null {
    const encrypted = box.toString('latin1');
    const known = this.#keys.get(encrypted);
    if (known !== undefined) return known;
    const secret = this.#decrypted(id, box);
    if (secret === null) return null;
    const key = signingKey(secret);
    this.#keys.set(encrypted, key);
    return key;
  }

  #decrypted(id: string, box: Buffer): string | null {
    const { log, secrets } = this.#app;
    try {
      return secrets.decrypt(box);
    } catch (error) {
      // SECRET_KEY is not the one it was encrypted with.
      log.error({ err: error, endpoint: formatId('we', id) }, 'the signing secret cannot be read');
      return null;
    }
  }
}
