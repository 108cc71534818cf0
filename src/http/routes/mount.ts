import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseOverQuota } from '../../accounts/test-quota.ts';
import { hasScope, needScope, scopeOf } from '../../api-keys/scopes.ts';
import type { App } from '../../app.ts';
import type { Caller } from '../../caller.ts';
import { todayIn } from '../../clock.ts';
import { type Db, retryDeadlock, retryUnavailable } from '../../db/connect.ts';
import { onBehalfOf } from '../../db/on-behalf-of.ts';
import { AppError, forbidden, notFound, storageFull } from '../../errors.ts';
import { inTimeAhead, isTestAccount, parseId } from '../../ids.ts';
import { writeCursor } from '../../paging.ts';
import { whileTestAccountOpen } from '../../test-mode/test-accounts.ts';
import { type BodyFlaw, parse } from '../../validation.ts';
import { type LocationOf, locations } from '../answers/location.ts';
import { handleIf, isTagged, readerOf, tag } from '../answers/preconditions.ts';
import { sendFile } from '../answers/send-file.ts';
import { vary } from '../answers/vary.ts';
import type { Authenticate } from '../auth/key-auth.ts';
import { authenticateByLink } from '../auth/link-auth.ts';
import { setCookies, visitorOf } from '../auth/session-auth.ts';
import { maxBodyBytes, maxStrangersBodyBytes } from '../server/body.ts';
import { digestOf, formOf, readForm } from '../server/form.ts';
import { uploadOf } from '../uploads/upload.ts';
import { archiveWeight, countFile, csvColumns, sendCsv, takeFile } from './csv.ts';
import { noteExport } from './exports.ts';
import { askedFormat, formatsOf, sendDocument } from './formats.ts';
import {
  type Answer,
  fingerprint,
  idempotencyKey,
  type KeyedRequest,
  recall,
  record,
  retryOnce,
  Steps,
} from './idempotency.ts';
import { type AnyContext, hasSecrets, type Remember, type Reply, type Route, type Step } from './route.ts';
import { isStrict, preferStrict, type RouteInput, readBody, readQuery } from './route-input.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    rawBody: Buffer | undefined;
    bodyFlaw: BodyFlaw | null;
  }
}

/**
 * Registers the routes under a prefix, with one way of identifying callers. The same table serves the API (keys) and
 * the dashboard (sessions).
 */
export function mount(
  server: FastifyInstance,
  app: App,
  prefix: string,
  routes: Route[],
  authenticate: Authenticate,
): void {
  const locationOf = locations(prefix, routes);
  const byLink = authenticateByLink(app);
  for (const route of routes) {
    const mounted = { ...route, locationOf, reader: readerOf(route, routes) };
    server.route({
      method: route.method,
      url: prefix + route.path,
      bodyLimit: route.maxBodyBytes ?? (route.access === 'anyone' ? maxStrangersBodyBytes : maxBodyBytes),
      config: {
        // Byte ranges refer to the uncompressed file.
        uncompressed: hasSecrets(route) || route.sendsFile === true,
        streamed: route.upload === true,
        maxValues: route.maxValues,
        identify: async (request, reply) => {
          const linked = route.sendsFile ? await byLink(request) : null;
          const caller = linked ?? (await authenticate(request, reply, route));
          request.caller = caller;
          if (caller !== null) refuseCaller(caller, route);
          refuseWhenFull(app, route);
          await refuseOverTestQuota(app, route, caller);
        },
      },
      handler: (request, reply) => inTimeOf(request.caller, () => answer(app, mounted, request, reply)),
    });
  }
}

/** A route, with the related route under the same prefix. */
interface Mounted extends Route {
  locationOf: LocationOf;
  /** The route that reads the record this one changes. */
  reader: Route | undefined;
}

/**
 * Refuses what the key or the person may not do. A missing scope is reported first, because a different permission
 * would not help.
 */
function refuseCaller(caller: Caller, route: Route): void {
  if (!isThere(caller, route)) throw notFound();
  needScope(caller, scopeOf(route));
  if (!mayCall(caller, route)) throw forbidden();
}

