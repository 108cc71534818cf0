import { days } from '../clock.ts';
import { notFound } from '../errors.ts';
import { route, single } from '../http/routes/route.ts';
import { formatId } from '../ids.ts';
import { listOf, singleOf } from '../shapes.ts';
import { ApiKey, ApiKeyCreate, NewApiKey, RevokedApiKey } from './api-keys.schema.ts';
import { listKeys } from './api-keys.store.ts';
import { createKey, revokeKey } from './api-keys.ts';
import { refuseOwnersScopes } from './scopes.ts';

const tag = 'API keys';

export const apiKeyRoutes = [
  route({
    method: 'GET',
    path: '/api-keys',
    permission: 'read',
    tag,
    summary: 'List API keys, never the keys themselves',
    success: 200,
    response: listOf(ApiKey),
    async handle({ db, caller }) {
      const keys = await listKeys(db, caller.accountId);
      return { body: `{"data":${keys},"count":${JSON.parse(keys).length}}` };
    },
  }),
  route({
    method: 'POST',
    path: '/api-keys',
    permission: 'write',
    // The answer contains the key itself, so it must not be kept.
    replayable: false,
    tag,
    summary: 'Make an API key',
    body: ApiKeyCreate,
    success: 201,
    response: singleOf(NewApiKey),
    async handle({ app, db, caller, body }) {
      const { name, permission, expires_in_days, scopes, allowed_addresses: allowedAddresses } = body;
      refuseOwnersScopes(caller, scopes);
      const expiresAt =
        expires_in_days === null ? null : new Date(app.now().getTime() + days(expires_in_days));
      const { key, json } = await createKey(db, {
        accountId: caller.accountId,
        by: caller,
        name,
        permission,
        expiresAt,
        scopes,
        allowedAddresses,
        most: app.config.API_KEYS_PER_ACCOUNT,
      });
      return single(`${json.slice(0, -1)},"key":"${key}"}`);
    },
  }),
  route({
    method: 'DELETE',
    path: '/api-keys/:id',
    permission: 'write',
    tag,
    summary: 'Revoke an API key',
    id: 'key',
    success: 200,
    response: singleOf(RevokedApiKey),
    async handle({ app, db, caller, id }) {
      if (!(await revokeKey(db, caller, id, app.now()))) throw notFound();
      // This process sees it at once; the others remember a key for less than a second.
      app.keys.lookAgain(caller.accountId);
      return single(JSON.stringify({ id: formatId('key', id), revoked: true }));
    },
  }),
];
