import { z } from 'zod';
import { publicId } from '../fields.ts';
import { personRoute, single } from '../http/routes/route.ts';
import { formatId } from '../ids.ts';
import { singleOf } from '../shapes.ts';
import { findPassword } from '../users/users.ts';
import { addPasskey, beginPasskey, removePasskey, renamePasskey, showPasskey } from './passkeys.ts';
import {
  AppSecret,
  AppSetUp,
  CodeOfApp,
  PasskeyBegin,
  PasskeyCreate,
  PasskeyOptions,
  PasskeyPatch,
  Proof,
  RecoveryCodes,
  Security,
} from './second-factor.schema.ts';
import { findTwoFactor, listPasskeys } from './second-factor.store.ts';
import { disableTwoFactor, enableTwoFactor, renewRecoveryCodes, setUpApp } from './two-factor.ts';

const tag = 'Session';
const passkey = Security.shape.passkeys.element;

/** How a person signs in. Everybody who is signed in can change their own sign-in, whatever their role. */
export const secondFactorRoutes = [
  personRoute({
    method: 'GET',
    path: '/security',
    permission: 'read',
    tag,
    summary: 'How you sign in',
    success: 200,
    response: singleOf(Security),
    async handle({ app, signedIn }) {
      const [hash, twoFactor, passkeys] = await Promise.all([
        findPassword(app.db, signedIn.email),
        findTwoFactor(app.db, signedIn.userId),
        listPasskeys(app.db, signedIn.userId),
      ]);
      const enabled = twoFactor?.enabled ?? false;
      const security: Security = {
        has_password: hash !== null,
        two_factor: {
          enabled,
          has_app: enabled && (twoFactor?.verified ?? false),
          recovery_codes_left: enabled ? (twoFactor?.codesLeft ?? 0) : 0,
        },
        passkeys: passkeys.map(showPasskey),
      };
      return single(JSON.stringify(security));
    },
  }),
  personRoute({
    method: 'POST',
    path: '/two-factor/set-up',
    permission: 'write',
    tag,
    summary: 'Make a secret for an authenticator app',
    body: AppSetUp,
    success: 200,
    response: singleOf(AppSecret),
    handle: async ({ app, body, ...asking }) =>
      single(JSON.stringify(await setUpApp(app, asking, body.password))),
  }),
  personRoute({
    method: 'POST',
    path: '/two-factor/enable',
    permission: 'write',
    tag,
    summary: 'Turn on two-factor sign-in, with a code of the app',
    body: CodeOfApp,
    success: 200,
    response: singleOf(RecoveryCodes),
    handle: async ({ app, body, ...asking }) =>
      single(JSON.stringify({ recovery_codes: await enableTwoFactor(app, asking, body.code) })),
  }),
  personRoute({
    method: 'POST',
    path: '/two-factor/recovery-codes',
    permission: 'write',
    tag,
    summary: 'Make new recovery codes',
    body: Proof,
    success: 200,
    response: singleOf(RecoveryCodes),
    handle: async ({ app, body, ...asking }) =>
      single(JSON.stringify({ recovery_codes: await renewRecoveryCodes(app, asking, body) })),
  }),
  personRoute({
    method: 'POST',
    path: '/two-factor/disable',
    permission: 'write',
    tag,
    summary: 'Turn off two-factor sign-in',
    body: Proof,
    success: 200,
    response: singleOf(z.object({ enabled: z.literal(false) })),
    async handle({ app, body, ...asking }) {
      await disableTwoFactor(app, asking, body);
      return single('{"enabled":false}');
    },
  }),
  personRoute({
    method: 'POST',
    path: '/passkeys/options',
    permission: 'write',
    tag,
    summary: 'Start adding a passkey',
    body: PasskeyBegin,
    success: 200,
    response: singleOf(PasskeyOptions),
    async handle({ app, body, ...asking }) {
      const { options, cookies } = await beginPasskey(app, asking, body.password);
      return { ...single(JSON.stringify(options)), cookies };
    },
  }),
  personRoute({
    method: 'POST',
    path: '/passkeys',
    permission: 'write',
    tag,
    summary: 'Finish adding a passkey',
    body: PasskeyCreate,
    success: 201,
    response: singleOf(passkey),
    handle: async ({ app, body, ...asking }) => single(JSON.stringify(await addPasskey(app, asking, body))),
  }),
  personRoute({
    method: 'PATCH',
    path: '/passkeys/:id',
    permission: 'write',
    tag,
    summary: 'Rename a passkey',
    id: 'psk',
    body: PasskeyPatch,
    success: 200,
    response: singleOf(passkey),
    handle: async ({ app, id, body, ...asking }) =>
      single(JSON.stringify(await renamePasskey(app, asking, id, body.name))),
  }),
  personRoute({
    method: 'DELETE',
    path: '/passkeys/:id',
    permission: 'write',
    tag,
    summary: 'Remove a passkey',
    id: 'psk',
    success: 200,
    response: singleOf(z.object({ id: publicId('psk'), removed: z.literal(true) })),
    async handle({ app, id, ...asking }) {
      await removePasskey(app, asking, id);
      return single(JSON.stringify({ id: formatId('psk', id), removed: true }));
    },
  }),
];
