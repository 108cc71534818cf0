import type { App } from '../app.ts';
import { minutes } from '../clock.ts';
import { AppError, invalidField } from '../errors.ts';
import type { SignedIn, Visitor } from '../sessions/visitor.ts';
import { noteFailure } from '../users/note-failure.ts';
import { isPassword } from '../users/users.ts';
import { sessionStarted } from './second-factor.store.ts';

/** A person who is signed in, and from where they ask. */
export interface Asking {
  signedIn: SignedIn;
  visitor: Visitor;
  now: Date;
}

const freshMs = minutes(15);

/**
 * Before people change how they sign in, or close an account, they prove once more who they are: an open browser is not
 * enough. People without a password must have signed in just now.
 */
export async function confirmPerson(
  app: App,
  { signedIn, visitor, now }: Asking,
  password: string | undefined,
): Promise<void> {
  const { email } = signedIn;
  const succeeded = await app.auth.attempts.begin(email, visitor.ip, now, async () => true);
  const right = await isPassword(app.db, email, password ?? '').catch((error: unknown) => {
    // An outage is not the person's failure.
    succeeded();
    throw error;
  });
  if (right === false) {
    noteFailure(app, email, visitor.address, now);
    throw invalidField('password', 'Is not your password.');
  }
  succeeded();
  if (right) return;
  const started = await sessionStarted(app.db, signedIn.sessionId);
  if (started === null || now.getTime() - started.getTime() > freshMs)
    throw new AppError('sign_in_again', 'Sign out and in again first, to prove that it is you.');
}
