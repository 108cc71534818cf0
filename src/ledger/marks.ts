import { type Sql, sql } from '../db/sql.ts';
import { newId } from '../ids.ts';

/*
 * Marks leases whose open amounts have to be recalculated (ledger/freshen.ts). Every write of an entry, or of the terms
 * of a lease, adds a mark in the same transaction. A mark is always a new row, because a process that does not see this
 * change may be about to take an existing one.
 */

/** A statement that marks leases. `changed` selects lease_id and from_day, the first day that is affected. */
export const markChanged = (accountId: string, changed: Sql): Sql => sql`
  insert into ledger_changes (account_id, lease_id, mark, from_day)
  select ${accountId}, c.lease_id, ${newId()}, min(c.from_day) from (${changed}) c
  where c.lease_id is not null group by c.lease_id`;
