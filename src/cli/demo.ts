import { createAccount } from '../accounts/accounts.ts';
import { createKey } from '../api-keys/api-keys.ts';
import { operator } from '../caller.ts';
import { fillWithDemo } from '../demo/demo.ts';
import { formatId } from '../ids.ts';
import { analyzeGrown } from '../system/analyze-grown.ts';
import { hashPassword } from '../users/passwords.ts';
import { print, withDatabase } from './command.ts';
import { checkEmail, choosePassword } from './passwords.ts';

export async function demo(options: { email: string; json?: boolean }): Promise<void> {
  const { json } = options;
  const email = checkEmail(options.email);
  const password = await choosePassword(false, email);
  const hash = await hashPassword(password);
  const result = await withDatabase(async (db) => {
    const made = await db.transaction(async (tx) => {
      const { accountId } = await createAccount(tx, { name: 'Riverton Rentals', email, hash });
      const caller = {
        accountId,
        currency: 'USD',
        timeZone: 'UTC',
        permission: 'write',
        source: 'dashboard',
        actor: operator,
      } as const;
      const counts = await fillWithDemo(tx, caller, new Date());
      const { key } = await createKey(tx, {
        accountId,
        by: caller,
        name: 'Demo',
        permission: 'write',
        expiresAt: null,
      });
      return { account_id: formatId('acct', accountId), email, password, key, ...counts };
    });
    await analyzeGrown(db);
    return made;
  });
  print(json, result, [
    `Made ${result.properties} properties with ${result.units} units, ${result.tenants} tenants, ${result.leases} leases, ` +
      `${result.payments} payments and ${result.maintenance_requests} maintenance requests.`,
    `Sign in   ${email}`,
    `Password  ${password}`,
    `API key   ${result.key}`,
  ]);
}
