import { createAccount } from '../accounts/accounts.ts';
import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { AppError, invalidField } from '../errors.ts';
import { join, type Opened, openInvitation } from '../team/team.ts';
import { hashPassword } from '../users/passwords.ts';
import {
  addLink,
  addUser,
  hasUsers,
  isKnown,
  type Link,
  lockFirstUser,
  strangersMaySignUp,
} from '../users/users.ts';
import type { SignUpInput } from './auth.schema.ts';

/** What people say about themselves, however they sign in afterwards. */
type Newcomer = Omit<SignUpInput, 'password'>;

/** Creates a person, with an account of their own or as a member of the one they are invited to. */
export async function signUp(app: App, input: SignUpInput, address: string, now: Date): Promise<void> {
  const invitation = await mayEnter(app, input, now);
  const hash = await hashPassword(input.password);
  await app.db.transaction((tx) => enter(tx, app.config, { ...input, hash, invitation, address }, now));
}

/** Like signUp(), for somebody an issuer vouches for. */
export async function signUpLinked(
  app: App,
  input: Newcomer,
  link: Link,
  address: string,
  now: Date,
): Promise<void> {
  const invitation = await mayEnter(app, input, now);
  await app.db.transaction(async (tx) => {
    const userId = await enter(tx, app.config, { ...input, hash: null, invitation, address }, now);
    await addLink(tx, userId, link);
  });
}

/** The invitation, or null for a stranger who may sign up without one. */
async function mayEnter({ db, config, secrets }: App, input: Newcomer, now: Date): Promise<Opened | null> {
  const invitation =
    input.invitation === undefined ? null : await openInvitation(db, secrets, input.invitation, now);
  if (invitation) checkRecipient(invitation, input);
  else if (!(await strangersMaySignUp(db, config.SIGN_UP))) throw closed();
  if (await isKnown(db, input.email)) {
    throw invalidField('email', 'This e-mail address is already in use; sign in instead.');
  }
  return invitation;
}

interface Entrant extends Omit<Newcomer, 'invitation'> {
  hash: string | null;
  invitation: Opened | null;
  address: string;
}

async function enter(tx: Db, config: Config, entrant: Entrant, now: Date): Promise<string> {
  const { name, email, hash, invitation, address } = entrant;
  if (invitation) {
    const userId = await addUser(tx, { name, email, hash });
    await join(tx, invitation.id, { userId, name, address }, now);
    return userId;
  }
  await refuseAllButFirst(tx, config.SIGN_UP);
  const { userId } = await createAccount(tx, {
    name: entrant.account_name ?? `${name}'s properties`,
    ownerName: name,
    email,
    hash,
    timeZone: entrant.time_zone,
  });
  return userId;
}

function checkRecipient(invitation: Opened, { email }: Newcomer): void {
  if (email === invitation.email) return;
  throw invalidField('email', `This invitation is for ${invitation.email}.`);
}

/** If two people want to be the first at once, one waits for the other and is then refused. */
async function refuseAllButFirst(tx: Db, mode: Config['SIGN_UP']): Promise<void> {
  if (mode !== 'first') return;
  await lockFirstUser(tx);
  if (await hasUsers(tx)) throw closed();
}

const closed = () =>
  new AppError('sign_up_closed', 'Sign-up is closed here; ask an owner of the account for an invitation.');
