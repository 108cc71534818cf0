import { type Caller, shownActor } from '../caller.ts';
import { keyScopes } from './api-keys.schema.ts';
import { hasScope } from './scopes.ts';

/** What a program may know of the key that it uses. All keys reach live records: their prefix says so. */
export const keyInUse = (caller: Caller) => ({
  id: shownActor(caller.actor).id,
  name: caller.actor.name,
  mode: 'live',
  permission: caller.permission,
  scopes: keyScopes.filter((scope) => hasScope(caller, scope)),
  expires_at: caller.expiresAt ?? null,
});
