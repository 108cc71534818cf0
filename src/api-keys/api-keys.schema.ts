import { z } from 'zod';
import { choice, publicId, requiredText, timestamp } from '../fields.ts';

export const keyPermissions = ['read', 'write'] as const;
export const keyStatuses = ['active', 'expired', 'revoked'] as const;
export const keyLifetimesInDays = [7, 30, 90, 365] as const;

const shown = {
  id: publicId('key'),
  name: z.string(),
  permission: z.enum(keyPermissions),
  /** The key's first characters, to recognise it by. */
  prefix: z.string(),
  status: z.enum(keyStatuses),
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  created_at: timestamp,
};

export const ApiKey = z.object(shown);

/** The answer to a key's creation, the only one that ever has the key itself. */
export const NewApiKey = z.object({ ...shown, key: z.string().regex(/^svc_live_[0-9A-Za-z]{43}$/) });

const lifetime = 'Must be null (never), 7, 30, 90 or 365.';

export const ApiKeyCreate = z.object({
  name: requiredText(200),
  permission: choice(keyPermissions),
  /** Null: it never expires. */
  expires_in_days: z
    .union(
      keyLifetimesInDays.map((days) => z.literal(days)),
      lifetime,
    )
    .nullable()
    .default(null),
});

export const RevokedApiKey = z.object({ id: publicId('key'), revoked: z.literal(true) });

export type ApiKey = z.output<typeof ApiKey>;
export type NewApiKey = z.output<typeof NewApiKey>;