export const mayUse = (caller: Caller, route: Route): boolean =>
  isThere(caller, route) && hasScope(caller, scopeOf(route)) && mayCall(caller, route);

const isThere = ({ accountId }: Caller, { mode }: Route): boolean =>
  mode !== 'test' || isTestAccount(accountId);

function mayCall(caller: Caller, route: Route): boolean {
  // A key has no role; its permission decides.
  if (route.access === 'owner' && caller.role !== undefined && caller.role !== 'owner') return false;
  if (route.access === 'member' && caller.role !== undefined) return true;
  return route.permission === 'read' || caller.permission === 'write';
}

/** Refuses writes while the disk is full. Everybody can still sign in and read. */
function refuseWhenFull(app: App, route: Route): void {
  if (route.permission === 'write' && needsAccount(route) && app.db.isFull()) throw storageFull();
}

/** Refuses further records. Existing ones can still be read and deleted, and test mode can be reset. */
async function refuseOverTestQuota(app: App, route: Route, caller: Caller | null): Promise<void> {
  if (caller === null || route.permission === 'read' || route.method === 'DELETE') return;
  if (route.path === '/test/reset') return;
  await refuseOverQuota(
    onBehalfOf(app.db, caller.accountId),
    caller.accountId,
    app.config.TEST_RECORDS_PER_ACCOUNT,
  );
}

const needsAccount = (route: Route): boolean => route.access !== 'anyone' && route.access !== 'person';

async function answer(
  app: App,
  route: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller } = request;
  if (caller === null && needsAccount(route)) throw new Error('A route was reached without a caller.');
  reply.header('content-type', 'application/json; charset=utf-8');
  if (preferStrict(route, request)) reply.header('preference-applied', 'handling=strict');

  if (route.method === 'POST' && caller !== null && route.replayable !== false) {
    const key = idempotencyKey(request.headers['idempotency-key']);
    if (key !== null) {
      const keyed = route.stepwise ? answerInSteps : route.remembers ? answerAtTheEnd : answerOnce;
      return send(app, route, request, reply, await keyed(app, route, request, caller, key, reply));
    }
  }
  const context = await readContext(app, route, request, caller, request as RouteInput, reply);
  if (route.documents?.zip !== undefined) countFile(caller?.accountId ?? '', reply, archiveWeight);
  const result = await retried(route, () => handleIf(route, context, request.headers));
  if (result.file) return sendFile(request, reply, result.file);
  if (typeof result.total === 'number') reply.header('x-total-count', result.total);
  if (result.cookies) setCookies(request, reply, result.cookies);
  if (formatsOf(route).length > 0) vary(reply, 'Accept');
  const format = askedFormat(route, request);
  if (format !== 'json' && route.documents?.[format])
    return sendDocument(reply, route, format, result.body, context);
  const columns = format === 'csv' ? csvColumns(route, context.query) : null;
  // Without a limit, a CSV file has all records and no next page.
  const whole = columns !== null && !('limit' in (request.query as object));
  if (result.nextAfter && !whole) reply.header('link', linkToNext(app, route, request, result.nextAfter));
  if (columns !== null) {
    await noteExport(app, caller, request.url);
    const first = whole ? result : { body: result.body };
    const readPage = (after: string) => readNextPage(app, route, context, after);
    return sendCsv(request, reply, { route, columns, context, first, readPage });
  }
  const status = result.status ?? route.success;
  return send(app, route, request, reply, { status, body: result.body, replayed: false });
}

/**
 * A longer text is turned into bytes once, because its tag, its length and the socket would each do that again. A
 * shorter one goes out in one piece with its headers. Sent as bytes, the answer to a new payment cost a tenth of the
 * request's time.
 */
const longText = 8_000;

async function send(
  app: App,
  route: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): Promise<FastifyReply> {
  const location = answer.status === 201 ? route.locationOf(answer.body) : null;
  if (location !== null) reply.header('location', location);
  const warning = answer.status < 300 && route.warn?.(reply.request.body ?? {});
  if (warning) reply.header('warning', `299 - ${quoted(warning)}`);
  if (answer.replayed) reply.header('idempotent-replayed', 'true');
  else if (route.permission === 'write' && answer.status < 300) app.workers.wake();
  const body = answer.body.length < longText ? answer.body : Buffer.from(answer.body);
  if (isTagged(route, request, location) && (await tag(route, request, reply, body)))
    return reply.code(304).removeHeader('content-type').send();
  return reply.code(answer.status).send(body);
}

