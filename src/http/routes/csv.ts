import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Column, columnsOf } from '../../csv/columns.ts';
import { csvPages } from '../../csv/export.ts';
import { overloaded } from '../../errors.ts';
import { isTestAccount } from '../../ids.ts';
import { Slots } from '../../system/slots.ts';
import { whenOver } from '../server/answer-over.ts';
import { addNames, withNameColumns } from './csv-names.ts';
import type { AnyContext, Reply, Route } from './route.ts';

export const csvType = 'text/csv; charset=utf-8; header=present';

const known = new WeakMap<Route, Column[] | null>();

/**
 * The columns of a route whose answer has rows: of a list, or of a record with rows. Null for the others. What is
 * expanded has columns only if it is asked for, so that a file without has those that it always had.
 */
export function csvColumns(route: Route, query: unknown = {}): Column[] | null {
  let columns = known.get(route);
  if (columns === undefined) {
    columns = route.method === 'GET' ? columnsOf(route.response, route.rows) : null;
    known.set(route, columns);
  }
  if (!('expand' in (route.query?.shape ?? {}))) return columns;
  const { expand = [] } = (query ?? {}) as { expand?: string[] };
  // `tenant` shows the tenants, where there are several.
  const isAsked = ([field = '']: string[]) => expand.some((name) => field === name || field === `${name}s`);
  return columns?.filter(({ isOptional, path }) => !isOptional || isAsked(path)) ?? null;
}

/** The columns of a list route; null for the others. */
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
  /** The first page, read before the answer begins: what is wrong with the request is still an error in JSON. */
  first: Reply;
  readPage: (after: string) => Promise<Reply>;
}

/** Most files of several pages, and archives, at once: each keeps pages in memory for as long as its reader takes. */
const mostFiles = 100;
const mostFilesOfAccount = 20;
const files = new Slots();

/** What a route can give as an archive is large as JSON too, which is made in memory. */
export const archiveWeight = 4;

/** Refuses one too many. The others count until their answer has ended, one way or the other. */
export const countFile = (accountId: string, reply: FastifyReply, weight = 1): void =>
  whenOver(reply, takeFile(accountId, weight));

/** The same for an answer that is not sent as it is. The returned function ends it. */
export function takeFile(accountId: string, weight: number): () => void {
  if (files.all() + weight > mostFiles || files.of(accountId) + weight > mostFilesOfAccount)
    throw overloaded(5);
  return files.take(accountId, weight);
}

/**
 * Sends the first page of a list and all that come after it. When a later page fails, the stream does, and Fastify
 * then breaks the connection: an incomplete file never looks complete.
 */
export function sendCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  { route, columns, context, first, readPage }: CsvList,
): FastifyReply {
  const { db, caller } = context;
  const accountId = caller?.accountId ?? '';
  if (first.nextAfter) countFile(accountId, reply);
  // Spreadsheets need the byte order mark, which programs would find in the first header. And people need names.
  const pages =
    caller?.source === 'dashboard'
      ? csvPages(withNameColumns(columns), first, readPage, {
          bom: true,
          rows: route.rows,
          complete: (records) => addNames(db, accountId, records as Record<string, unknown>[]),
        })
      : csvPages(columns, first, readPage, { bom: false, rows: route.rows });
  reply
    .code(route.success)
    .header('content-type', csvType)
    .header('content-disposition', `attachment; filename="${listName(route)}-${modeAndDay(context)}.csv"`);
  // A file that nobody reads any more is not read to its end.
  if (request.method === 'HEAD') return reply.send('');
  // One page in hand, one on its way.
  return reply.send(Readable.from(pages, { highWaterMark: 1 }));
}

/** `/webhooks/:id/deliveries` is a list of deliveries. */
const listName = (route: Route): string => route.path.split('/').at(-1) ?? 'list';

/** For the name of a file: nobody should take records of test mode for real ones. */
export const modeAndDay = ({ caller, today }: AnyContext): string =>
  isTestAccount(caller?.accountId ?? '') ? `test-${today}` : today;
