import { text } from 'node:stream/consumers';
import { whyGuessable } from '../users/guessable-passwords.ts';
import { emailAddress, newPassword } from '../users/users.schema.ts';
import { generatePassword } from '../users/users.ts';

/** A password for this person from standard input, or a new one. */
export async function choosePassword(fromStdin: boolean | undefined, email: string): Promise<string> {
  if (!fromStdin) return generatePassword();
  const [password = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
  const { error } = newPassword.safeParse(password);
  const reason = error?.issues[0]?.message ?? (await whyGuessable(password, { email }));
  if (reason !== null) throw new Error(`The password on standard input ${asClause(reason)}`);
  return password;
}

const asClause = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** Applies the rule of the sign-in page: a person whose address that page refuses could never sign in. */
export function checkEmail(email: string): string {
  const { data } = emailAddress.safeParse(email);
  if (data !== undefined) return data;
  throw new Error(`--email must be an e-mail address; it is ${JSON.stringify(email)}.`);
}
