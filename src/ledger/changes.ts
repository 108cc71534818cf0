import type { Db } from '../db/connect.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
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

export async function markLeases(
  tx: Db,
  accountId: string,
  leases: { lease_id: string; from_day: string }[],
): Promise<void> {
  if (leases.length === 0) return;
  const rows = rowsAsTable(leases, { lease_id: 'uuid', from_day: 'date' });
  await tx.query(markChanged(accountId, sql`select n.lease_id, n.from_day from ${rows}`));
}
