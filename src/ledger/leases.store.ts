import type { Db } from '../db/connect.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { missing } from '../db/violations.ts';

interface LedgerLease {
  id: string;
  currency: string;
  ledger_from: string;
}

/** With `lock`, nobody else recalculates the lease until the transaction ends. */
export async function findLease(
  tx: Db,
  accountId: string,
  leaseId: string,
  { lock }: { lock: boolean },
): Promise<LedgerLease | undefined> {
  const [row] = await tx.query<LedgerLease>(sql`
    select id, currency, ledger_from::text from leases
    where account_id = ${accountId} and id = ${leaseId} ${raw(lock ? 'for no key update' : '')}`);
  return row;
}

/** Locks a lease whose ledger is about to change. Throws a 400 on lease_id if the account has no such lease. */
export async function lockLease(tx: Db, accountId: string, leaseId: string): Promise<LedgerLease> {
  const lease = await findLease(tx, accountId, leaseId, { lock: true });
  if (lease === undefined) throw missing('lease_id');
  return lease;
}

/** Like lockLease for each of these leases, always in the same order. */
export async function lockLeases(tx: Db, accountId: string, leaseIds: string[]): Promise<void> {
  const ids = [...new Set(leaseIds)];
  const rows = await tx.query(sql`
    select id from leases where account_id = ${accountId} and id = any(${ids}::uuid[])
    order by id for no key update`);
  if (rows.length < ids.length) throw missing('lease_id');
}

/** What new rows `n` of the ledger take from their lease `l`. */
export const columnsOfLease = {
  unit_id: raw('l.unit_id'),
  property_id: raw('l.property_id'),
  currency: raw('l.currency'),
};

export const joinLease = (accountId: string): Sql =>
  sql`join leases l on l.account_id = ${accountId} and l.id = n.lease_id`;

/** The charge of the lease that a payment names. */
export async function findChargeOf(
  tx: Db,
  accountId: string,
  leaseId: string,
  chargeId: string,
): Promise<{ voided: boolean } | undefined> {
  const [row] = await tx.query<{ voided: boolean }>(sql`
    select voided_on is not null as voided from charges
    where account_id = ${accountId} and id = ${chargeId} and lease_id = ${leaseId}`);
  return row;
}
