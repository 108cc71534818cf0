import { loadConfig } from '../config.ts';
import { resetSecondFactor } from '../second-factor/two-factor.ts';
import { resetPassword, unlinkPerson } from '../users/users.ts';
import { print, withDatabase } from './command.ts';
import { checkEmail, choosePassword } from './passwords.ts';

export async function usersResetPassword(options: {
  email: string;
  passwordStdin?: boolean;
  json?: boolean;
}): Promise<void> {
  const { passwordStdin, json } = options;
  const email = checkEmail(options.email);
  const config = loadConfig();
  if (config.OIDC_ONLY)
    throw new Error(
      `OIDC_ONLY is on: people sign in with ${config.OIDC_NAME}, and no password lets anybody in.`,
    );
  const password = await choosePassword(passwordStdin, email);
  const found = await withDatabase((db) => resetPassword(db, email, password, new Date()), {
    config,
  });
  if (!found) throw noSuchPerson(email);
  print(json, { email, ...(passwordStdin ? {} : { password }) }, [
    `${email} has a new password and is signed out everywhere.`,
    ...(passwordStdin ? [] : [`Password  ${password}   (shown here only)`]),
  ]);
}

export async function usersResetSecondFactor(options: { email: string; json?: boolean }): Promise<void> {
  const email = checkEmail(options.email);
  const found = await withDatabase((db) => resetSecondFactor(db, email));
  if (!found) throw noSuchPerson(email);
  print(options.json, { email, two_factor: false, passkeys: 0 }, [
    `${email} signs in with their password alone: two-factor sign-in is off, and their passkeys are removed.`,
  ]);
}

export async function usersUnlink(options: { email: string; json?: boolean }): Promise<void> {
  const email = checkEmail(options.email);
  if (!(await withDatabase((db) => unlinkPerson(db, email)))) throw noSuchPerson(email);
  print(options.json, { email }, [
    `${email} is signed out everywhere, and known by their address alone at the next single sign-on.`,
  ]);
}

const noSuchPerson = (email: string) => new Error(`There is no person with the e-mail address ${email}.`);
