import type { App } from '../app.ts';
import { days } from '../clock.ts';
import { formatId } from '../ids.ts';
import { version } from '../system/version.ts';
import { mayOpenAccount, strangersMaySignUp } from '../users/users.ts';
import type { Session } from './sessions.schema.ts';
import type { SignedIn, Visitor } from './visitor.ts';

/** JSON of who the visitor is, according to the database. */
export async function describeSession(app: App, visitor: Visitor): Promise<string> {
  return sessionJson(app, (await app.auth.sessions.findAgain(visitor)).signedIn);
}

export async function sessionJson(
  app: App,
  signedIn: SignedIn | null,
  { codeWanted = false }: { codeWanted?: boolean } = {},
): Promise<string> {
  const { config } = app;
  const active = signedIn?.active ?? null;
  const session: Session = {
    signed_in: signedIn !== null,
    code_wanted: codeWanted,
    can_sign_up: await strangersMaySignUp(app.db, config.SIGN_UP),
    sso: config.OIDC_ISSUER === '' ? null : { name: config.OIDC_NAME, only: config.OIDC_ONLY },
    user: signedIn && { id: formatId('usr', signedIn.userId), name: signedIn.name, email: signedIn.email },
    account: active && {
      id: formatId('acct', active.accountId),
      name: active.name,
      currency: active.currency,
      time_zone: active.timeZone,
      test_mode_emptied_at:
        active.testUsedAt &&
        new Date(Date.parse(active.testUsedAt) + days(config.TEST_UNUSED_DAYS)).toISOString(),
    },
    role: active?.role ?? null,
    permission: active && (active.role === 'viewer' ? 'read' : 'write'),
    can_create_accounts: signedIn !== null && (await mayOpenAccount(app.db, config.SIGN_UP, signedIn)),
    accounts: (signedIn?.memberships ?? []).map(({ accountId, name, role }) => ({
      id: formatId('acct', accountId),
      name,
      role,
    })),
    // Strangers need not know which release to search for holes.
    version: signedIn && version,
  };
  return JSON.stringify(session);
}
