import type { Db } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { missing } from '../db/violations.ts';

export interface LedgerLease {
  id: string;
  currency: string;
  ledger_from: string;
}

/** A lease whose ledger is about to change: nobody else works it out meanwhile. 400 if the account has no such lease. */
export async function lockLease(tx: Db, accountId: string, leaseId: string): Promise<LedgerLease> {
  const [row] = await tx.query<LedgerLease>(sql`
    select id, currency, ledger_from::text from leases
    where account_id = ${accountId} and id = ${leaseId} for no key update`);
  if (row === undefined) throw missing('lease_id');
  return row;
}

/** Whether a charge of the lease stands, so that something can be paid on it. */
export async function hasCharge(
  tx: Db,
  accountId: string,
  leaseId: string,
  chargeId: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from charges
    where account_id = ${accountId} and id = ${chargeId} and lease_id = ${leaseId} and voided_on is null`);
  return rows.length > 0;
}
