import type { App } from '../app.ts';
import { noteFailedSignIn } from '../audit/failed-sign-ins.ts';
import { findAccountsOf } from './users.ts';

/**
 * Tells the accounts of whoever has this address. Nobody waits for it: the time of the answer would tell whether there
 * is such a person.
 */
export function noteFailure(app: App, email: string, address: string, now: Date): void {
  const noting = async () => {
    for (const accountId of await findAccountsOf(app.db, email))
      await noteFailedSignIn(app.db, accountId, { email, address, now });
  };
  noting().catch((error) => app.log.warn({ err: error }, 'a failed sign-in could not be noted'));
}
