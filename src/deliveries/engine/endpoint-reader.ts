import type { App } from '../../app.ts';
import { formatId } from '../../ids.ts';
import { readPrevious } from '../../webhooks/previous-secrets.ts';
import type { ClaimedRow } from './across-accounts.store.ts';
import type { Endpoint } from './delivery.ts';

/** The endpoints that came with a claim, by id, with their secrets decrypted. Deleted ones are missing. */
export function readEndpoints(app: App, rows: ClaimedRow[]): Map<string, Endpoint> {
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

function secretsOf(app: App, id: string, secret: Buffer, previous: Buffer | null): string[] | null {
  const current = decrypted(app, id, secret);
  // If a previous secret cannot be read, the new one must still sign.
  const before = previous && decrypted(app, id, previous);
  if (current === null) return null;
  return before === null ? [current] : [current, ...readPrevious(before, app.now())];
}

function decrypted(app: App, id: string, box: Buffer): string | null {
  try {
    return app.secrets.decrypt(box);
  } catch (error) {
    // It was encrypted with a different SECRET_KEY.
    app.log.error({ err: error, endpoint: formatId('we', id) }, 'the signing secret cannot be read');
    return null;
  }
}
