import type { App } from '../app.ts';
import type { AuditAction } from '../audit/audit.schema.ts';
import { auditPerson } from '../audit/audit.ts';
import { AppError, invalidField } from '../errors.ts';
import { personRoute, single, visitorRoute } from '../http/routes/route.ts';
import { signInWithPasskey } from '../second-factor/passkeys.ts';
import { PasskeyOptions, PasskeySignIn, SignInCode } from '../second-factor/second-factor.schema.ts';
import { signInWithCode } from '../second-factor/two-factor.ts';
import type { CodeWanted, Opened } from '../sessions/better-auth.ts';
import { knownDevice } from '../sessions/known-devices.ts';
import { describeSession, sessionJson } from '../sessions/session-view.ts';
import { Session } from '../sessions/sessions.schema.ts';
import { withCookies } from '../sessions/sessions.ts';
import type { Visitor } from '../sessions/visitor.ts';
import { singleOf } from '../shapes.ts';
import { refuseGuessable } from '../users/guessable-passwords.ts';
import { noteFailure } from '../users/note-failure.ts';
import { MePatch, PasswordChange, SignIn, SignUp } from './auth.schema.ts';
import { letIn } from './let-in.ts';
import { refuseOtherWaysIn } from './openid.ts';
import { signUp } from './sign-up.ts';

const tag = 'Session';
const response = singleOf(Session);

/** An outage is not the person's failure, so it does not count towards the limit. */
function orGiveBack<Result>(work: Promise<Result>, giveBack: () => void): Promise<Result> {
  return work.catch((error) => {
    giveBack();
    throw error;
  });
}

/** Notes what a person did in each of their accounts. */
async function noteInAccounts(app: App, visitor: Visitor, action: AuditAction): Promise<void> {
  const { signedIn } = await app.auth.sessions.find(visitor);
  if (signedIn !== null) await auditPerson(app.db, signedIn, visitor.address, action);
}

/** Answers somebody who has just signed in, or who gave the right password and is now asked for a code. */
async function welcome(app: App, visitor: Visitor, { userId, cookies }: Opened | CodeWanted, now: Date) {
  if (userId === null) return { ...single(await sessionJson(app, null, { codeWanted: true })), cookies };
  const entered = await letIn(app, visitor, cookies, now);
  return { ...single(entered.json), cookies: entered.cookies };
}

/** Does not say which of the two is wrong. */
const wrong = () => new AppError('wrong_credentials', 'The e-mail address or the password is wrong.');

