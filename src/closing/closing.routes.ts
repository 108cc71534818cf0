import { route, single } from '../http/routes/route.ts';
import { confirmPerson } from '../second-factor/confirm-person.ts';
import { describeSession } from '../sessions/session-view.ts';
import { Session } from '../sessions/sessions.schema.ts';
import { singleOf } from '../shapes.ts';
import { AccountClose } from './closing.schema.ts';
import { closeAccount, confirmName } from './closing.ts';

/** For the dashboard only: programs hold keys, and no program may close an account. */
export const closingRoutes = [
  route({
    method: 'POST',
    path: '/account/close',
    mode: 'live',
    permission: 'write',
    access: 'owner',
    // Nobody could send a repeat afterwards.
    replayable: false,
    tag: 'Account',
    summary: 'Close the account',
    body: AccountClose,
    success: 200,
    response: singleOf(Session),
    conflicts: 'The account is already closed.',
    async handle({ app, db, caller, body, visitor, now }) {
      const { signedIn } = await app.auth.sessions.find(visitor);
      if (signedIn === null) throw new Error('An owner is not signed in.');
      await confirmName(db, caller.accountId, body.name);
      await confirmPerson(app, { signedIn, visitor, now }, body.password);
      await closeAccount(db, caller, now);
      app.keys.lookAgain(caller.accountId);
      app.auth.sessions.forgetEverybody();
      app.log.info({ account: caller.accountId, by: caller.userId }, 'an account was closed');
      return single(await describeSession(app, visitor));
    },
  }),
];
