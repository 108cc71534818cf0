import type { App } from '../app.ts';
import type { AuditAction } from '../audit/audit.schema.ts';
import { audit, auditPerson } from '../audit/audit.ts';
import { operator } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { AppError, conflict, invalidField } from '../errors.ts';
import { isAppCode, type Opened } from '../sessions/better-auth.ts';
import { knownDevice } from '../sessions/known-devices.ts';
import { hashRecoveryCode, makeRecoveryCodes } from '../sessions/recovery-codes.ts';
import type { Visitor } from '../sessions/visitor.ts';
import { findAccountsOf, findUserId } from '../users/users.ts';
import { stepOfCode } from './app-codes.ts';
import { type Asking, confirmPerson } from './confirm-person.ts';
import * as store from './second-factor.store.ts';

/** Makes a secret for an authenticator app. Signing in requires no code until one has been right. */
export async function setUpApp(
  app: App,
  asking: Asking,
  password: string | undefined,
): Promise<{ uri: string; secret: string }> {
  await confirmPerson(app, asking, password);
  const before = await store.findTwoFactor(app.db, asking.signedIn.userId);
  if (before?.enabled)
    throw conflict(
      'two_factor_state',
      'Two-factor sign-in is already on; to use another app, turn it off first.',
    );
  const uri = await app.auth.factors.makeAppSecret(password, asking.visitor);
  if (uri === null)
    throw conflict('two_factor_state', 'Two-factor sign-in was changed elsewhere; reload this page.');
  return { uri, secret: new URL(uri).searchParams.get('secret') ?? '' };
}

/** Turns it on, because the app shows the right code. Returns the recovery codes, which are shown only now. */
export async function enableTwoFactor(
  app: App,
  { signedIn, visitor, now }: Asking,
  code: string,
): Promise<string[]> {
  const { userId } = signedIn;
  const found = await store.findTwoFactor(app.db, userId);
  if (!found || found.secret === null || found.verified)
    throw conflict('two_factor_state', 'Set up an authenticator app first.');
  const { secret } = found;
  const succeeded = await app.auth.attempts.begin(signedIn.email, visitor.ip, now, async () => true);
  const step = await stepOfCode(app.secrets, secret, code, new Date());
  if (step === null) throw wrongCode();
  succeeded();
  const codes = makeRecoveryCodes();
  await app.db.transaction(async (tx) => {
    const enabled = await store.enable(tx, userId, { secret, step, codes: codes.map(hashRecoveryCode) });
    if (!enabled)
      throw conflict('two_factor_state', 'Two-factor sign-in was changed elsewhere; reload this page.');
    await auditPerson(tx, signedIn, visitor.address, 'person.two_factor_enabled');
  });
  return codes;
}

/** Changes that nobody at an unattended browser must be able to make require the password and a code. */
interface Proof {
  password?: string | undefined;
  code: string;
}

export async function disableTwoFactor(app: App, asking: Asking, proof: Proof): Promise<void> {
  const { signedIn, visitor } = asking;
  await prove(app, asking, proof);
  await app.db.transaction(async (tx) => {
    await store.disable(tx, signedIn.userId);
    await auditPerson(tx, signedIn, visitor.address, 'person.two_factor_disabled');
  });
}

/** Makes new codes. The previous ones stop working. */
export async function renewRecoveryCodes(app: App, asking: Asking, proof: Proof): Promise<string[]> {
  const { signedIn, visitor } = asking;
  await prove(app, asking, proof);
  const codes = makeRecoveryCodes();
  await app.db.transaction(async (tx) => {
    if (!(await store.replaceCodes(tx, signedIn.userId, codes.map(hashRecoveryCode)))) throw isOff();
    await auditPerson(tx, signedIn, visitor.address, 'person.recovery_codes_renewed');
  });
  return codes;
}

async function prove(app: App, asking: Asking, { password, code }: Proof): Promise<void> {
  const { userId } = asking.signedIn;
  const { db } = app;
  await confirmPerson(app, asking, password);
  const found = await store.findTwoFactor(db, userId);
  if (!found?.enabled) throw isOff();
  // By the clock of the process, which the codes follow too.
  const now = new Date();
  if (!(await store.takeTry(db, userId, now))) throw await locked(db, userId, now);
  const right = isAppCode(code)
    ? found.secret !== null && (await isUnusedAppCode(app, userId, found.secret, code, now))
    : await store.spendRecoveryCode(db, userId, hashRecoveryCode(code));
  if (!right) throw wrongCode();
  await store.forgetWrongCodes(db, userId);
}

