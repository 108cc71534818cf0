import { z } from 'zod';
import { choiceFilter, publicId, shownDecimal } from '../fields.ts';
import { leaseStatuses } from '../ledger/rules/lease-status.ts';

/*
 * Records refer to others by id. With `expand`, they show the others in brief beside the ids. Only columns of their own
 * are shown: a page of payments then costs a few more look-ups by primary key, however much hangs on the tenants.
 */

const name = (example: string) => z.string().meta({ examples: [example] });

const TenantSummary = z
  .object({
    id: publicId('ten'),
    name: name('Ada Okafor'),
    first_name: name('Ada'),
    last_name: name('Okafor'),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    external_id: z.string().nullable(),
  })
  .meta({ id: 'TenantSummary', description: 'A tenant in brief.' });

const LeaseSummary = z
  .object({
    id: publicId('lease'),
    status: z.enum(leaseStatuses).meta({ description: 'From the dates, as of today.', examples: ['active'] }),
    start_date: z.iso.date(),
    end_date: z.iso.date().nullable(),
    ended_on: z.iso.date().nullable(),
    rent_cents: z.int().meta({ description: 'Rent of one month on the first day of the lease.' }),
    rent: shownDecimal,
    currency: z.string().meta({ examples: ['USD'] }),
  })
  .meta({ id: 'LeaseSummary', description: 'A lease in brief.' });

const UnitSummary = z
  .object({ id: publicId('unit'), property_id: publicId('prop'), name: name('2B') })
  .meta({ id: 'UnitSummary', description: 'A unit in brief.' });

const PropertySummary = z
  .object({
    id: publicId('prop'),
    name: name('Maple Court'),
    address: z.string().nullable(),
    address_line2: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    postal_code: z.string().nullable(),
    country: z.string().nullable(),
    external_id: z.string().nullable(),
  })
  .meta({ id: 'PropertySummary', description: 'A property in brief.' });

const only = (expansion: Expansion, about = 'null if there is none') => ({
  description: `Only with \`expand=${expansion}\`: ${about}.`,
});

/** Whether a field exists only on request, judged by its description. */
export const isExpansion = (description = ''): boolean => description.startsWith('Only with `expand=');

/** The fields that come with `expand`. Each record has those that apply to it. */
export const expandedFields = {
  tenant: TenantSummary.nullable().optional().meta(only('tenant')),
  /** Instead of one tenant, for records that have several. */
  tenants: z.array(TenantSummary).optional().meta(only('tenant', 'the tenants of the lease, in its order')),
  lease: LeaseSummary.nullable().optional().meta(only('lease')),
  unit: UnitSummary.nullable().optional().meta(only('unit')),
  property: PropertySummary.nullable().optional().meta(only('property')),
};

export type Expansion = 'tenant' | 'lease' | 'unit' | 'property';

/** The query parameter of a record that can show these. */
export const expandQuery = <const Names extends readonly [Expansion, ...Expansion[]]>(names: Names) => ({
  expand: choiceFilter(names).meta({
    description: `What to show in brief beside its id, separated by commas: ${names.join(', ')}. A key needs the scope to read it.`,
    choices: names,
  }),
});
