import type { Actor } from '../caller.ts';
import { valueJson } from '../db/records/json.ts';
import { insertGiven } from '../db/records/rows.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { join, none, raw, type Sql, sql } from '../db/sql.ts';

/*
 * Who changed what, from what to what. The statement that makes the change also writes this, so it costs no round trip
 * (docs/decisions/0021-history-in-the-statement-of-the-change.md). Only fields that the record shows are in it, so no
 * secret can get there.
 */

/** What else changed: expressions over the row under its alias, each a JSON text of `changedField`, or null. */
export interface Differs {
  pieces: Sql[];
  /** The joins that the fields need. */
  joins?: Sql;
  /** True if no column of the row itself changed. */
  only?: true;
}

/**
 * Events such as `charge.due` do not change the record, because they follow from its dates. They would make up two
 * thirds of all entries.
 */
export const isKept = (action: string): boolean => action !== 'due' && action !== 'overdue';

/** Rows that are being written. */
interface Written {
  accountId: string;
  shape: RecordShape;
  action: string;
  differs?: Differs | undefined;
  /** The ids of the rows, for an update. */
  ids?: string[] | undefined;
}

/**
 * The columns of a row before the change. A statement does not see what it writes itself. On a distributed database its
 * steps run one after the other and see what earlier ones wrote, so `first` reads the rows before the update there.
 */
export function oldValues(
  isDistributed: boolean,
  { accountId, shape: { table, alias, own }, action, differs, ids }: Written,
): { first: Sql; changes: Sql; join: Sql } {
  const changed = action === 'updated' && !differs?.only;
  if (!changed && differs === undefined) return { first: none, changes: raw('null::text'), join: none };
  if (changed && ids === undefined) throw new Error('An update does not say which rows it changes.');
  const columns = changed
    ? (own?.(alias) ?? []).map((field, at) => ({ now: field, was: own?.('was')[at] ?? field }))
    : [];
  const pieces = columns.map(
    ({ now, was }) => sql`case when ${raw(`was.${now.name} is distinct from ${alias}.${now.name}`)}
      then ${changedField(now.name, valueJson(was), valueJson(now))} end`,
  );
  const old = sql`${raw(table)} was`;
  return {
    first:
      changed && isDistributed
        ? sql`was as materialized (select was.* from ${old}
            where was.account_id = ${accountId} and was.id = any(${ids}::uuid[])), `
        : none,
    changes: sql`'[' || concat_ws(',', ${join([...pieces, ...(differs?.pieces ?? [])], ', ')}) || ']'`,
    join: sql`${differs?.joins ?? none} ${
      changed
        ? sql`left join ${isDistributed ? raw('was') : old}
            on was.account_id = ${accountId} and was.id = ${raw(alias)}.id`
        : none
    }`,
  };
}

/** One changed field, from its old and new JSON text. */
export const changedField = (name: string, from: Sql, to: Sql): Sql =>
  sql`'{"field":"${raw(name)}","from":' || ${from} || ',"to":' || ${to} || '}'`;

/** Inserts history from the step `told`. An entry has the id of the change's first event. */
export const insertHistory = (accountId: string, { type, id, name }: Actor, action: string): Sql => sql`
  insert into history (account_id, record_id, id, action, changes, actor_type, actor_id, actor_name, created_at)
  select ${accountId}, told.record_id, told.id, ${action}, told.changes, ${type}, ${id}::uuid, ${name},
    told.at::timestamptz
  from told where told.leads`;

interface Told {
  id: string;
  at: string;
  leads: boolean;
  record_id?: string;
  changes?: string | null;
}

/** The same for a distributed database, from rows that the program has read. */
export const historyOf = (accountId: string, { type, id, name }: Actor, action: string, told: Told[]): Sql =>
  insertGiven(
    'history',
    { record_id: 'uuid', id: 'uuid', changes: 'text', created_at: 'timestamptz' },
    told.filter(({ leads }) => leads).map((entry) => ({ ...entry, created_at: entry.at })),
    { account_id: accountId, action, actor_type: type, actor_id: sql`${id}::uuid`, actor_name: name },
  );
