import { type Caller, modeOf, shownActor } from '../caller.ts';
import { isTestAccount } from '../ids.ts';
import { keyScopes } from './api-keys.schema.ts';
import { hasScope } from './scopes.ts';

/** What a program may know of the key that it uses. */
export const keyInUse = (caller: Caller) => ({
  id: shownActor(caller.actor).id,
  name: caller.actor.name,
  mode: modeOf(caller.accountId),
  permission: caller.permission,
  scopes: keyScopes.filter(
    (scope) => hasScope(caller, scope) && (scope !== 'test' || isTestAccount(caller.accountId)),
  ),
  expires_at: caller.expiresAt ?? null,
});
