import type { FastifyReply, FastifyRequest } from 'fastify';
import { isWithin } from '../../api-keys/networks.ts';
import type { App } from '../../app.ts';
import type { Caller } from '../../caller.ts';
import { AppError, tooManyRequests, unauthorized } from '../../errors.ts';
import { isTestAccount } from '../../ids.ts';
import { RateLimit } from '../../rate-limit.ts';
import { enterTestAccount } from '../../test-mode/test-accounts.ts';
import { rateLimitAddress } from '../limits/rate-limit-address.ts';
import type { Route } from '../routes/route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts this many further requests against the rate limit. Null if there is no limit. */
    spend: ((requests: number) => void) | null;
  }
}

/** Identifies the caller, or throws a 401 or 429. Returns null only on routes that need no account. */
export type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
  route: Pick<Route, 'access' | 'permission' | 'mode'>,
) => Promise<Caller | null>;

/** Requests with bad keys from one client address: enough for a misconfigured fleet, too few to guess or to flood. */
const failuresPerSecond = 50;
const failuresBurst = 300;

/** Authentication by `Authorization: Bearer svc_live_…` (or `svc_test_…`), with the key's rate limit. */
export function authenticateByKey(app: App): Authenticate {
  const { keys } = app;
  const perKey = new RateLimit(app.config.RATE_LIMIT_PER_SECOND, app.config.RATE_LIMIT_BURST);
  // Otherwise an account with a hundred keys would have a hundred times the limit.
  const { RATE_LIMIT_PER_ACCOUNT: keysOfAccount } = app.config;
  const perAccount = new RateLimit(perKey.perSecond * keysOfAccount, perKey.burst * keysOfAccount);
  const failures = new RateLimit(failuresPerSecond, failuresBurst);
  const limited = perKey.perSecond > 0;
  const policy = `"default";q=${perKey.burst};w=${Math.max(1, Math.ceil(perKey.burst / perKey.perSecond))}`;

  return async (request, reply) => {
    const now = app.now();
    const text = bearer(request.headers.authorization);
    const nowMs = now.getTime();
    // An address that keeps failing no longer reaches the database. Remembered keys still pass, because many clients
    // may share one address.
    if (
      failures.isEmpty(rateLimitAddress(request.ip), nowMs) &&
      (text === null || !keys.remembers(text, now))
    )
      throw tooManyRequests(1);

    const key = text === null ? null : await keys.find(text, now);
    if (key === null) {
      if (!failures.take(rateLimitAddress(request.ip), nowMs).allowed) throw tooManyRequests(1);
      throw unauthorized();
    }

    const spend = (requests: number): void => {
      const taken = perKey.take(key.id, nowMs, requests);
      reply.header('ratelimit', `"default";r=${taken.remaining};t=${taken.resetSeconds}`);
      if (!taken.allowed) throw tooManyRequests(taken.retryAfterSeconds);
      const together = perAccount.take(key.account_id, nowMs, requests);
      if (!together.allowed) throw tooManyRequests(together.retryAfterSeconds);
    };
    if (limited) {
      reply.header('ratelimit-policy', policy);
      spend(1);
      request.spend = spend;
    }
    if (key.allowed_addresses !== null && !isWithin(request.ip, key.allowed_addresses))
      throw new AppError('address_not_allowed', `This key may not be used from the address ${request.ip}.`);
    const { account_id: accountId, aheadMs } = await accountOf(app, text ?? '', key, now);
    return {
      accountId,
      currency: key.currency,
      timeZone: key.time_zone,
      permission: key.permission,
      source: 'api',
      actor: { type: 'key', id: key.id, name: key.name },
      address: request.ip,
      expiresAt: key.expires_at,
      ...(key.scopes && { scopes: key.scopes }),
      ...(aheadMs !== undefined && { aheadMs }),
    };
  };
}

interface Reached {
  account_id: string;
  aheadMs?: number;
}

/**
 * The account that a key belongs to, and its time. If another process has replaced a test account since the key was
 * looked up, writes to the old account would be lost, so the key is looked up again.
 */
async function accountOf(app: App, text: string, key: Reached, now: Date): Promise<Reached> {
  const { account_id } = key;
  if (!isTestAccount(account_id)) return { account_id };
  const aheadMs = await enterTestAccount(app.db, account_id, now);
  if (aheadMs !== null) return { account_id, aheadMs };
  app.keys.lookAgain(account_id);
  const again = await app.keys.find(text, now);
  if (again === null) throw unauthorized();
  return accountOf(app, text, again, now);
}

export function bearer(header: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;
}
