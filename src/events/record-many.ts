import { dateOf } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import type { RecordShape } from '../db/list.ts';
import { findMany, insertMany, type ManyTable, updateMany, type WithId, withTime } from '../db/many.ts';
import type { Sql } from '../db/sql.ts';
import { refuseViolations } from '../db/violations.ts';
import type { AppError } from '../errors.ts';
import type { SubscribableEvent } from './catalogue.ts';
import { recordChange } from './record.ts';

/** What writes of many records at once need to know. */
export interface ManyWrite {
  accountId: string;
  currency: string;
  now: Date;
  /** Whether events are recorded: not for a trial, nor where nobody wants them. */
  events: boolean;
}

/** A noun's verbs for many records at once. What a row breaks is thrown as an AppError, for all of them. */
export interface Many<Row extends object> {
  find(db: Db, accountId: string, ids: string[], lock: boolean): Promise<WithId<Row>[]>;
  add(tx: Db, write: ManyWrite, rows: WithId<Row>[]): Promise<void>;
  change(tx: Db, write: ManyWrite, rows: WithId<Row>[], before: Map<string, WithId<Row>>): Promise<void>;
}

interface Noun<Row> extends ManyTable<Row> {
  shape: (today: string) => RecordShape;
  created: SubscribableEvent;
  updated: SubscribableEvent;
  refusals?: Record<string, () => AppError>;
}

/** For nouns whose rows are all there is to write. */
export function manyOf<Row extends object>(noun: Noun<Row>): Many<Row> {
  const write = (tx: Db, how: ManyWrite, rows: Sql, count: number, event: SubscribableEvent) =>
    refuseViolations(
      noun.table,
      () => recordMany(tx, how, { shape: noun.shape(dateOf(how.now)), rows, count, events: [event] }),
      noun.refusals,
    );
  return {
    find: (db, accountId, ids, lock) => findMany(db, noun, accountId, ids, lock),
    add: (tx, how, rows) =>
      write(tx, how, insertMany(noun, how.accountId, rows.map(withTime)), rows.length, noun.created),
    change: (tx, how, rows) =>
      write(tx, how, updateMany(noun, how.accountId, rows, how.now), rows.length, noun.updated),
  };
}

/** The statement with its events, or alone. */
export async function recordMany(
  tx: Db,
  { accountId, events: wanted }: ManyWrite,
  change: { shape: RecordShape; rows: Sql; count: number; events: SubscribableEvent[] },
): Promise<void> {
  if (change.count === 0) return;
  if (wanted) await recordChange(tx, { accountId, ...change });
  else await tx.query(change.rows);
}
