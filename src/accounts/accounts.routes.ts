import { keyInUse } from '../api-keys/key-in-use.ts';
import type { Caller } from '../caller.ts';
import { AppError, invalidField } from '../errors.ts';
import { personRoute, type Reply, route, single } from '../http/routes/route.ts';
import { describeSession } from '../sessions/session-view.ts';
import { Session } from '../sessions/sessions.schema.ts';
import { singleOf } from '../shapes.ts';
import { mayOpenAccount } from '../users/users.ts';
import { Account, AccountCreate, AccountPatch, AccountSwitch } from './accounts.schema.ts';
import { changeAccount, getAccount, openAccount, refuseMoreAccounts } from './accounts.ts';

const tag = 'Account';

export const accountRoutes = [
  route({
    method: 'GET',
    path: '/account',
    permission: 'read',
    tag,
    summary: 'Get the account',
    description: 'Its settings, and what your key may do.',
    success: 200,
    response: singleOf(Account),
    handle: async ({ db, caller }) => shown(await getAccount(db, caller.accountId), caller),
  }),
  route({
    method: 'PATCH',
    path: '/account',
    permission: 'write',
    access: 'owner',
    tag,
    summary: 'Change the settings of the account',
    body: AccountPatch,
    success: 200,
    response: singleOf(Account),
    async handle({ app, db, caller, body, visitor, now }) {
      const json = await changeAccount(db, caller, body, now);
      app.auth.sessions.forget(visitor);
      app.keys.lookAgain(caller.accountId);
      return shown(json, caller);
    },
  }),
];

/** The account, with the key that asks for it. */
function shown(json: string, caller: Caller): Reply {
  const key = caller.actor.type === 'key' ? keyInUse(caller) : null;
  return single(`${json.slice(0, -1)},"key":${JSON.stringify(key)}}`);
}

/** Only for the dashboard: which account a person is looking at. */
export const accountChoiceRoutes = [
  personRoute({
    method: 'POST',
    path: '/account/switch',
    permission: 'write',
    tag,
    summary: 'Switch to another account',
    body: AccountSwitch,
    success: 200,
    response: singleOf(Session),
    async handle({ app, db, body, signedIn, visitor }) {
      if (!signedIn.memberships.some(({ accountId }) => accountId === body.account_id)) {
        throw invalidField('account_id', 'You do not belong to an account with this id.');
      }
      await app.auth.sessions.activate(db, signedIn, body.account_id, visitor);
      return single(await describeSession(app, visitor));
    },
  }),
  personRoute({
    method: 'POST',
    path: '/accounts',
    permission: 'write',
    tag,
    summary: 'Open another account',
    body: AccountCreate,
    success: 201,
    response: singleOf(Session),
    async handle({ app, db, body, signedIn, visitor }) {
      if (!(await mayOpenAccount(db, app.config.SIGN_UP, signedIn)))
        throw new AppError('accounts_closed', 'Further accounts cannot be opened here.');
      await db.transaction(async (tx) => {
        const { time_zone: timeZone, ...account } = body;
        await refuseMoreAccounts(tx, signedIn.userId, app.config.ACCOUNTS_PER_PERSON);
        const accountId = await openAccount(tx, { ...account, timeZone }, signedIn.userId);
        await app.auth.sessions.activate(tx, signedIn, accountId, visitor);
      });
      return single(await describeSession(app, visitor));
    },
  }),
];
