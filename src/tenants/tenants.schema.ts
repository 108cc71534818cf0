import { z } from 'zod';
import {
  choiceFilter,
  exactEmail,
  exactExternalId,
  exactPhone,
  externalId,
  idOf,
  optionalText,
  publicId,
  requiredText,
  searchText,
  shownExternalId,
  timestamp,
} from '../fields.ts';
import { leaseStatuses } from '../ledger/rules/lease-status.ts';
import { sortedQuery } from '../paging.ts';
import { patchOf } from '../shapes.ts';

const tenantLeaseStatuses = ['none', ...leaseStatuses] as const;

export const Tenant = z
  .object({
    id: publicId('ten'),
    first_name: z.string().meta({ examples: ['Ada'] }),
    last_name: z.string().meta({ examples: ['Okafor'] }),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    notes: z.string().nullable(),
    external_id: shownExternalId,
    property: z.object({ id: publicId('prop'), name: z.string() }).nullable(),
    unit: z.object({ id: publicId('unit'), name: z.string() }).nullable(),
    lease: z
      .object({
        id: publicId('lease'),
        status: z.enum(leaseStatuses),
        start_date: z.iso.date(),
        end_date: z.iso.date().nullable(),
        rent_cents: z.int().meta({ description: 'Rent of one month on the first day.' }),
        current_rent_cents: z.int().meta({ description: 'Rent of one month today.' }),
        currency: z.string(),
      })
      .nullable()
      .meta({ description: 'The current lease, else the next upcoming, else the last ended.' }),
    lease_status: z.enum(tenantLeaseStatuses),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Tenant', description: 'A person who rents, with their unit and lease.' });

const names = {
  first_name: requiredText(200).meta({ examples: ['Ada'] }),
  last_name: requiredText(200).meta({ examples: ['Okafor'] }),
};
const optionalFields = {
  email: optionalText(320)
    .refine((value) => value == null || z.regexes.email.test(value), 'Must be an e-mail address.')
    .meta({ examples: ['ada@example.com'] }),
  phone: optionalText(50),
  notes: optionalText(10_000),
  external_id: externalId,
};

/** A tenant alone; POST takes their lease as well (move-in/). */
export const NewTenant = z.object({ ...names, ...optionalFields });
export const TenantPatch = patchOf({ ...names, ...optionalFields }).meta({ id: 'TenantPatch' });

export const tenantSortFields = ['last_name'] as const;

export const TenantList = z.object({
  property_id: idOf('prop')
    .optional()
    .meta({ description: 'Tenants whose lease (the one shown) is in this property.' }),
  lease_status: choiceFilter(tenantLeaseStatuses),
  email: exactEmail,
  phone: exactPhone,
  external_id: exactExternalId,
  q: searchText.optional().meta({
    description:
      'Part of the name, e-mail, phone number or `external_id`. One or two letters or digits must begin a word.',
  }),
  ...sortedQuery(tenantSortFields),
});

export type TenantInput = z.output<typeof NewTenant>;
export type TenantChange = z.output<typeof TenantPatch>;
export type TenantFilter = z.output<typeof TenantList>;
