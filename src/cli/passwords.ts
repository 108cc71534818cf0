import { text } from 'node:stream/consumers';
import { generatePassword, leastPasswordLength } from '../users/users.ts';

/** A password from standard input, or a new one. */
export async function choosePassword(fromStdin: boolean | undefined): Promise<string> {
  if (!fromStdin) return generatePassword();
  const [password = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
  if (password.length < leastPasswordLength) {
    throw new Error(`The password on standard input must have at least ${leastPasswordLength} characters.`);
  }
  return password;
}

export function checkEmail(email: string): void {
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new Error(`--email must be an e-mail address; it is ${JSON.stringify(email)}.`);
}
