import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../db/connect.ts';
import { newId } from '../ids.ts';
import { findPolicies, insertPolicies, type NewPolicy } from './late-fee-policies.store.ts';
import type { LateFeePolicy, LateFees } from './rules/late-fee-policy.ts';
import { policyAt } from './rules/policy-at.ts';

export { deletePolicies } from './late-fee-policies.store.ts';

/** Something with late fees: an account (null means none), a property or a lease. */
interface Fining {
  late_fees: LateFees | null;
}

/**
 * Remembers which late fees were set, in the transaction that sets them, after the records have been written. `before`
 * has the records that are not new.
 */
export async function notePolicies(
  tx: Db,
  { accountId, today }: { accountId: string; today: string },
  level: 'account' | 'property' | 'lease',
  written: (Fining & { id: string })[],
  before: ReadonlyMap<string, Fining> = new Map(),
): Promise<void> {
  const rows = written.flatMap(({ id, late_fees }): NewPolicy[] => {
    const past = before.get(id);
    // A new record that inherits its policy has nothing to note.
    if (isDeepStrictEqual(past === undefined ? 'inherit' : past.late_fees, late_fees)) return [];
    const [first_id, next_id] = [newId(), newId()];
    return [
      {
        id: next_id,
        property_id: level === 'property' ? id : null,
        lease_id: level === 'lease' ? id : null,
        policy: late_fees ?? 'none',
        first_id,
        first: past === undefined ? null : (past.late_fees ?? 'none'),
      },
    ];
  });
  if (rows.length > 0) await insertPolicies(tx, accountId, rows, today);
}

/** For a lease and its property: the policy for a rent by its due day, or null if none was ever set. */
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