export const authRoutes = [
  visitorRoute({
    method: 'GET',
    path: '/session',
    permission: 'read',
    tag,
    summary: 'Who is signed in',
    success: 200,
    response,
    handle: async ({ app, signedIn }) => single(await sessionJson(app, signedIn)),
  }),
  visitorRoute({
    method: 'POST',
    path: '/sign-up',
    permission: 'write',
    tag,
    summary: 'Sign up',
    body: SignUp,
    success: 201,
    response,
    async handle({ app, body, visitor, now }) {
      refuseOtherWaysIn(app.config);
      app.auth.signUps.begin(visitor.ip, now);
      await refuseGuessable(body.password, body, 'password');
      const { attempts, sessions } = app.auth;
      const isKnownHere = () => sessions.isKnownAt(body.email, visitor.ip);
      const succeeded = await attempts.begin(body.email, visitor.ip, now, isKnownHere);
      await signUp(app, body, visitor.address, now).catch((error: unknown) => {
        // We cannot hide that an address is taken, so asking costs as much as a wrong password.
        if (!(error instanceof AppError && error.status === 400)) succeeded();
        throw error;
      });
      succeeded();
      const opened = await app.auth.sessions.signIn(body.email, body.password, visitor);
      if (opened === null) throw new Error('A person who has just signed up could not sign in.');
      return welcome(app, visitor, opened, now);
    },
  }),
  visitorRoute({
    method: 'POST',
    path: '/sign-in',
    permission: 'write',
    tag,
    summary: 'Sign in',
    body: SignIn,
    success: 200,
    response,
    async handle({ app, body, visitor, now }) {
      refuseOtherWaysIn(app.config);
      const { email, password } = body;
      const { attempts, sessions } = app.auth;
      const isKnownHere = () => sessions.isKnownAt(email, visitor.ip);
      const device = await knownDevice(app, visitor, email, now);
      const succeeded = await attempts.begin(email, visitor.ip, now, isKnownHere, device);
      const opened = await orGiveBack(sessions.signIn(email, password, visitor), succeeded);
      if (opened === null) {
        noteFailure(app, email, visitor.address, now);
        throw wrong();
      }
      succeeded();
      return welcome(app, visitor, opened, now);
    },
  }),
  visitorRoute({
    method: 'POST',
    path: '/sign-in/code',
    permission: 'write',
    tag,
    summary: 'Sign in: the second step, with a code of the authenticator app or a recovery code',
    body: SignInCode,
    success: 200,
    response,
    async handle({ app, body, visitor, now }) {
      refuseOtherWaysIn(app.config);
      const given = { code: body.code, trustDevice: body.trust_device };
      return welcome(app, visitor, await signInWithCode(app, given, visitor), now);
    },
  }),
  visitorRoute({
    method: 'POST',
    path: '/sign-in/passkey/options',
    permission: 'write',
    tag,
    summary: 'Start signing in with a passkey',
    success: 200,
    response: singleOf(PasskeyOptions),
    async handle({ app, visitor, now }) {
      refuseOtherWaysIn(app.config);
      app.auth.passkeySignIns.begin(visitor.ip, now);
      const { options, cookies } = await app.auth.factors.beginPasskeySignIn(visitor);
      return { ...single(JSON.stringify(options)), cookies };
    },
  }),
  visitorRoute({
    method: 'POST',
    path: '/sign-in/passkey',
    permission: 'write',
    tag,
    summary: 'Finish signing in with a passkey',
    body: PasskeySignIn,
    success: 200,
    response,
    async handle({ app, body, visitor, now }) {
      refuseOtherWaysIn(app.config);
      return welcome(app, visitor, await signInWithPasskey(app, body.credential, visitor, now), now);
    },
  }),
  visitorRoute({
    method: 'POST',
    path: '/sign-out',
    permission: 'write',
    tag,
    summary: 'Sign out',
    success: 200,
    response,
    async handle({ app, visitor }) {
      await noteInAccounts(app, visitor, 'person.signed_out');
      const cookies = await app.auth.sessions.signOut(visitor);
      return { ...single(await sessionJson(app, null)), cookies };
    },
  }),
  personRoute({
    method: 'POST',
    path: '/password',
    permission: 'write',
    tag,
    summary: 'Change the password',
    description: 'Signs the person out everywhere else.',
    body: PasswordChange,
    success: 200,
    response,
    async handle({ app, body, signedIn, visitor, now }) {
      refuseOtherWaysIn(app.config);
      await refuseGuessable(body.new_password, signedIn, 'new_password');
      const succeeded = await app.auth.attempts.begin(signedIn.email, visitor.ip, now, async () => true);
      const passwords = { current: body.current_password, next: body.new_password };
      const { sessions } = app.auth;
      const cookies = await orGiveBack(sessions.changePassword(passwords, signedIn, visitor, now), succeeded);
      if (cookies === null) {
        noteFailure(app, signedIn.email, visitor.address, now);
        throw invalidField('current_password', 'Is not your password.');
      }
      succeeded();
      await noteInAccounts(app, withCookies(visitor, cookies), 'person.password_changed');
      return { ...single(await describeSession(app, withCookies(visitor, cookies))), cookies };
    },
  }),
  personRoute({
    method: 'PATCH',
    path: '/me',
    permission: 'write',
    tag,
    summary: 'Change your own name',
    body: MePatch,
    success: 200,
    response,
    async handle({ app, body, visitor }) {
      await app.auth.sessions.rename(body.name, visitor);
      return single(await describeSession(app, visitor));
    },
  }),
];
