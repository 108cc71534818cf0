import { z } from 'zod';
import { accountName, browsersTimeZone } from '../accounts/accounts.schema.ts';
import { emailAddress, givenPassword, newPassword, userName } from '../users/users.schema.ts';

export const SignUp = z.object({
  name: userName,
  email: emailAddress,
  password: newPassword,
  /** Default: "<Name>'s properties". Not used with an invitation. */
  account_name: accountName.optional(),
  time_zone: browsersTimeZone,
  /** The token of an invitation link. With it, the person joins that account instead of opening one. */
  invitation: z.string('Must be text.').max(200).optional(),
});

export const SignIn = z.object({ email: emailAddress, password: givenPassword });

export const PasswordChange = z.object({ current_password: givenPassword, new_password: newPassword });

export const MePatch = z.object({ name: userName });

export type SignUpInput = z.output<typeof SignUp>;
