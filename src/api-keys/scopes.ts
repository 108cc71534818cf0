import type { Caller } from '../caller.ts';
import { AppError } from '../errors.ts';

/** The part of the API that a route belongs to: the first part of its path. */
export const scopeOf = ({ path }: { path: string }): string => path.split('/', 2)[1] ?? '';

export const hasScope = ({ scopes }: Pick<Caller, 'scopes'>, scope: string): boolean =>
  scopes === undefined || scopes.includes(scope);

export function needScope(caller: Pick<Caller, 'scopes'>, scope: string): void {
  if (!hasScope(caller, scope)) throw new AppError(403, `This key lacks the scope ${scope}.`);
}
