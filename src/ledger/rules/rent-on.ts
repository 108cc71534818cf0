import { join, raw, type Sql, sql } from '../../db/sql.ts';

/** The rent of a lease that is in force on a day, by the same rule as in schedule.ts. */
export const rentOn = (alias: string, day: string): Sql => sql`
  coalesce((
    select (change ->> 'rent_cents')::bigint from jsonb_array_elements(${raw(alias)}.rent_changes) change
    where change ->> 'from' <= ${day}::text order by change ->> 'from' desc limit 1), ${raw(alias)}.rent_cents)`;

/**
 * The day, from a given one on, on which a running lease owes its next rent, by the same rule as in schedule.ts. Null
 * if there is none: the lease ends earlier, or its ledger begins later.
 */
export const nextRentDay = (alias: string, day: string): Sql => {
  const l = raw(alias);
  const months = [sql`${day}::date`, sql`${day}::date + interval '1 month'`].map(
    (each) => sql`select date_trunc('month', ${each})::date as first`,
  );
  return sql`(
    select least(month.first + ${l}.due_day - 1, ${l}.until - 1) from (${join(months, ' union all ')}) month
    where month.first + ${l}.due_day - 1 >= greatest(${day}::date, ${l}.ledger_from)
      and (${l}.until is null or month.first < ${l}.until)
    order by month.first limit 1)`;
};
