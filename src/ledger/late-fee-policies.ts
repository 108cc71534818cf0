import type { Db } from '../db/connect.ts';
import { findPolicies } from './late-fee-policies.store.ts';
import type { LateFeePolicy } from './rules/late-fee-policy.ts';
import { policyAt } from './rules/policy-at.ts';

/** For a lease and its property: the policy for a rent by its due day, or null where nothing was ever set. */
export type Policies = (
  leaseId: string,
  propertyId: string,
) => ((dueOn: string) => LateFeePolicy | null) | null;

export async function policiesFor(db: Db, accountId: string, leaseIds: string[]): Promise<Policies> {
  const versions = Map.groupBy(
    await findPolicies(db, accountId, leaseIds),
    ({ lease_id, property_id }) => lease_id ?? property_id ?? accountId,
  );
  return (leaseId, propertyId) => {
    const levels = [leaseId, propertyId, accountId].map((id) => versions.get(id) ?? []);
    return levels.some((level) => level.length > 0) ? (dueOn) => policyAt(levels, dueOn) : null;
  };
}
