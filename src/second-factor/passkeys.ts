import type { App } from '../app.ts';
import { auditPerson } from '../audit/audit.ts';
import { AppError, badRequest, conflict, notFound } from '../errors.ts';
import { formatId } from '../ids.ts';
import type { Ceremony, NewCredential, Opened, SignedCredential } from '../sessions/better-auth.ts';
import type { Visitor } from '../sessions/visitor.ts';
import { type Asking, confirmPerson } from './confirm-person.ts';
import type { Security } from './second-factor.schema.ts';
import * as store from './second-factor.store.ts';

/** More devices than anybody has. */
const mostPasskeys = 20;

export const showPasskey = ({ id, ...shown }: store.PasskeyRow): Security['passkeys'][number] => ({
  id: formatId('psk', id),
  ...shown,
});

/** What the device has to sign to become a passkey. A passkey opens everything, so this requires the password. */
export async function beginPasskey(
  app: App,
  asking: Asking,
  password: string | undefined,
): Promise<Ceremony> {
  await confirmPerson(app, asking, password);
  await refuseTooMany(app, asking);
  return app.auth.factors.beginPasskey(asking.visitor);
}

/**
 * Adds a passkey once the device has signed. Only people who gave their password a moment ago have a challenge to sign.
 */
export async function addPasskey(
  app: App,
  asking: Asking,
  { name, credential }: { name: string; credential: NewCredential },
): Promise<Security['passkeys'][number]> {
  const { signedIn, visitor } = asking;
  await refuseTooMany(app, asking);
  const id = await app.auth.factors.addPasskey(name, credential, visitor);
  const added = (await store.listPasskeys(app.db, signedIn.userId)).find((each) => each.id === id);
  if (!added) throw badRequest('invalid_passkey', 'This passkey could not be checked; try again.');
  await auditPerson(app.db, signedIn, visitor.address, 'person.passkey_added', [
    { field: 'name', from: null, to: name },
  ]);
  return showPasskey(added);
}

async function refuseTooMany({ db }: App, { signedIn }: Asking): Promise<void> {
  if ((await store.listPasskeys(db, signedIn.userId)).length >= mostPasskeys)
    throw conflict(
      'limit_reached',
      `You can have at most ${mostPasskeys} passkeys; remove one that you no longer use.`,
    );
}

export function renamePasskey(
  { db }: App,
  { signedIn, visitor }: Asking,
  id: string,
  name: string,
): Promise<Security['passkeys'][number]> {
  return db.transaction(async (tx) => {
    const renamed = await store.renamePasskey(tx, signedIn.userId, id, name);
    if (renamed === null) throw notFound();
    const changes = [{ field: 'name', from: renamed.before, to: name }];
    await auditPerson(tx, signedIn, visitor.address, 'person.passkey_renamed', changes);
    return showPasskey(renamed.row);
  });
}

export function removePasskey({ db }: App, { signedIn, visitor }: Asking, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const name = await store.deletePasskey(tx, signedIn.userId, id);
    if (name === null) throw notFound();
    const changes = [{ field: 'name', from: name, to: null }];
    await auditPerson(tx, signedIn, visitor.address, 'person.passkey_removed', changes);
  });
}

/**
 * Signs a person in whose device has asked for a finger, a face or a PIN. A passkey is both factors, so no code is
 * asked for.
 */
export async function signInWithPasskey(
  app: App,
  credential: SignedCredential,
  visitor: Visitor,
  now: Date,
): Promise<Opened> {
  const opened = await app.auth.sessions.signInWithPasskey(credential, visitor);
  if (opened === null)
    throw new AppError('wrong_credentials', 'This passkey is not known here, or took too long; try again.');
  await store.notePasskeyUse(app.db, credential.id, now);
  return opened;
}
