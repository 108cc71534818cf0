import type { Db } from '../../db/connect.ts';
import type { Chunk } from '../../db/records/id-chunks.ts';
import { literal, raw, sql } from '../../db/sql.ts';

/** A range of days, both included. */
export interface Days {
  from: string;
  to: string;
}

/** Something happens to a charge on a day. */
export interface ChargeDay {
  id: string;
  day: string;
}

/**
 * Charges that have one of these days in a column and are open on it. There are few, so each is looked up. With
 * `exists` it would be a join, which took half a minute for an account that had just been filled and not been analysed.
 */
export async function findOpenOn(
  db: Db,
  accountId: string,
  column: 'due_on' | 'overdue_from',
  { from, to }: Days,
  { after, most }: Chunk,
): Promise<ChargeDay[]> {
  const day = raw(`c.${column}`);
  // Imported charges all have the day of the import in overdue_from. If there are many, Postgres expects as many for
  // every other day, and with `=` it would read all charges of the account by their ids.
  return db.query<ChargeDay>(sql`
    select c.id, ${day}::text as day from charges c
    where c.account_id = ${accountId} and ${day} <= ${to}::date and (${day}, c.id) > (${from}::date, ${after}::uuid)
      and c.voided_on is null and (
        select true from open_spans s
        where s.account_id = ${accountId} and s.lease_id = c.lease_id and s.kind = 'charge' and s.item_id = c.id
          and s.from_day <= ${day} and (s.to_day is null or s.to_day > ${day}) limit 1)
    order by ${day}, c.id limit ${literal(most)}`);
}

/**
 * Charges that change on these days: they fall due, or a payment or return entered earlier counts from then on. Charges
 * that are recalculated during a day are marked as changed by that.
 */
export async function findChangingOn(
  db: Db,
  accountId: string,
  { from, to }: Days,
  { after, most }: Chunk,
): Promise<ChargeDay[]> {
  return db.query<ChargeDay>(sql`
    select id, day::text from (
      select c.id, c.due_on as day from charges c
      where c.account_id = ${accountId} and c.due_on between ${from}::date and ${to}::date and c.voided_on is null
      union
      select s.item_id, turn.day from open_spans s cross join lateral (values (s.from_day), (s.to_day)) turn(day)
      where s.account_id = ${accountId} and s.kind = 'charge' and turn.day between ${from}::date and ${to}::date
        and daterange(s.from_day, s.to_day) && daterange(${from}::date - 1, ${to}::date, '[]')) changing
    where id > ${after}::uuid order by id limit ${literal(most)}`);
}
