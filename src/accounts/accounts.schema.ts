import { z } from 'zod';
import { currency, idOf, publicId, requiredText, timestamp, timeZone } from '../fields.ts';
import { patchOf } from '../shapes.ts';

export const accountName = requiredText(200);

export const Account = z.object({
  id: publicId('acct'),
  name: z.string(),
  currency: z.string(),
  time_zone: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** A change of currency applies to new amounts; recorded amounts keep theirs. */
export const AccountPatch = patchOf({ name: accountName, currency, time_zone: timeZone });

export type AccountChange = z.output<typeof AccountPatch>;

export const AccountCreate = z.object({ name: accountName, currency: currency.default('USD') });

export const AccountSwitch = z.object({ account_id: idOf('acct') });

export type Account = z.output<typeof Account>;
