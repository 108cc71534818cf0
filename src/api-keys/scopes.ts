import type { Caller } from '../caller.ts';
import { AppError } from '../errors.ts';

/** The part of the API that a route belongs to: the first part of its path. */
export const scopeOf = ({ path }: { path: string }): string => path.split('/', 2)[1] ?? '';

/** What a key has only if an owner gave it by name. One without limits has all the others. */
export const ownersScopes: readonly string[] = ['audit-log'];

type Holder = Pick<Caller, 'scopes' | 'role'>;

export function hasScope({ scopes, role }: Holder, scope: string): boolean {
  if (scopes !== undefined) return scopes.includes(scope);
  // People have a role in place of scopes.
  return role !== undefined || !ownersScopes.includes(scope);
}

export function needScope(caller: Holder, scope: string): void {
  if (!hasScope(caller, scope)) throw new AppError('missing_scope', `This key lacks the scope ${scope}.`);
}

/** Through a key that a manager makes, the manager would read what is for owners. */
export function refuseOwnersScopes({ role }: Pick<Caller, 'role'>, scopes: readonly string[] | null): void {
  const kept = ownersScopes.filter((scope) => scopes?.includes(scope));
  if (kept.length > 0 && role !== 'owner')
    throw new AppError('owner_required', `Only an owner may make a key with the scope ${kept.join(', ')}.`);
}
