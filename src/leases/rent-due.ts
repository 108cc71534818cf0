import { raw, type Sql, sql } from '../db/sql.ts';

export interface DayRange {
  from: string;
  to: string;
}

/**
 * The leases with rent that falls due in the range, and from which month to which. While a lease runs, its whole rent
 * falls due once a month, on its due day. All figures of expected rent are counted this way.
 */
export const rentDue = (accountId: string, { from, to }: DayRange): Sql => sql`
  select l.property_id, l.currency, l.rent_cents, months.first_month, months.last_month
  from leases l
  cross join lateral (
    select greatest(l.start_date, ${from}::date) as first, least(l.until - 1, ${to}::date) as last) runs
  cross join lateral (select ${firstDueMonth('l', sql`runs.first`)} as first_month,
    ${lastDueMonth('l', sql`runs.last`)} as last_month) months
  where l.account_id = ${accountId} and months.first_month <= months.last_month`;

/** The month of the first due day on or after a day. */
export function firstDueMonth(lease: string, day: Sql): Sql {
  return sql`(${monthNumber(day)} + (${raw(lease)}.due_day < extract(day from ${day}))::integer)`;
}

/** The month of the last due day on or before a day. */
export function lastDueMonth(lease: string, day: Sql): Sql {
  return sql`(${monthNumber(day)} - (${raw(lease)}.due_day > extract(day from ${day}))::integer)`;
}

/** A month as a number that can be counted and compared, as in payments.paid_month. */
export function monthNumber(date: Sql): Sql {
  return sql`(extract(year from ${date})::integer * 12 + extract(month from ${date})::integer)`;
}

/** A month's number as `YYYY-MM`. */
export function monthName(number: string): Sql {
  return raw(`to_char(make_date((${number} - 1) / 12, (${number} - 1) % 12 + 1, 1), 'YYYY-MM')`);
}
