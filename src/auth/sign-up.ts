import { createAccount } from '../accounts/accounts.ts';
import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { AppError, invalidField } from '../errors.ts';
import { join, type Opened, openInvitation } from '../team/team.ts';
import { hashPassword } from '../users/passwords.ts';
import { addUser, hasUsers, isKnown, lockFirstUser, strangersMaySignUp } from '../users/users.ts';
import type { SignUpInput } from './auth.schema.ts';

/** Creates a person, with an account of their own or as a member of the one they are invited to. */
export async function signUp(app: App, input: SignUpInput, address: string, now: Date): Promise<void> {
  const { db, config, secrets } = app;
  const invitation =
    input.invitation === undefined ? null : await openInvitation(db, secrets, input.invitation, now);
  if (invitation) checkRecipient(invitation, input);
  else if (!(await strangersMaySignUp(db, config.SIGN_UP))) throw closed();
  if (await isKnown(db, input.email)) {
    throw invalidField('email', 'This e-mail address is already in use; sign in instead.');
  }
  const hash = await hashPassword(input.password);
  await db.transaction(async (tx) => {
    if (invitation) {
      const userId = await addUser(tx, { ...input, hash });
      await join(tx, invitation.id, { userId, name: input.name, address }, now);
      return;
    }
    await holdFirstPlace(tx, config.SIGN_UP);
    await createAccount(tx, {
      name: input.account_name ?? `${input.name}'s properties`,
      ownerName: input.name,
      email: input.email,
      hash,
      timeZone: input.time_zone,
    });
  });
}

function checkRecipient(invitation: Opened, { email }: SignUpInput): void {
  if (email === invitation.email) return;
  throw invalidField('email', `This invitation is for ${invitation.email}.`);
}

/** Two people who want to be the first go one after the other, and the second is refused. */
async function holdFirstPlace(tx: Db, mode: Config['SIGN_UP']): Promise<void> {
  if (mode !== 'first') return;
  await lockFirstUser(tx);
  if (await hasUsers(tx)) throw closed();
}

const closed = () =>
  new AppError(403, 'Sign-up is closed here; ask an owner of the account for an invitation.');
