import { raw, type Sql, sql } from '../../db/sql.ts';

/** The rent of a lease that is in force on a day, as schedule.ts has it. */
export const rentOn = (alias: string, day: string): Sql => sql`
  coalesce((
    select (change ->> 'rent_cents')::bigint from jsonb_array_elements(${raw(alias)}.rent_changes) change
    where change ->> 'from' <= ${day}::text order by change ->> 'from' desc limit 1), ${raw(alias)}.rent_cents)`;
