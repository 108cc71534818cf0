import { createAccount, findAccount, listAccounts } from '../accounts/accounts.ts';
import { operator } from '../caller.ts';
import { closeAccount, reopenAccount } from '../closing/closing.ts';
import { loadConfig } from '../config.ts';
import { timeZone } from '../fields.ts';
import { formatId } from '../ids.ts';
import { isCurrency } from '../money.ts';
import { hashPassword } from '../users/passwords.ts';
import { checkName, print, withDatabase } from './command.ts';
import { checkEmail, choosePassword } from './passwords.ts';
import { visible } from './visible.ts';

interface Options {
  email: string;
  name: string;
  currency: string;
  timeZone: string;
  passwordStdin?: boolean;
  json?: boolean;
}

export async function accountsCreate(options: Options): Promise<void> {
  const { name, currency, passwordStdin, json } = options;
  const email = checkEmail(options.email);
  checkName(name);
  if (!isCurrency(currency))
    throw new Error(`--currency must be an ISO 4217 code such as USD; it is ${JSON.stringify(currency)}.`);
  const zone = knownTimeZone(options.timeZone);
  const config = loadConfig();
  const password = config.OIDC_ONLY ? null : await choosePassword(passwordStdin, email);
  const hash = password && (await hashPassword(password));
  const { accountId, userId } = await withDatabase(
    (db) => createAccount(db, { name: name.trim(), email, hash, currency, timeZone: zone }),
    { config },
  );
  const isShown = password !== null && !passwordStdin;
  const result = {
    account_id: formatId('acct', accountId),
    user_id: formatId('usr', userId),
    email,
    ...(isShown ? { password } : {}),
  };
  print(json, result, [
    `Account   ${name.trim()} (${result.account_id})`,
    `Sign in   ${result.email}${config.OIDC_ONLY ? `, with ${config.OIDC_NAME}` : ''}`,
    ...(isShown ? [`Password  ${password}   (shown here only)`] : []),
  ]);
}

function knownTimeZone(name: string): string {
  const { data, success } = timeZone.safeParse(name);
  if (success) return data;
  throw new Error(`--time-zone must be an IANA name such as Europe/Berlin; it is ${JSON.stringify(name)}.`);
}

export async function accountsList({ json }: { json?: boolean }): Promise<void> {
  const data = (await withDatabase(listAccounts)).map((account) => ({
    ...account,
    id: formatId('acct', account.id),
  }));
  const lines = data.map(({ id, name, owners, closed_at }) =>
    [id, owners.join(', '), name, ...(closed_at ? [`closed ${closed_at}`] : [])].map(visible).join('  '),
  );
  print(json, { data, count: data.length }, lines.length > 0 ? lines : ['There are no accounts yet.']);
}

interface OfAccount {
  account: string;
  json?: boolean;
}

export async function accountsClose({ account: named, json }: OfAccount): Promise<void> {
  await withDatabase(async (db, { ACCOUNT_KEPT_DAYS: keptDays }) => {
    const { id, name } = await findAccount(db, named);
    await closeAccount(db, { accountId: id, actor: operator }, new Date());
    const account_id = formatId('acct', id);
    print(json, { account_id, closed: true, kept_days: keptDays }, [
      `${name} (${account_id}) is closed. Its data is erased in ${keptDays} days.`,
      `To open it again until then: tenure accounts reopen --account ${account_id}`,
    ]);
  });
}

export async function accountsReopen({ account: named, json }: OfAccount): Promise<void> {
  await withDatabase(async (db) => {
    const { id, name } = await findAccount(db, named, 'closed');
    await reopenAccount(db, { accountId: id, actor: operator });
    const account_id = formatId('acct', id);
    print(json, { account_id, closed: false }, [
      `${name} (${account_id}) is open again. Its webhooks stay disabled until somebody enables them.`,
    ]);
  });
}
