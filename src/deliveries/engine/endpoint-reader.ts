import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import { formatId } from '../../ids.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { readPrevious } from '../../webhooks/previous-secrets.ts';
import type { ClaimedRow } from './across-accounts.store.ts';
import type { Endpoint } from './delivery.ts';

type Reader = Pick<App, 'secrets' | 'now' | 'log'>;

/** The endpoints that came with a claim, by id, with their secrets decrypted. One that was deleted is missing. */
export function readEndpoints(app: Reader, rows: ClaimedRow[]): Map<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>();
  for (const row of rows) {
    if (row.url === null || endpoints.has(row.endpointId)) continue;
    endpoints.set(row.endpointId, {
      id: row.endpointId,
      accountId: row.accountId,
      url: row.url,
      disabled: row.disabled,
      secrets: secretsOf(app, row.endpointId, row.secret, row.previousSecret),
      isFailing: row.failureCount > 0,
      hasSucceeded: row.hasSucceeded,
    });
  }
  return endpoints;
}

function secretsOf(app: Reader, id: string, secret: Buffer, previous: Buffer | null): string[] | null {
  const current = decrypted(app, id, secret);
  // A previous secret that cannot be read must not keep the new one from signing.
  const before = previous && decrypted(app, id, previous);
  if (current === null) return null;
  return before === null ? [current] : [current, ...readPrevious(before, app.now())];
}

/**
 * Secrets in use, by what they are encrypted as. To decrypt one takes as long as both signatures of a delivery, and a
 * claim brings one for every few deliveries, or for each where endpoints get one at a time. Keys made of them are kept
 * as well (sign.ts).
 */
const known = new WeakMap<SecretBox, LRUCache<string, string>>();

function secretsKnownTo(box: SecretBox): LRUCache<string, string> {
  let secrets = known.get(box);
  if (secrets === undefined) {
    secrets = new LRUCache({ max: 10_000 });
    known.set(box, secrets);
  }
  return secrets;
}

function decrypted(app: Reader, id: string, box: Buffer): string | null {
  const secrets = secretsKnownTo(app.secrets);
  const key = box.toString('latin1');
  try {
    const secret = secrets.get(key) ?? app.secrets.decrypt(box);
    secrets.set(key, secret);
    return secret;
  } catch (error) {
    // SECRET_KEY is not the one it was encrypted with.
    app.log.error({ err: error, endpoint: formatId('we', id) }, 'the signing secret cannot be read');
    return null;
  }
}
