import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Column, columnsOf } from '../../csv/columns.ts';
import { csvPages } from '../../csv/export.ts';
import { waitForDatabase } from '../../db/wait-for-database.ts';
import { overloaded } from '../../errors.ts';
import { isTestAccount } from '../../ids.ts';
import { Slots } from '../../system/slots.ts';
import { whenOver } from '../server/answer-over.ts';
import { addNames, withNameColumns } from './csv-names.ts';
import type { AnyContext, Reply, Route } from './route.ts';

export const csvType = 'text/csv; charset=utf-8; header=present';

const known = new WeakMap<Route, Column[] | null>();

/**
 * The columns of a route whose answer has rows: a list, or a record with rows. Null for other routes. Expanded records
 * have columns only on request, so that a file without them has the same columns as ever.
 */
export function csvColumns(route: Route, query: unknown = {}): Column[] | null {
  let columns = known.get(route);
  if (columns === undefined) {
    columns = route.method === 'GET' ? columnsOf(route.response, route.rows) : null;
    known.set(route, columns);
  }
  if (!('expand' in (route.query?.shape ?? {}))) return columns;
  const { expand = [] } = (query ?? {}) as { expand?: string[] };
  // `tenant` also shows the tenants, if there are several.
  const isAsked = ([field = '']: string[]) => expand.some((name) => field === name || field === `${name}s`);
  return columns?.filter(({ isOptional, path }) => !isOptional || isAsked(path)) ?? null;
}

/** The columns of a list route; null for others. */
export const listColumns = (route: Route): Column[] | null =>
  route.rows === undefined ? csvColumns(route) : null;

/** How the OpenAPI document shows the CSV form of a list. */
export function csvContent(route: Route): object {
  const columns = csvColumns(route);
  if (columns === null) return {};
  const description =
    'All records that match, without paging (with `limit`, that many): `Accept: text/csv`, or `?format=csv` in a link.' +
    (route.query && 'expand' in route.query.shape
      ? ' What `expand` shows has columns of its own, such as `unit_name`.'
      : '');
  const example = `${columns.map(({ header }) => header).join(',')}\r\n`;
  return { 'text/csv': { schema: { type: 'string', description }, example } };
}

interface CsvList {
  route: Route;
  columns: Column[];
  context: AnyContext;
  /** The first page, which is read before the answer begins, so that a wrong request still gets an error in JSON. */
  first: Reply;
  readPage: (after: string) => Promise<Reply>;
}

/**
 * How many files of several pages, and archives, may be sent at once. Each keeps pages in memory for as long as its
 * reader takes.
 */
const mostFiles = 100;
const mostFilesOfAccount = 20;
const files = new Slots();

/** What a route offers as an archive is large as JSON too, and that is made in memory. */
export const archiveWeight = 4;

/** Refuses the file if there are too many. A file counts until its answer has ended, one way or the other. */
export const countFile = (accountId: string, reply: FastifyReply, weight = 1): void =>
  whenOver(reply, takeFile(accountId, weight));

/** The same for an answer that is not sent as it is. Call the returned function when the answer ends. */
export function takeFile(accountId: string, weight: number): () => void {
  if (files.all() + weight > mostFiles || files.of(accountId) + weight > mostFilesOfAccount)
    throw overloaded(5);
  return files.take(accountId, weight);
}

/**
 * An answer that has begun can no longer say that something failed. What it still reads waits for a database that is
 * away, or that has no connection free for this account.
 */
export const patiently = <Result>({ app }: AnyContext, work: () => Promise<Result>): Promise<Result> =>
  waitForDatabase(app.log, app.stopping.signal, work);

/**
 * Sends the first page of a list and all pages after it. If a later page fails, so does the stream, and Fastify then
 * aborts the connection: an incomplete file never looks complete.
 */
export function sendCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  { route, columns, context, first, readPage }: CsvList,
): FastifyReply {
  const { db, caller } = context;
  const accountId = caller?.accountId ?? '';
  if (first.nextAfter) countFile(accountId, reply);
  const readNext = (after: string) => patiently(context, () => readPage(after));
  // For people: spreadsheets need the byte order mark, which programs would read as part of the first header, and
  // names.
  const pages =
    caller?.source === 'dashboard'
      ? csvPages(withNameColumns(columns), first, readNext, {
          bom: true,
          rows: route.rows,
          complete: (records) =>
            patiently(context, () => addNames(db, accountId, records as Record<string, unknown>[])),
        })
      : csvPages(columns, first, readNext, { bom: false, rows: route.rows });
  reply
    .code(route.success)
    .header('content-type', csvType)
    .header('content-disposition', `attachment; filename="${listName(route)}-${modeAndDay(context)}.csv"`);
  // Once nobody reads the file any more, the rest of the list is not read either.
  if (request.method === 'HEAD') return reply.send('');
  // One page is being sent while the next one is read.
  return reply.send(Readable.from(pages, { highWaterMark: 1 }));
}

/** `/webhooks/:id/deliveries` is a list of deliveries. */
const listName = (route: Route): string => route.path.split('/').at(-1) ?? 'list';

/** Part of a file's name, so that nobody takes test records for real ones. */
export const modeAndDay = ({ caller, today }: AnyContext): string =>
  isTestAccount(caller?.accountId ?? '') ? `test-${today}` : today;
