import { z } from 'zod';
import { choice, publicId, requiredText, timestamp } from '../fields.ts';
import { readNetwork } from './networks.ts';

export const keyPermissions = ['read', 'write'] as const;
const keyStatuses = ['active', 'expired', 'revoked'] as const;
const keyLifetimesInDays = [7, 30, 90, 365] as const;

/** Parts of the API, each named after the first part of its paths. */
export const keyScopes = [
  'properties',
  'units',
  'tenants',
  'leases',
  'payments',
  'charges',
  'credits',
  'recurring-charges',
  'late-fees',
  'balances',
  'maintenance',
  'imports',
  'files',
  'reports',
  'webhooks',
  'deliveries',
  'events',
  'account',
  'audit-log',
  'test',
] as const;
export type KeyScope = (typeof keyScopes)[number];

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
  /** Null: the whole API, except what is for owners. */
  scopes: z.array(z.enum(keyScopes)).nullable(),
  /** Null: any address. */
  allowed_addresses: z.array(z.string()).nullable(),
  /** Null: made by the command line, or before this was recorded. */
  created_by: z.object({ id: publicId('usr'), name: z.string() }).nullable(),
  created_at: timestamp,
};

export const ApiKey = z.object(shown);

/** The answer when a key is created, the only one that contains the key itself. */
export const NewApiKey = z.object({ ...shown, key: z.string().regex(/^svc_(live|test)_[0-9A-Za-z]{43}$/) });

const lifetime = 'Must be null (never), 7, 30, 90 or 365.';

const addressMessage = 'Must be addresses or networks such as 203.0.113.7 or 2001:db8::/32.';
const mostAddresses = 50;

const address = z
  .string(addressMessage)
  .trim()
  .transform((text, context) => {
    const network = readNetwork(text);
    if (network !== null) return network;
    context.addIssue({ code: 'custom', message: addressMessage });
    return z.NEVER;
  });

const unique = <Value>(values: Value[] | null): Value[] | null => values && [...new Set(values)];

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
  /** Null: the whole API, except what is for owners. */
  scopes: z
    .array(choice(keyScopes), 'Must be a list of scopes.')
    .min(1, 'Must name at least one scope; leave it out for all of them.')
    .nullable()
    .default(null)
    .transform(unique),
  /** Null: any address. */
  allowed_addresses: z
    .array(address, addressMessage)
    .min(1, 'Must have at least one address; leave it out for any.')
    .max(mostAddresses, `Must have at most ${mostAddresses} addresses.`)
    .nullable()
    .default(null)
    .transform(unique)
    .meta({ examples: [['203.0.113.0/24']] }),
});

export const RevokedApiKey = z.object({ id: publicId('key'), revoked: z.literal(true) });

export type ApiKey = z.output<typeof ApiKey>;
export type NewApiKey = z.output<typeof NewApiKey>;
