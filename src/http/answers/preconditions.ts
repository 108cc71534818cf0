import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../caller.ts';
import type { Db } from '../../db/connect.ts';
import { raw, sql } from '../../db/sql.ts';
import { AppError, alreadyThere, notFound, preconditionFailed } from '../../errors.ts';
import { type IdPrefix, parseId } from '../../ids.ts';
import { parseQuery } from '../../validation.ts';
import { type AnyContext, hasSecrets, type Reply, type Route } from '../routes/route.ts';
import { isAny, knownTag, names, type Tag, tagOf } from './entity-tag.ts';

/**
 * The route that shows what another one changes: GET of the same path. People have none, because they belong to no
 * account.
 */
export const readerOf = (route: Route, routes: Route[]): Route | undefined =>
  ['PUT', 'PATCH', 'DELETE'].includes(route.method) && route.access !== 'person'
    ? routes.find(({ method, path }) => method === 'GET' && path === route.path)
    : undefined;

/**
 * Whether an answer is the whole state of something that can be requested again: anything that GET shows except later
 * pages of a list, and a record that was just made or changed.
 */
export function isTagged(
  route: Route & { reader?: Route | undefined },
  request: FastifyRequest,
  location: string | null,
): boolean {
  if (hasSecrets(route)) return false;
  if (route.method === 'GET') return !('cursor' in (request.query as object));
  return location !== null || (['PUT', 'PATCH'].includes(route.method) && route.reader !== undefined);
}

/**
 * Gives an answer its ETag. Returns true if the caller already has this state, so that a 304 is enough. If `expand`
 * adds other records, the tag is weak: it cannot say whether the record itself has changed, and If-Match refuses it.
 */
export async function tag(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
): Promise<boolean> {
  const { method, headers, query } = request;
  const current = await tagFor(route, body);
  const isExpanded = 'expand' in (query as object);
  reply.header('etag', isExpanded ? `W/${current}` : current);
  // Fields that the tag does not cover may have changed.
  if ((method !== 'GET' && method !== 'HEAD') || route.unsettled !== undefined) return false;
  const known =
    headers['if-none-match'] === undefined ? undefined : knownTag(headers['if-none-match'], current);
  if (known !== undefined && !isExpanded) reply.header('etag', known);
  return known !== undefined;
}

/** Calls the route if the record is in a state that the caller allows. */
export function handleIf(
  route: Route & { reader?: Route | undefined },
  context: AnyContext,
  headers: IncomingHttpHeaders,
): Promise<Reply> {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  const unless = route.method === 'PUT' ? ifNoneMatch : undefined;
  if (route.reader === undefined || (ifMatch ?? unless) === undefined) return route.handle(context);
  if (ifMatch === undefined) return putUnless(route, route.reader, context, String(unless));
  // The record cannot both exist and not exist.
  if (unless !== undefined && isAny(unless)) throw alreadyThere();
  return changeIfMatch(route, route.reader, context, ifMatch);
}

/**
 * With an asterisk, the record may only be created. If several callers try at once, one succeeds. A caller who finds
 * that the record was made between the look and the write also gets a 412, and its write is rolled back.
 */
function putUnless(route: Route, reader: Route, context: AnyContext, header: string): Promise<Reply> {
  return context.db.transaction(async (tx) => {
    const query = reader.query && parseQuery(reader.query, {});
    const found = await reader
      .handle({ ...context, db: tx, query, body: undefined })
      .catch((error: unknown) => {
        if (error instanceof AppError && error.status === 404) return null;
        throw error;
      });
    if (found !== null && knownTag(header, await tagFor(reader, found.body)) !== undefined)
      throw alreadyThere();
    const reply = await route.handle({ ...context, db: tx });
    if (isAny(header) && reply.status !== 201) throw alreadyThere();
    return reply;
  });
}

/** The tag of an answer. It covers the record itself, without fields that others change all the time. */
function tagFor({ unsettled }: Route, body: string | Buffer): Promise<Tag> {
  if (unsettled === undefined) return tagOf(body);
  const isState = (name: string, value: unknown) => (unsettled.includes(name) ? undefined : value);
  return tagOf(JSON.stringify(JSON.parse(String(body)), isState));
}

/**
 * Makes a change only if the record is still as the caller saw it. The record is locked before it is read, and until
 * the change is committed. Of two callers with the same tag, the second one waits, and then finds another tag.
 */
function changeIfMatch(route: Route, reader: Route, context: AnyContext, header: string): Promise<Reply> {
  return context.db.transaction(async (tx) => {
    const query = reader.query && parseQuery(reader.query, {});
    const read = () => reader.handle({ ...context, db: tx, query, body: undefined });
    // A record that is not addressed by its id has to be found first, and there may be none whose tag could match.
    const named = route.method === 'PUT' ? await read().catch(refuseMissing) : null;
    await lock(tx, route, context, named);
    const { body } = await read();
    if (!names(header, await tagFor(reader, body))) throw preconditionFailed();
    return route.handle({ ...context, db: tx });
  });
}

function refuseMissing(error: unknown): never {
  throw error instanceof AppError && error.status === 404 ? preconditionFailed() : error;
}

/** Takes a lock that every change of the record waits for. */
async function lock(tx: Db, route: Route, context: AnyContext, found: Reply | null): Promise<void> {
  const { accountId } = context.caller as Caller;
  const publicId = found === null ? undefined : String(JSON.parse(found.body).data.id);
  const prefix = publicId === undefined ? route.id : (publicId.split('_')[0] as IdPrefix);
  const id = publicId === undefined || prefix === undefined ? context.id : parseId(prefix, publicId);
  if (prefix === undefined) {
    await tx.query(sql`select from accounts where id = ${accountId} for no key update`);
    return;
  }
  const table = tables[prefix];
  if (table === undefined) throw new Error(`If-Match cannot be checked at ${route.path}.`);
  const rows = await tx.query(
    sql`select id from ${raw(table)} where account_id = ${accountId} and id = ${id} for no key update`,
  );
  if (rows.length === 0) throw notFound();
}

/** For records that can be read, and changed or deleted, at the same path. */
const tables: Partial<Record<IdPrefix, string>> = {
  prop: 'properties',
  unit: 'units',
  ten: 'tenants',
  lease: 'leases',
  pay: 'payments',
  chg: 'charges',
  crd: 'credits',
  rec: 'recurring_charges',
  mnt: 'maintenance_requests',
  we: 'webhook_endpoints',
  file: 'files',
};
