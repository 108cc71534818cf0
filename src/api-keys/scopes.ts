import type { Caller } from '../caller.ts';
import { AppError } from '../errors.ts';

/** The part of the API that a route belongs to: the first part of its path. Refunds of deposits belong to leases. */
export function scopeOf({ path }: { path: string }): string {
  const first = path.split('/', 2)[1] ?? '';
  return first === 'deposit-refunds' ? 'leases' : first;
}

/** A key has these only if an owner named them. A key without limits has all other scopes. */
export const ownersScopes: readonly string[] = ['audit-log'];

type Holder = Pick<Caller, 'scopes' | 'role'>;

export function hasScope({ scopes, role }: Holder, scope: string): boolean {
  if (scopes !== undefined) return scopes.includes(scope);
  // People have a role instead of scopes.
  return role !== undefined || !ownersScopes.includes(scope);
}

export function needScope(caller: Holder, scope: string): void {
  if (!hasScope(caller, scope)) throw new AppError('missing_scope', `This key lacks the scope ${scope}.`);
}

/** Otherwise a manager could make a key and read with it what only owners may see. */
export function refuseOwnersScopes({ role }: Pick<Caller, 'role'>, scopes: readonly string[] | null): void {
  const kept = ownersScopes.filter((scope) => scopes?.includes(scope));
  if (kept.length > 0 && role !== 'owner')
    throw new AppError('owner_required', `Only an owner may make a key with the scope ${kept.join(', ')}.`);
}
