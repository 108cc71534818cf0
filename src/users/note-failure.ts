import type { App } from '../app.ts';
import { noteFailedSignIn } from '../audit/failed-sign-ins.ts';
import { findAccountsOf } from './users.ts';

/**
 * Notes the failure in the accounts of the person with this address. The answer does not wait for it, because the time
 * it takes would reveal whether there is such a person.
 */
export function noteFailure(app: App, email: string, address: string, now: Date): void {
  const noting = async () => {
    for (const accountId of await findAccountsOf(app.db, email))
      await noteFailedSignIn(app.db, accountId, { email, address, now });
  };
  noting().catch((error) => app.log.warn({ err: error }, 'a failed sign-in could not be noted'));
}