async function isUnusedAppCode(
  { db, secrets }: App,
  userId: string,
  secret: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const step = await stepOfCode(secrets, secret, code, now);
  return step !== null && (await store.spendStep(db, userId, step));
}

/** The second step of signing in, after the password. */
export async function signInWithCode(
  app: App,
  given: { code: string; trustDevice: boolean },
  visitor: Visitor,
): Promise<Opened> {
  const { sessions } = app.auth;
  const person = await sessions.findChallenged(visitor, new Date());
  if (person === null) throw over();
  const note = async (action: AuditAction) => {
    const accountIds = await findAccountsOf(app.db, person.email);
    const memberships = accountIds.map((accountId) => ({ accountId }));
    await auditPerson(app.db, { ...person, memberships }, visitor.address, action);
  };
  const taken = await takeTry(app, person, visitor);
  if (await wasUsed(app, person.userId, given.code)) {
    await note('person.code_refused');
    throw wrongCode();
  }
  const opened = await sessions.signInWithCode(person, given, visitor);
  if (opened === 'over') {
    await taken.giveBack();
    throw over();
  }
  if (opened === 'wrong') {
    await note('person.code_refused');
    throw wrongCode();
  }
  await taken.wasRight();
  if (!isAppCode(given.code)) await note('person.recovery_code_used');
  return opened;
}

interface Try {
  /** Call this if the code was not compared. */
  giveBack(): Promise<void>;
  wasRight(): Promise<void>;
}

/**
 * Call this before a code is compared. Throws a 429 after too many tries. On a device that is known to be the person's,
 * tries are counted apart: otherwise a stranger with their password could keep them out for ever with wrong codes.
 */
async function takeTry(
  app: App,
  { userId, email }: { userId: string; email: string },
  visitor: Visitor,
): Promise<Try> {
  const { db } = app;
  const device = await knownDevice(app, visitor, email, app.now());
  if (device !== null) {
    const name = `code ${device}`;
    const giveBack = await app.auth.attempts.begin(email, visitor.ip, app.now(), async () => true, name);
    // Tries by strangers elsewhere stay counted.
    return { giveBack: async () => giveBack(), wasRight: async () => giveBack() };
  }
  const now = new Date();
  if (!(await store.takeTry(db, userId, now))) throw await locked(db, userId, now);
  return {
    giveBack: () => store.giveTryBack(db, userId),
    wasRight: () => store.forgetWrongCodes(db, userId),
  };
}

/**
 * Whether a right code of the app was used before. If not, it counts as used from now on, so that somebody who looked
 * over a shoulder comes too late.
 */
async function wasUsed(app: App, userId: string, code: string): Promise<boolean> {
  if (!isAppCode(code)) return false;
  const found = await store.findTwoFactor(app.db, userId);
  if (!found?.verified || found.secret === null) return false;
  const step = await stepOfCode(app.secrets, found.secret, code, new Date());
  return step !== null && !(await store.spendStep(app.db, userId, step));
}

/**
 * For the command line, when a person has lost their phone, their recovery codes and their passkeys. Whoever finds
 * these cannot use them any longer. Returns false if there is no such person.
 */
export function resetSecondFactor(db: Db, email: string): Promise<boolean> {
  const subject = email.toLowerCase();
  return db.transaction(async (tx) => {
    const userId = await findUserId(tx, subject);
    if (userId === null) return false;
    const note = async (action: AuditAction) => {
      for (const accountId of await findAccountsOf(tx, subject))
        await audit(tx, { accountId, actor: operator }, action, { subject });
    };
    if (await store.disable(tx, userId)) await note('person.two_factor_disabled');
    if ((await store.deletePasskeys(tx, userId)) > 0) await note('person.passkey_removed');
    return true;
  });
}

const wrongCode = () => invalidField('code', 'Is wrong, or was used before.');
const over = () => new AppError('sign_in_expired', 'This sign-in has ended; start again with your password.');
const isOff = () => conflict('two_factor_state', 'Two-factor sign-in is off.');
const locked = async (db: Db, userId: string, now: Date) => {
  const until = (await store.findTwoFactor(db, userId))?.lockedUntil ?? now;
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new AppError('rate_limited', 'Too many wrong codes: wait an hour, or sign in with a passkey.', {
    'retry-after': String(seconds),
  });
};