/** Quotes a caller's text in a header. Nothing in it may end the quotation, let alone the line. */
const quoted = (text: string): string => `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;

function dbFor(app: App, route: Route, caller: Caller | null): Db {
  if (caller === null) return app.db;
  const { accountId } = caller;
  const db = onBehalfOf(app.db, accountId);
  // Routes that exist only in test mode handle this themselves.
  const mayBeLate = route.permission === 'write' && route.mode !== 'test' && isTestAccount(accountId);
  return mayBeLate ? whileTestAccountOpen(db, accountId) : db;
}

/**
 * Answers a caller who came by another way than the route's own path, such as an assistant calling a tool. The checks,
 * their order and the work are the same.
 */
export async function perform(
  app: App,
  route: Route,
  request: FastifyRequest,
  caller: Caller,
  input: RouteInput,
): Promise<Reply> {
  refuseCaller(caller, route);
  refuseWhenFull(app, route);
  await refuseOverTestQuota(app, route, caller);
  const context = await readContext(app, route, request, caller, input);
  const leave = route.documents?.zip && takeFile(caller.accountId, archiveWeight);
  try {
    const reply = await inTimeOf(caller, () => retried(route, () => route.handle(context)));
    if (route.permission === 'write') app.workers.wake();
    return reply;
  } finally {
    leave?.();
  }
}

/**
 * The body and filters are checked first, by their schema and by prepare() (400), and then the id in the path (404).
 */
async function readContext(
  app: App,
  route: Route,
  request: FastifyRequest,
  caller: Caller | null,
  input = request as RouteInput,
  reply?: FastifyReply,
): Promise<AnyContext> {
  const now = timeOf(app, caller);
  const form = input === (request as RouteInput) && route.form ? await formOf(request) : null;
  const db = dbFor(app, route, caller);
  const context: AnyContext = {
    app,
    db,
    caller,
    signedIn: request.signedIn,
    id: '',
    params: route.params ? (parse(route.params, input.params) as RouteInput['params']) : input.params,
    query: readQuery(route, caller, input.query),
    body: readBody(route, request, input, form),
    prepared: undefined,
    userAgent: request.headers['user-agent'] ?? '',
    visitor: visitorOf(app, request),
    readForm: () => readForm(request),
    form,
    upload: () => uploadOf(request, reply),
    onHangUp: (then) => {
      request.raw.socket.once('close', then);
      return () => request.raw.socket.off('close', then);
    },
    now,
    today: todayIn(caller?.timeZone ?? 'UTC', now),
    requestId: request.id,
    strict: isStrict(route, request, input),
    spend: (requests) => request.spend?.(requests),
    keyed: false,
    step: async (work) => ({
      status: route.success,
      body: await retryDeadlock(() => db.transaction(work)),
    }),
    remember: async () => undefined,
  };
  context.prepared = await route.prepare?.(context);
  context.id = route.id ? pathId(route, input) : '';
  return context;
}

/** The current time in the caller's account. */
const timeOf = (app: App, caller: Caller | null): Date =>
  new Date(app.now().getTime() + (caller?.aheadMs ?? 0));

const inTimeOf = <Result>(caller: Caller | null, work: () => Result): Result =>
  inTimeAhead(caller?.accountId ?? '', caller?.aheadMs ?? 0, work);

function pathId(route: Route, { params: { id = '' } }: RouteInput): string {
  const uuid = route.id ? parseId(route.id, id) : null;
  if (uuid === null) throw notFound();
  return uuid;
}

/**
 * With an Idempotency-Key, the work and the record of its answer share one transaction. Validation and prepare() run
 * before it, and their refusals are recorded too, because a replay must win over a check whose outcome has changed
 * since.
 */
async function answerOnce(
  app: App,
  route: Route,
  request: FastifyRequest,
  caller: Caller,
  key: string,
  reply: FastifyReply,
): Promise<Answer> {
  const prepared = await outcomeOf(() =>
    readContext(app, route, request, caller, request as RouteInput, reply),
  );
  const work = async (tx: Db) => {
    const context = prepared();
    const { body } = await route.handle({ ...context, db: tx });
    return { status: route.success as number, body };
  };
  return retryOnce(dbFor(app, route, caller), await keyedRequest(app, route, request, caller, key), work);
}

/** The same for a route that works in steps. A repeated request does the steps that are still missing. */
async function answerInSteps(
  app: App,
  route: Route,
  request: FastifyRequest,
  caller: Caller,
  key: string,
): Promise<Answer> {
  const prepared = await outcomeOf(() => readContext(app, route, request, caller));
  const steps = new Steps(dbFor(app, route, caller), await keyedRequest(app, route, request, caller, key));
  let context: AnyContext;
  try {
    context = prepared();
  } catch (refusal) {
    return steps.take(() => Promise.reject(refusal));
  }
  const step: Step = (work) =>
    steps.take(async (tx) => ({ status: route.success as number, body: await work(tx) }));
  const { status = route.success, body } = await route.handle({ ...context, keyed: true, step });
  return { status, body, replayed: steps.replayed };
}

/** The same for a route that remembers its answer by itself. */
async function answerAtTheEnd(
  app: App,
  route: Route,
  request: FastifyRequest,
  caller: Caller,
  key: string,
): Promise<Answer> {
  const keyed = await keyedRequest(app, route, request, caller, key);
  const known = await recall(dbFor(app, route, caller), keyed);
  if (known !== null) return known;
  const status = route.success;
  const remember: Remember = (tx, body, accountId = caller.accountId) =>
    record(tx, { ...keyed, accountId }, { status, body });
  const context = { ...(await readContext(app, route, request, caller)), remember };
  const { body } = await retried(route, () => route.handle(context));
  return { status, body, replayed: false };
}

async function keyedRequest(
  app: App,
  route: Route,
  request: FastifyRequest,
  caller: Caller,
  key: string,
): Promise<KeyedRequest> {
  return {
    accountId: caller.accountId,
    key,
    fingerprint: fingerprint(request, await bodyOf(route, request)),
    now: app.now(),
    requestId: request.id,
    secrets: app.secrets,
  };
}

/** A form has a new boundary each time it is sent, so its parts are compared instead of its bytes. */
async function bodyOf(route: Route, request: FastifyRequest): Promise<Buffer | undefined> {
  const form = route.form ? await formOf(request).catch(() => null) : null;
  return form === null ? request.rawBody : digestOf(form);
}

/** Runs the work now. The returned function returns its result, or throws the caller's mistake. */
async function outcomeOf<Value>(work: () => Promise<Value>): Promise<() => Value> {
  try {
    const value = await work();
    return () => value;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return () => {
      throw error;
    };
  }
}

function retried(route: Route, work: () => Promise<Reply>): Promise<Reply> {
  // Earlier steps are kept.
  if (route.stepwise) return work();
  return route.permission === 'read' ? retryUnavailable(work) : retryDeadlock(work);
}

/** The cursor of the next page, for the Link header. */
function readNextPage(app: App, route: Route, context: AnyContext, after: string): Promise<Reply> {
  const cursor = writeCursor(after, app.secrets, route.path);
  // The total of all pages was sent with the first page.
  const query = { ...(context.query as object), cursor, total: false };
  return retried(route, () => route.handle({ ...context, query }));
}

function linkToNext(app: App, route: Route, request: FastifyRequest, after: string): string {
  // A Host header with anything else in it must not end up in another header. A URL without a host is also legal.
  const host = /^[\w.[\]:-]+$/.test(request.host) ? `${request.protocol}://${request.host}` : '';
  const base = app.config.PUBLIC_URL || host;
  const [path = ''] = request.url.split('?', 1);
  const query = new URLSearchParams(request.url.slice(path.length));
  query.set('cursor', writeCursor(after, app.secrets, route.path));
  return `<${base}${path}?${query}>; rel="next"`;
}
