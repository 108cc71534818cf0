import { raw, type Sql, sql } from '../../db/sql.ts';

export const leaseStatuses = ['upcoming', 'active', 'notice', 'ended'] as const;

/**
 * A lease's status on a day, from its dates alone. A cancelled lease, which ends before it starts, counts as ended on
 * every day.
 */
export const leaseStatus = (alias: string, today: string): Sql => {
  const l = raw(alias);
  return sql`case when ${l}.until <= greatest(${l}.start_date, ${today}::date) then 'ended'
    when ${l}.start_date > ${today}::date then 'upcoming'
    when ${l}.notice_given_on <= ${today}::date then 'notice' else 'active' end`;
};

/** Whether the lease runs on a day. */
export const leaseRunsOn = (alias: string, day: string | Sql): Sql => {
  const l = raw(alias);
  return sql`${l}.start_date <= ${day}::date and (${l}.until is null or ${l}.until > ${day}::date)`;
};
