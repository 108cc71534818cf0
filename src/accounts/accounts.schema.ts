import { z } from 'zod';
import { keyPermissions, keyScopes } from '../api-keys/api-keys.schema.ts';
import { modes } from '../caller.ts';
import { currency, idOf, publicId, requiredText, timestamp, timeZone, wholeNumber } from '../fields.ts';
import { LateFeePolicy } from '../ledger/rules/late-fee-policy.ts';
import { patchOf } from '../shapes.ts';

export const accountName = requiredText(200).meta({ examples: ['Riverton Rentals'] });

const KeyInUse = z
  .object({
    id: publicId('key'),
    name: z.string().meta({ examples: ['Bookkeeping'] }),
    mode: z
      .enum(modes)
      .meta({ description: 'Which records it reaches: the real ones, or those of test mode.' }),
    permission: z.enum(keyPermissions).meta({ description: '`write` includes reading.' }),
    scopes: z
      .array(z.enum(keyScopes))
      .meta({ description: 'The parts of the API that it reaches, each the first part of a path.' }),
    expires_at: timestamp.nullable().meta({ description: 'Null: never.' }),
  })
  .meta({ id: 'KeyInUse', description: 'The key that the request was made with, and what it may do.' });

export const Account = z
  .object({
    id: publicId('acct'),
    name: z.string().meta({ examples: ['Riverton Rentals'] }),
    currency: z.string().meta({ description: 'For amounts without a currency.', examples: ['USD'] }),
    time_zone: z
      .string()
      .meta({ description: 'IANA name. It decides what day today is.', examples: ['America/New_York'] }),
    post_days_before_due: z.int().meta({
      description: 'How many days before its due day a charge is posted.',
      examples: [5],
    }),
    late_fees: LateFeePolicy.nullable().meta({
      description: 'For every lease that says `inherit` and whose property does too. Null: no late fees.',
    }),
    lease_expiring_days: z.array(z.int()).meta({
      description: 'How many days before the end of a lease `lease.expiring` is sent, largest first.',
      examples: [[90, 60, 30]],
    }),
    created_at: timestamp,
    updated_at: timestamp,
    key: KeyInUse.nullable().meta({ description: 'Null in the dashboard, where there is no key.' }),
  })
  .meta({ id: 'Account', description: 'The account that the key belongs to, with its settings.' });

const expiringDays = z
  .array(wholeNumber(1, 730), 'Must be a list of numbers of days.')
  .min(1, 'Must have at least one number.')
  .max(10, 'Must have at most 10 numbers.')
  .refine((all) => new Set(all).size === all.length, 'Must name each number once.')
  .transform((all) => all.toSorted((a, b) => b - a))
  .meta({
    description: 'How many days before the end of a lease `lease.expiring` is sent.',
    examples: [[90, 60, 30]],
  });

export const AccountPatch = patchOf({
  name: accountName,
  currency: currency.meta({
    description: 'A change applies to new amounts; recorded amounts keep their currency.',
  }),
  time_zone: timeZone,
  post_days_before_due: wholeNumber(0, 60),
  late_fees: LateFeePolicy.nullable().meta({
    description: 'Applies to charges that fall due after it is set. Null: no late fees.',
  }),
  lease_expiring_days: expiringDays,
}).meta({ id: 'AccountPatch' });

/** The browser's time zone. A zone unknown to this machine becomes UTC: it is no reason to refuse the sign-up. */
export const browsersTimeZone = timeZone.catch('UTC');

export const AccountCreate = z.object({
  name: accountName,
  currency: currency.default('USD'),
  time_zone: browsersTimeZone,
});

export const AccountSwitch = z.object({ account_id: idOf('acct') });

export type Account = z.output<typeof Account>;
export type AccountChange = z.output<typeof AccountPatch>;
