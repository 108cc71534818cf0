import { z } from 'zod';
import { publicId, requiredText } from '../fields.ts';

/** Shorter passwords are refused wherever one is set. */
export const leastPasswordLength = 10;
/** Hashing takes longer for a longer password. Endless passwords must not be a way to keep us busy. */
export const mostPasswordLength = 128;

export const User = z.object({ id: publicId('usr'), name: z.string(), email: z.string() });

export const userName = requiredText(200);

export const emailAddress = z
  .string('Must be an e-mail address.')
  .trim()
  .toLowerCase()
  .max(320, 'Must be an e-mail address.')
  .pipe(z.email('Must be an e-mail address.'));

export const newPassword = z
  .string('Must be text.')
  .min(leastPasswordLength, `Must have at least ${leastPasswordLength} characters.`)
  .max(mostPasswordLength, `Must have at most ${mostPasswordLength} characters.`);

/** A password to check, not to set. Whatever it is, the answer is only whether it is right. */
export const givenPassword = z
  .string('Must be text.')
  .min(1, 'Must not be empty.')
  .max(mostPasswordLength, `Must have at most ${mostPasswordLength} characters.`);

export type User = z.output<typeof User>;
