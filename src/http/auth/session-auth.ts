import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Caller } from '../../caller.ts';
import { AppError, conflict, forbidden } from '../../errors.ts';
import { formatId } from '../../ids.ts';
import { deviceCookie } from '../../sessions/known-devices.ts';
import type { Found } from '../../sessions/sessions.ts';
import type { SignedIn, Visitor } from '../../sessions/visitor.ts';
import { enterTestAccount, testAccountOf } from '../../test-mode/test-accounts.ts';
import { rateLimitAddress } from '../limits/rate-limit-address.ts';
import type { Authenticate } from './key-auth.ts';
import { refuseOtherSites } from './origin.ts';
import { refuseOtherNames } from './rebinding.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The person who is signed in to the dashboard, if any. */
    signedIn: SignedIn | null;
  }
}

/** Authentication by the session's cookie, for the dashboard. */
export function authenticateBySession(app: App): Authenticate {
  return async (request, reply, route) => {
    const { sessions } = app.auth;
    refuseOtherSites(request, app.config.PUBLIC_URL);
    // A proxy only passes on names that its operator has pointed at it.
    if (request.method !== 'GET' && app.config.TRUST_PROXY === false) refuseOtherNames(request, app.config);
    const visitor = visitorOf(app, request);
    // Reads may rely on a session found a moment ago. Changes, and answers about the session itself, may not: somebody
    // who was just removed from the team could use that moment to stay, with an invitation or a key.
    const fresh = route.access === 'anyone' || route.access === 'person' || route.permission === 'write';
    const found = fresh ? await sessions.findAgain(visitor) : await sessions.find(visitor);
    setCookies(request, reply, withDevice(app, visitor, found));
    request.signedIn = found.signedIn;
    if (route.access === 'anyone') return null;
    if (found.signedIn === null) throw new AppError('unauthorized', 'Unauthorized');
    if (route.access === 'person') return null;
    const signedIn = await lookingAt(app, request, visitor, found.signedIn);
    request.signedIn = signedIn;
    const caller = toCaller(signedIn, request.ip);
    return asksForTest(request) && route.mode !== 'live' ? inTestMode(app, reply, caller) : caller;
  };
}

/** When a session is prolonged, its browser stays a known device. */
function withDevice(app: App, visitor: Visitor, { signedIn, cookies }: Found): string[] {
  if (signedIn === null || cookies.length === 0) return cookies;
  return [...cookies, deviceCookie(app, visitor, signedIn.userId, app.now())];
}

/**
 * A page may say which account it shows, in X-Account, or in a link's `account`, since links have no headers. After a
 * switch in another window, the page must neither write into the wrong account nor download its records.
 */
async function lookingAt(
  app: App,
  request: FastifyRequest,
  visitor: Visitor,
  signedIn: SignedIn,
): Promise<SignedIn> {
  const shown = request.headers['x-account'] ?? (request.query as { account?: unknown }).account;
  const agrees = (who: SignedIn) =>
    shown === undefined || (who.active !== null && shown === formatId('acct', who.active.accountId));
  if (agrees(signedIn)) return signedIn;
  const now = (await app.auth.sessions.findAgain(visitor)).signedIn;
  if (now === null) throw new AppError('unauthorized', 'Unauthorized');
  if (!agrees(now)) {
    throw conflict(
      'account_switched',
      'You switched to another account in another window; reload this page to continue there.',
    );
  }
  return now;
}

/**
 * The dashboard says with each request whether it is in test mode: `X-Service-Mode: test`, or `mode=test` in a link.
 * X-Account still names the account itself. Its members have the same roles in its test account. Routes about the
 * account itself (`mode: 'live'`: the team, closing) are the same in both modes.
 */
function asksForTest(request: FastifyRequest): boolean {
  const mode = request.headers['x-service-mode'] ?? (request.query as { mode?: unknown }).mode ?? 'live';
  if (mode !== 'live' && mode !== 'test')
    throw new AppError('bad_request', 'X-Service-Mode must be live or test.');
  return mode === 'test';
}

async function inTestMode(app: App, reply: FastifyReply, caller: Caller): Promise<Caller> {
  reply.header('x-service-mode', 'test');
  const now = app.now();
  const { accountId, currency, timeZone } = await testAccountOf(app.db, caller.accountId, now);
  const aheadMs = await enterTestAccount(app.db, accountId, now);
  // The test account was reset in the meantime.
  if (aheadMs === null) return inTestMode(app, reply, caller);
  return { ...caller, accountId, currency, timeZone, aheadMs };
}

function toCaller({ active, userId, name }: SignedIn, address: string): Caller {
  if (active === null) throw forbidden();
  return {
    accountId: active.accountId,
    currency: active.currency,
    timeZone: active.timeZone,
    permission: active.role === 'viewer' ? 'read' : 'write',
    source: 'dashboard',
    actor: { type: 'person', id: userId, name },
    address,
    userId,
    role: active.role,
  };
}

export function visitorOf(app: App, request: FastifyRequest): Visitor {
  return {
    cookie: eachCookieOnce(request.headers.cookie ?? ''),
    userAgent: request.headers['user-agent'] ?? '',
    ip: rateLimitAddress(request.ip),
    address: request.ip,
    origin: app.config.PUBLIC_URL || `${request.protocol}://${request.host}`,
  };
}

/**
 * Leaves one cookie of each name, without a space before the equals sign. Otherwise better-auth and our own code
 * could read different cookies, and so see different people signed in.
 */
export function eachCookieOnce(header: string): string {
  const byName = new Map<string, string>();
  for (const part of header.split(';')) {
    const [name = '', ...value] = part.split('=');
    if (value.length > 0 && !byName.has(name.trim())) byName.set(name.trim(), value.join('=').trim());
  }
  return [...byName].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Behind a proxy that terminates https, cookies are for https only, whether or not PUBLIC_URL says so. */
export function setCookies(request: FastifyRequest, reply: FastifyReply, cookies: string[]): void {
  const https = request.protocol === 'https';
  for (const cookie of cookies) {
    reply.header('set-cookie', https && !/;\s*secure/i.test(cookie) ? `${cookie}; Secure` : cookie);
  }
}
