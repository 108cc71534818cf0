import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Caller } from '../../caller.ts';
import { AppError, tooManyRequests } from '../../errors.ts';
import { openLink } from '../../files/links.ts';
import { formatId } from '../../ids.ts';
import { RateLimit } from '../../rate-limit.ts';

/** How often one link may be opened: enough for a page that many people open, too seldom to keep the database busy. */
const perSecond = 20;
const burst = 100;

/** Whoever has a link to a file may read that file, and nothing else. Null if the request has no such link. */
export function authenticateByLink(app: App): (request: FastifyRequest) => Promise<Caller | null> {
  const limit = new RateLimit(perSecond, burst);
  return async ({ query, params, ip }) => {
    const { link } = query as { link?: unknown };
    if (typeof link !== 'string') return null;
    const now = app.now();
    const { id } = params as { id?: string };
    const opened = await openLink(app.db, app.secrets, link, now, (fileId) => {
      const taken = limit.take(fileId, now.getTime());
      if (!taken.allowed) throw tooManyRequests(taken.retryAfterSeconds);
    });
    if (opened === null || formatId('file', opened.fileId) !== id)
      throw new AppError('link_expired', 'This link has expired, or is not complete; ask for a new one.');
    return {
      accountId: opened.accountId,
      currency: 'USD',
      timeZone: 'UTC',
      permission: 'read',
      source: 'api',
      actor: { type: 'key', id: null, name: 'Link' },
      address: ip,
    };
  };
}
