import { z } from 'zod';
import { Actor, ChangedField } from '../events/events.schema.ts';
import { choiceFilter, publicId, timestamp } from '../fields.ts';
import { pageQuery } from '../paging.ts';

const auditActions = [
  'person.signed_in',
  'person.sign_in_failed',
  'person.signed_out',
  'person.password_changed',
  'person.two_factor_enabled',
  'person.two_factor_disabled',
  'person.recovery_codes_renewed',
  'person.recovery_code_used',
  'person.code_refused',
  'person.passkey_added',
  'person.passkey_renamed',
  'person.passkey_removed',
  'person.sso_linked',
  'person.sso_unlinked',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.left',
  'invitation.created',
  'invitation.cancelled',
  'key.created',
  'key.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret_rotated',
  'account.updated',
  'account.restored',
  'account.closed',
  'account.reopened',
  'test.reset',
  'export.downloaded',
  'import.applied',
  'record.deleted',
  'tenant.erased',
] as const;

export const AuditEntry = z
  .object({
    id: publicId('aud'),
    action: z.enum(auditActions),
    actor: Actor,
    ip_address: z.string().nullable().meta({ description: 'Where the request came from.' }),
    subject: z.string().nullable().meta({
      description: 'What it was about: a key by its name, a person by their e-mail address, a list.',
    }),
    changes: z.array(ChangedField).nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'AuditEntry', description: 'Something that was done to the account itself.' });

export const AuditList = z.object({ action: choiceFilter(auditActions), ...pageQuery });

export type AuditAction = (typeof auditActions)[number];
export type AuditEntry = z.output<typeof AuditEntry>;
export type AuditFilter = z.output<typeof AuditList>;
