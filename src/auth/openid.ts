import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { Admitted, Intent, Vouched } from '../sessions/openid.ts';
import { openInvitation } from '../team/team.ts';
import { emailAddress, userName } from '../users/users.schema.ts';
import { findLinked, isKnown, linkPerson } from '../users/users.ts';
import { signUpLinked } from './sign-up.ts';

/**
 * Finds the person whom the issuer vouches for. People are known by the issuer's id for them (`sub`), even if their
 * address changes there. The first time, they are recognised by their address, provided that the issuer calls it
 * verified. Otherwise they are new, and the rules of signing up with a password apply.
 */
export async function admit(
  app: App,
  vouched: Vouched,
  intent: Intent,
  address: string,
  now: Date,
): Promise<Admitted> {
  const { db, config } = app;
  const link = { issuer: vouched.issuer, subject: vouched.subject };
  // A person who is already known accepts the invitation on its page, or does not.
  const next = intent.invitation === null ? intent.next : `/invite/${encodeURIComponent(intent.invitation)}`;
  const linked = await findLinked(db, link);
  if (linked) return { email: linked.email, next };

  const email = addressOf(vouched, config);
  if (vouched.emailVerified) {
    const person = await linkPerson(db, email, link, address);
    if (person === false) throw taken(email, config);
    if (person) return { email, next };
  } else if (intent.invitation === null || (await isKnown(db, email))) {
    // Nobody may take an address before its owner does, even with an invitation that was sent to it. The answer is the
    // same whether or not somebody has this address, so that strangers cannot find out.
    throw unverified(email, config);
  }
  const newcomer = { name: nameOf(vouched, email), email, time_zone: intent.timeZone };
  if (intent.invitation === null) {
    await signUpLinked(app, newcomer, link, address, now);
    return { email, next };
  }
  await checkInvitation(app, intent.invitation, email, now);
  await signUpLinked(app, { ...newcomer, invitation: intent.invitation }, link, address, now);
  return { email, next: '/' };
}

/** The answer is a sentence, because there is no form here whose fields could be marked. */
async function checkInvitation({ db, config, secrets }: App, token: string, email: string, now: Date) {
  const { email: invited } = await openInvitation(db, secrets, token, now).catch((error: unknown) => {
    throw error instanceof AppError ? new AppError('wrong_invitation', error.publicMessage) : error;
  });
  if (invited !== email)
    throw new AppError(
      'wrong_invitation',
      `This invitation is for ${invited}, but ${config.OIDC_NAME} says you are ${email}.`,
    );
}

/** Refuses every other way to sign in if only the issuer is allowed. */
export function refuseOtherWaysIn({ OIDC_ONLY, OIDC_NAME }: Config): void {
  if (OIDC_ONLY) throw new AppError('openid_required', `People can only sign in with ${OIDC_NAME} here.`);
}

/** What a person can do about a failed sign-in. */
export function explain(failure: string, { OIDC_NAME: name }: Config): AppError {
  if (failure === 'access_denied')
    return new AppError('openid_refused', `${name} was told not to sign you in.`);
  if (failure.startsWith('state_'))
    return new AppError(
      'openid_refused',
      'This sign-in took too long, or was begun in another browser. Try again.',
    );
  if (failure === 'unable_to_get_user_info' || failure === 'issuer_mismatch')
    return new AppError(
      'openid_refused',
      `The answer of ${name} could not be verified, so nobody was signed in.`,
    );
  return new AppError('openid_refused', `${name} did not sign you in. Try again.`);
}

/** Not a 5xx, which would look like a fault of ours. */
export const noAnswer = ({ OIDC_NAME }: Config) =>
  new AppError('openid_unavailable', `${OIDC_NAME} does not answer at the moment. Try again in a minute.`);

function addressOf({ email }: Vouched, { OIDC_NAME }: Config): string {
  const { data, success } = emailAddress.safeParse(email);
  if (success) return data;
  throw new AppError(
    'openid_refused',
    `${OIDC_NAME} did not say what your e-mail address is, which is needed here.`,
  );
}

const nameOf = ({ name }: Vouched, email: string): string =>
  userName.safeParse(name?.slice(0, 200)).data ?? email.split('@', 1)[0] ?? email;

const unverified = (email: string, { OIDC_NAME }: Config) =>
  new AppError(
    'openid_refused',
    `${OIDC_NAME} does not say that it has verified ${email}, so nobody can be let in by that address.`,
  );

const taken = (email: string, { OIDC_NAME }: Config) =>
  new AppError(
    'openid_refused',
    `Somebody else at ${OIDC_NAME} already signs in as ${email}. Ask whoever runs this service.`,
  );
