import { z } from 'zod';
import { roles } from '../caller.ts';
import { publicId, timestamp } from '../fields.ts';
import { User } from '../users/users.schema.ts';

/** Who is looking at the dashboard, and at which account. Everybody may ask, signed in or not. */
export const Session = z.object({
  signed_in: z.boolean(),
  /** Whether the password was right and a code is needed as well (`POST /sign-in/code`). */
  code_wanted: z.boolean(),
  /** Whether a stranger without an invitation may sign up now. */
  can_sign_up: z.boolean(),
  /** The issuer through which people can sign in, if there is one. With `only` there are no passwords. */
  sso: z.object({ name: z.string(), only: z.boolean() }).nullable(),
  user: User.nullable(),
  /** Null if nobody is signed in, or the person belongs to no account (any more). */
  account: z
    .object({
      id: publicId('acct'),
      name: z.string(),
      currency: z.string(),
      time_zone: z.string(),
      /** When the account's test mode is emptied unless somebody uses it by then; null if there is nothing in it. */
      test_mode_emptied_at: timestamp.nullable(),
    })
    .nullable(),
  role: z.enum(roles).nullable(),
  permission: z.enum(['read', 'write']).nullable(),
  /** Whether the person may make further accounts (`POST /accounts`). */
  can_create_accounts: z.boolean(),
  accounts: z.array(z.object({ id: publicId('acct'), name: z.string(), role: z.enum(roles) })),
  /** The version of Tenure; null if nobody is signed in. */
  version: z.string().nullable(),
});

export type Session = z.output<typeof Session>;

/** One of a person's sessions, as that person sees it. */
export const OwnSession = z.object({
  id: publicId('ses'),
  /** The browser and the system in words, such as "Firefox on Windows". */
  device: z.string(),
  /** The address from which the person signed in. For IPv6, the network. */
  ip_address: z.string().nullable(),
  /** Whether it is the caller's own session. */
  current: z.boolean(),
  created_at: timestamp,
  /** Accurate to five minutes. */
  last_used_at: timestamp,
  /** When it expires unless it is used again. */
  expires_at: timestamp,
});

export const OwnSessions = z.object({ sessions: z.array(OwnSession) });
export const EndedSession = z.object({ id: publicId('ses'), ended: z.literal(true) });
export const EndedSessions = z.object({ ended: z.int() });

export type OwnSession = z.output<typeof OwnSession>;
