import type { Db } from '../../db/connect.ts';
import type { Chunk } from '../../db/records/id-chunks.ts';
import { literal, raw, sql } from '../../db/sql.ts';

/**
 * Charges that have this day in a column and are open on it. There are few, so each is looked up. With `exists` it
 * would be a join, which took half a minute for an account that had just been filled and not been analysed.
 */
export async function findOpenOn(
  db: Db,
  accountId: string,
  column: 'due_on' | 'overdue_from',
  day: string,
  { after, most }: Chunk,
): Promise<string[]> {
  // Imported charges all have the day of the import in overdue_from. If there are many, Postgres expects as many for
  // every other day, and with `=` it would read all charges of the account by their ids.
  const next =
    column === 'due_on'
      ? sql`c.due_on = ${day}::date and c.id > ${after}::uuid`
      : sql`c.overdue_from <= ${day}::date and (c.overdue_from, c.id) > (${day}::date, ${after}::uuid)`;
  const rows = await db.query<{ id: string }>(sql`
    select c.id from charges c
    where c.account_id = ${accountId} and ${next} and c.voided_on is null and (
        select true from open_spans s
        where s.account_id = ${accountId} and s.lease_id = c.lease_id and s.kind = 'charge' and s.item_id = c.id
          and s.from_day <= ${day}::date and (s.to_day is null or s.to_day > ${day}::date) limit 1)
    order by c.${raw(column)}, c.id limit ${literal(most)}`);
  return rows.map(({ id }) => id);
}

/**
 * Charges that change on this day: they fall due, or a payment or return entered earlier counts from this day on.
 * Charges that are recalculated during the day are marked as changed by that.
 */
export async function findChangingOn(
  db: Db,
  accountId: string,
  day: string,
  { after, most }: Chunk,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from (
      select c.id from charges c
      where c.account_id = ${accountId} and c.due_on = ${day}::date and c.voided_on is null
      union
      select s.item_id from open_spans s
      where s.account_id = ${accountId} and s.kind = 'charge' and ${day}::date in (s.from_day, s.to_day)
        and daterange(s.from_day, s.to_day) && daterange(${day}::date - 1, ${day}::date, '[]')) changing
    where id > ${after}::uuid order by id limit ${literal(most)}`);
  return rows.map(({ id }) => id);
}
