import type { Db } from '../../db/connect.ts';
import { type Sql, sql } from '../../db/sql.ts';

export const findCharges = (
  tx: Db,
  accountId: string,
  leaseId: string,
): Promise<{ id: string; voided: boolean }[]> =>
  tx.query(sql`
    select id, voided_on is not null as voided from charges
    where account_id = ${accountId} and lease_id = ${leaseId} order by id`);

export const deleteCharges = (accountId: string, leaseId: string): Sql =>
  sql`delete from charges where account_id = ${accountId} and lease_id = ${leaseId} returning *`;

export async function countRecurring(tx: Db, accountId: string, leaseId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::integer as count from recurring_charges
    where account_id = ${accountId} and lease_id = ${leaseId}`);
  return row?.count ?? 0;
}

export const deleteRecurring = (accountId: string, leaseId: string): Sql =>
  sql`delete from recurring_charges where account_id = ${accountId} and lease_id = ${leaseId} returning *`;

/** Deletes what was derived: when the next charge falls due, and what is open from which day to which. */
export async function deleteDerived(tx: Db, accountId: string, leaseId: string): Promise<void> {
  await tx.query(sql`delete from lease_schedules where account_id = ${accountId} and lease_id = ${leaseId}`);
  await tx.query(sql`delete from open_spans where account_id = ${accountId} and lease_id = ${leaseId}`);
  await tx.query(sql`delete from ledger_changes where account_id = ${accountId} and lease_id = ${leaseId}`);
}
