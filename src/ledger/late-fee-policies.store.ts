import type { Db } from '../db/connect.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import { sql } from '../db/sql.ts';
import type { LateFees } from './rules/late-fee-policy.ts';
import type { Version } from './rules/policy-at.ts';

interface Of {
  property_id: string | null;
  lease_id: string | null;
}

export interface NewPolicy extends Of {
  id: string;
  policy: LateFees;
  /** The value before this one. It is kept as the first one if none was ever noted. Null for a new record. */
  first: LateFees | null;
  first_id: string;
}

const types = {
  id: 'uuid',
  property_id: 'uuid',
  lease_id: 'uuid',
  policy: 'jsonb',
  first: 'jsonb',
  first_id: 'uuid',
};

export async function insertPolicies(
  tx: Db,
  accountId: string,
  rows: NewPolicy[],
  today: string,
): Promise<void> {
  await tx.query(sql`
    with n as (select * from ${rowsAsTable(rows, types)})
    insert into late_fee_policies (account_id, id, property_id, lease_id, policy, set_on)
    select ${accountId}::uuid, n.first_id, n.property_id, n.lease_id, n.first, '-infinity'::date from n
    where n.first is not null and not exists (
      select from late_fee_policies f where f.account_id = ${accountId}
        and f.lease_id is not distinct from n.lease_id and f.property_id is not distinct from n.property_id)
    union all
    select ${accountId}::uuid, n.id, n.property_id, n.lease_id, n.policy, ${today}::date from n`);
}

export const deletePolicies = (
  tx: Db,
  accountId: string,
  level: 'property' | 'lease',
  id: string,
): Promise<unknown> =>
  tx.query(
    level === 'lease'
      ? sql`delete from late_fee_policies where account_id = ${accountId} and lease_id = ${id}`
      : sql`delete from late_fee_policies
          where account_id = ${accountId} and lease_id is null and property_id = ${id}`,
  );

/**
 * Every value that concerns these leases, in the order in which they were set. That is the order of ids, because an
 * account may move to a time zone where it is still yesterday.
 */
export function findPolicies(db: Db, accountId: string, leaseIds: string[]): Promise<(Of & Version)[]> {
  return db.query(sql`
    select f.property_id, f.lease_id, f.policy, f.set_on::text from late_fee_policies f
    where f.account_id = ${accountId} and (f.lease_id is null or f.lease_id = any(${leaseIds}::uuid[]))
      and (f.property_id is null or f.property_id in (
        select l.property_id from leases l where l.account_id = ${accountId} and l.id = any(${leaseIds}::uuid[])))
    order by f.id`);
}
