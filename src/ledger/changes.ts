import { type Sql, sql } from '../db/sql.ts';
import { newId } from '../ids.ts';

/*
 * Marks of leases whose open amounts are to be worked out again (ledger/freshen.ts). Whoever writes an entry, or the
 * terms of a lease, adds a mark in the same transaction. A mark is always a new row: one that is there may be just
 * about to be taken by somebody who does not see this change.
 */

/** A statement that marks leases; `changed` selects lease_id and from_day, the first day for which something is new. */
export const markChanged = (accountId: string, changed: Sql): Sql => sql`
  insert into ledger_changes (account_id, lease_id, mark, from_day)
  select ${accountId}, c.lease_id, ${newId()}, min(c.from_day) from (${changed}) c
  where c.lease_id is not null group by c.lease_id`;
