import type { LateFeePolicy, LateFees } from './late-fee-policy.ts';

/**
 * A late-fee policy that a lease, a property or the account had. The very first one has `-infinity`, which sorts first.
 */
export interface Version {
  policy: LateFees;
  set_on: string;
}

/**
 * The policy for a rent that falls due on a day. The lease beats the property, which beats the account. For each of
 * them, the policy that was last set before that day counts, or else the one it had first. A policy holds for charges
 * due after it was set.
 */
export function policyAt(levels: readonly (readonly Version[])[], dueOn: string): LateFeePolicy | null {
  for (const versions of levels) {
    const version = versions.findLast(({ set_on }) => set_on < dueOn) ?? versions[0];
    if (version === undefined || version.policy === 'inherit') continue;
    const { policy, set_on } = version;
    return policy === 'none' || set_on >= dueOn ? null : policy;
  }
  return null;
}
