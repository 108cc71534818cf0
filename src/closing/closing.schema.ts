import { z } from 'zod';
import { requiredText } from '../fields.ts';

/** Closing an account by mistake would be worse than typing its name. */
export const AccountClose = z.object({
  name: requiredText(200).meta({ description: 'The name of the account.', examples: ['Riverton Rentals'] }),
  password: z
    .string('Must be your password.')
    .max(128, 'Is not your password.')
    .optional()
    .meta({ description: 'Your own. Without one, you must have signed in within the last 15 minutes.' }),
});
