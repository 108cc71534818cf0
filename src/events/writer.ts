import type { Actor, Caller } from '../caller.ts';
import { changes, merged } from '../changes.ts';
import { todayIn } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import type { RowOf, Table, WithId } from '../db/records/columns.ts';
import { refuseTaken } from '../db/records/external-ids.ts';
import { type Computed, findRows, insertRows, updateRows } from '../db/records/rows.ts';
import { getRecord, type RecordShape } from '../db/records/shape.ts';
import { refuseViolations } from '../db/violations.ts';
import { type AppError, notFound } from '../errors.ts';
import type { SubscribableEvent } from './catalogue.ts';
import { type Change, changeQuietly, recordChange } from './record.ts';

/** The context of a write: whose records, by whom and when. */
export interface Writing {
  accountId: string;
  /** Who writes them. */
  actor: Actor;
  now: Date;
  /** Today in the account's time zone. */
  today: string;
  /** Set while the clock is turning this day (src/days/). */
  turning?: true;
  /** Whether the write is refused if too many deliveries are waiting. The service's own writes never are. */
  bounded?: boolean;
  /** Whether events are recorded. A trial run records none, and neither does an import whose sender declined them. */
  events: boolean;
}

/** The context of a caller's write now. */
export const writing = ({ accountId, actor, timeZone }: Caller, now: Date): Writing => ({
  accountId,
  actor,
  now,
  today: todayIn(timeZone, now),
  bounded: true,
  events: true,
});

/**
 * Writes any number of a noun's records at once: one for a request, hundreds for an import. If events are recorded, it
 * returns the records' JSON, ordered by id. If one row breaks a rule, none is written and an AppError is thrown.
 */
export interface Writer<Row extends object, How extends Writing = Writing> {
  shape(accountId: string, today: string): RecordShape;
  find(db: Db, accountId: string, ids: string[], lock: boolean): Promise<WithId<Row>[]>;
  add(db: Db, how: How, rows: WithId<Row>[]): Promise<string[]>;
  change(tx: Db, how: How, rows: WithId<Row>[], before: Map<string, WithId<Row>>): Promise<string[]>;
}

interface Noun<Of extends Table, How> {
  table: Of;
  shape: Writer<object>['shape'];
  created: SubscribableEvent;
  updated: SubscribableEvent;
  refusals?: Record<string, () => AppError>;
  inserting?: (how: How) => Computed;
  updating?: (how: How) => Computed;
}

/** The writer of a noun that has nothing but its rows. */
export function writerOf<Of extends Table, How extends Writing = Writing>(
  noun: Noun<Of, How>,
): Writer<RowOf<Of>, How> {
  const { table, shape, inserting, updating } = noun;
  const write = (db: Db, how: How, change: Pick<Change, 'rows' | 'count' | 'ids' | 'events'>) =>
    refuseViolations(
      table.name,
      () => recordRows(db, how, { shape: shape(how.accountId, how.today), ...change }),
      noun.refusals,
    );
  return {
    shape,
    find: (db, accountId, ids, lock) => findRows(db, table, accountId, ids, lock),
    async add(db, how, rows) {
      await refuseTaken(db, table, how.accountId, rows);
      const inserted = insertRows(table, how.accountId, rows, inserting?.(how));
      return write(db, how, { rows: inserted, count: rows.length, events: [noun.created] });
    },
    async change(tx, how, rows, before) {
      await refuseTaken(tx, table, how.accountId, rows, before);
      const updated = updateRows(table, how.accountId, rows, how.now, updating?.(how));
      return write(tx, how, { rows: updated, ids: rows.map(({ id }) => id), events: [noun.updated] });
    },
  };
}

/** Runs the statement with its history, and with events if they are wanted. */
export async function recordRows(
  db: Db,
  { accountId, actor, bounded, events: wanted }: Writing,
  change: Omit<Change, 'accountId' | 'actor'>,
): Promise<string[]> {
  if (wanted) return recordChange(db, { accountId, actor, bounded, ...change });
  await changeQuietly(db, { accountId, actor, ...change, answered: false });
  return [];
}

/** Adds a single record. */
export async function addRecord<Row extends object, How extends Writing>(
  db: Db,
  writer: Writer<Row, How>,
  how: How,
  row: WithId<Row>,
): Promise<string> {
  return only(await writer.add(db, how, [row]));
}

type Patch<Row> = { [Name in keyof Row]?: Row[Name] | undefined };

/** Changes a single record, unless it already has the patch's values. `check` may refuse the change. */
export function changeRecord<Row extends object, How extends Writing>(
  db: Db,
  writer: Writer<Row, How>,
  how: How,
  id: string,
  given: Patch<Row> | ((current: WithId<Row>) => Patch<Row>),
  check?: (tx: Db, next: WithId<Row>, current: WithId<Row>) => void | Promise<void>,
): Promise<string> {
  const { accountId, today } = how;
  return db.transaction(async (tx) => {
    const [current] = await writer.find(tx, accountId, [id], true);
    if (current === undefined) throw notFound();
    const patch = typeof given === 'function' ? given(current) : given;
    if (!changes(current, patch)) return getRecord(tx, writer.shape(accountId, today), accountId, id);
    const next = { ...merged<Row>(current, patch), id };
    await check?.(tx, next, current);
    return only(await writer.change(tx, how, [next], new Map([[id, current]])));
  });
}

function only([json]: string[]): string {
  if (json === undefined) throw new Error('A written record returned no row.');
  return json;
}
