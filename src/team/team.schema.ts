import { z } from 'zod';
import { roles } from '../caller.ts';
import { choice, publicId, timestamp } from '../fields.ts';
import { emailAddress, User } from '../users/users.schema.ts';

export const Member = z.object({
  id: publicId('mem'),
  user: User,
  role: z.enum(roles),
  created_at: timestamp,
  /** Whether they need a code of an authenticator app to sign in. Null for everybody except owners. */
  two_factor: z.boolean().nullable(),
});

export const Invitation = z.object({
  id: publicId('inv'),
  email: z.string(),
  role: z.enum(roles),
  status: z.enum(['pending', 'expired']),
  expires_at: timestamp,
  created_at: timestamp,
  /** The link to pass on. Anybody who has it can join with this e-mail address, so only owners see it. */
  link: z.string().nullable(),
});

export const Team = z.object({ members: z.array(Member), invitations: z.array(Invitation) });

export const InvitationCreate = z.object({ email: emailAddress, role: choice(roles) });

export const MemberPatch = z.object({ role: choice(roles) });

/** What the holder of a link sees before joining. */
export const OpenInvitation = z.object({
  account: z.object({ name: z.string() }),
  email: z.string(),
  role: z.enum(roles),
  expires_at: timestamp,
  /** Whether somebody with this e-mail address can sign in, or has to sign up first. */
  user_exists: z.boolean(),
});

export const CancelledInvitation = z.object({ id: publicId('inv'), cancelled: z.literal(true) });
export const RemovedMember = z.object({
  id: publicId('mem'),
  removed: z.literal(true),
  /** Live keys that the person made. */
  keys: z.array(z.object({ id: publicId('key'), name: z.string(), revoked: z.boolean() })),
});

export const MemberRemoval = z.object({
  revoke_keys: choice(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'Whether the keys that the person made are revoked too.' }),
});

export const TeamLeave = z.object({
  /** Whether the keys that the person made are revoked too. */
  revoke_keys: z.boolean('Must be true or false.').default(false),
});

export type Member = z.output<typeof Member>;
export type Invitation = z.output<typeof Invitation>;
export type Team = z.output<typeof Team>;
export type OpenInvitation = z.output<typeof OpenInvitation>;
