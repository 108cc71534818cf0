import type { Db } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import type { Version } from './rules/policy-at.ts';

export interface PolicyVersion extends Version {
  property_id: string | null;
  lease_id: string | null;
}

/** Every value that concerns these leases, in the order in which they were set. */
export function findPolicies(db: Db, accountId: string, leaseIds: string[]): Promise<PolicyVersion[]> {
  return db.query<PolicyVersion>(sql`
    select f.property_id, f.lease_id, f.policy, f.set_on::text from late_fee_policies f
    where f.account_id = ${accountId} and (f.lease_id is null or f.lease_id = any(${leaseIds}::uuid[]))
      and (f.property_id is null or f.property_id in (
        select l.property_id from leases l where l.account_id = ${accountId} and l.id = any(${leaseIds}::uuid[])))
    order by f.set_on, f.id`);
}
