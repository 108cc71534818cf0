import { resetSecondFactor } from '../second-factor/two-factor.ts';
import { resetPassword } from '../users/users.ts';
import { print, withDatabase } from './command.ts';
import { checkEmail, choosePassword } from './passwords.ts';

export async function usersResetPassword(options: {
  email: string;
  passwordStdin?: boolean;
  json?: boolean;
}): Promise<void> {
  const { passwordStdin, json } = options;
  const email = checkEmail(options.email);
  const password = await choosePassword(passwordStdin, email);
  const found = await withDatabase((db) => resetPassword(db, email, password, new Date()));
  if (!found) throw new Error(`There is no person with the e-mail address ${email}.`);
  print(json, { email, ...(passwordStdin ? {} : { password }) }, [
    `${email} has a new password and is signed out everywhere.`,
    ...(passwordStdin ? [] : [`Password  ${password}   (shown here only)`]),
  ]);
}

export async function usersResetSecondFactor(options: { email: string; json?: boolean }): Promise<void> {
  const email = checkEmail(options.email);
  const found = await withDatabase((db) => resetSecondFactor(db, email));
  if (!found) throw new Error(`There is no person with the e-mail address ${email}.`);
  print(options.json, { email, two_factor: false, passkeys: 0 }, [
    `${email} signs in with their password alone: two-factor sign-in is off, and their passkeys are removed.`,
  ]);
}
