import { AppError, notFound } from '../../errors.ts';
import { formatId } from '../../ids.ts';
import type { Db } from '../connect.ts';
import { none, raw, type Sql, sql } from '../sql.ts';
import type { Table } from './columns.ts';

/*
 * The ids that records have in other systems, unique in the account for each noun. A voided record keeps its id, but
 * gives way to the record made in its place.
 */

interface Row {
  id: string;
  external_id: string | null;
}

/**
 * For each row whose external_id belongs to another record, returns the 409 that names that record. For changed rows,
 * it looks up only new external ids. The unique index covers rows that are written at the same time.
 */
export async function findTaken(
  db: Db,
  table: Table,
  accountId: string,
  rows: readonly object[],
  before?: ReadonlyMap<string, object>,
): Promise<Map<string, AppError>> {
  const wanted = (rows as Row[]).filter(
    ({ id, external_id }) =>
      external_id !== null && (before?.get(id) as Row | undefined)?.external_id !== external_id,
  );
  if (wanted.length === 0) return new Map();
  // One at a time: with `= any(…)`, a plan made for an empty table reads all records of the account for each batch of
  // the import that fills it.
  const holders = await db.query<Row>(sql`
    select held.id, held.external_id from unnest(${wanted.map((row) => row.external_id)}::text[]) as wanted(external_id)
    cross join lateral (
      select id, external_id from ${raw(table.name)}
      where account_id = ${accountId} and external_id = wanted.external_id
        ${isVoidable(table) ? raw('and voided_on is null') : none} limit 1) held`);
  const byExternalId = new Map(holders.map((holder) => [holder.external_id, holder.id]));
  const taken = wanted.flatMap(({ id, external_id }): [string, AppError][] => {
    const holder = byExternalId.get(external_id);
    return holder === undefined || holder === id ? [] : [[id, takenBy(formatId(table.prefix, holder))]];
  });
  return new Map(taken);
}

/** Like findTaken, but throws the first 409. */
export async function refuseTaken(...[db, table, accountId, rows, before]: Parameters<typeof findTaken>) {
  for (const refusal of (await findTaken(db, table, accountId, rows, before)).values()) throw refusal;
}

const takenBy = (id: string): AppError =>
  new AppError(
    'external_id_taken',
    `${id} already has this external_id; change that one, or choose another.`,
    {},
    { id },
  );

const isVoidable = ({ columns }: Table): boolean => 'voided_on' in columns;

/**
 * The record's id; null if there is none. Of several charges or credits, the one that is not voided, or else the one
 * voided last.
 */
export async function findByExternalId(
  db: Db,
  table: Table,
  accountId: string,
  externalId: string,
): Promise<string | null> {
  const first: Sql = isVoidable(table) ? raw('order by voided_on is not null, id desc') : none;
  const [row] = await db.query<{ id: string }>(sql`
    select id from ${raw(table.name)} where account_id = ${accountId} and external_id = ${externalId} ${first} limit 1`);
  return row?.id ?? null;
}

/** Like findByExternalId, but throws a 404 if there is none. */
export async function getByExternalId(...given: Parameters<typeof findByExternalId>): Promise<string> {
  const id = await findByExternalId(...given);
  if (id === null) throw notFound();
  return id;
}
