import type { Db } from '../db/connect.ts';
import { writtenHere } from '../db/records/written-in.ts';
import { literal, sql } from '../db/sql.ts';

export interface TestClock {
  throughDay: string;
  timeZone: string;
  aheadMs: number;
  /** The advance that is under way, until when it counts as running, and whether that time has not passed yet. */
  advanceId: string | null;
  until: string | null;
  isBusy: boolean;
}

/** Locks the clock of a test account, so that nobody else turns or moves it until the transaction ends. */
export async function takeTestClock(tx: Db, accountId: string): Promise<TestClock | null> {
  const [clock] = await tx.query<TestClock>(sql`
    select k.through_day::text as "throughDay", a.time_zone as "timeZone", k.ahead_ms::float8 as "aheadMs",
      k.advance_id as "advanceId", k.advancing_until::text as until, coalesce(k.advancing_until > now(), false) as "isBusy"
    from account_clocks k join accounts a on a.id = k.account_id
    where k.account_id = ${accountId} and a.closed_at is null for update of k`);
  return clock ?? null;
}

/** Notes that an advance is running or, with null, that none is. */
export async function sayAdvancing(
  tx: Db,
  accountId: string,
  advanceId: string | null,
  forMs: number,
): Promise<void> {
  await tx.query(sql`
    update account_clocks set advance_id = ${advanceId},
      advancing_until = case when ${advanceId}::uuid is null then null else clock_timestamp() + ${literal(forMs)} * interval '1 millisecond' end
    where account_id = ${accountId}`);
}

/** Moves the clock, and notes when its next day begins. Both are in real time. */
export async function moveAhead(tx: Db, accountId: string, aheadMs: number, nextTurnAt: Date): Promise<void> {
  await tx.query(sql`
    update account_clocks set ahead_ms = ${aheadMs}::bigint, next_turn_at = ${nextTurnAt} where account_id = ${accountId}`);
}

interface Count {
  what: 'posted' | 'told';
  name: string;
  count: number;
}

/**
 * What the transaction has written so far, what came first before the others: charges made since a time, by kind, and
 * events by name. It asks for a range, because one transaction writes a whole demo: for a single number, Postgres would
 * expect all rows to have it, and read the whole table.
 */
export const countWritten = (tx: Db, accountId: string, since: Date): Promise<Count[]> => {
  const here = sql`written_in between ${writtenHere} and ${writtenHere}`;
  return tx.query<Count>(sql`
    select 'told' as what, event as name, count(*)::integer as count, min(created_at) as first from events
    where account_id = ${accountId} and ${here} group by event
    union all
    select 'posted', kind, count(*)::integer, min(created_at) from charges
    where account_id = ${accountId} and ${here}
      and voided_on is null and source in ('schedule', 'late_fee') and created_at >= ${since}
    group by kind
    order by first, name`);
};
