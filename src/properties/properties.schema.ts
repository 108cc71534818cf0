import { z } from 'zod';
import {
  choice,
  choiceFilter,
  country,
  exactExternalId,
  externalId,
  optionally,
  optionalText,
  publicId,
  requiredText,
  searchText,
  shownExternalId,
  timestamp,
  wholeNumber,
} from '../fields.ts';
import { LateFees } from '../ledger/rules/late-fee-policy.ts';
import { sortedQuery } from '../paging.ts';
import { patchOf } from '../shapes.ts';
import { propertyStatuses, unitFields } from '../units/units.schema.ts';

const propertyTypes = ['single_family', 'multi_family', 'condo', 'townhouse', 'commercial', 'other'] as const;

export const Property = z
  .object({
    id: publicId('prop'),
    name: z.string().meta({ examples: ['Maple Court'] }),
    type: z.enum(propertyTypes),
    address: z.string().nullable(),
    address_line2: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    postal_code: z.string().nullable(),
    country: z
      .string()
      .nullable()
      .meta({ description: 'ISO 3166 alpha-2.', examples: ['US'] }),
    year_built: z.int().nullable(),
    notes: z.string().nullable(),
    external_id: shownExternalId,
    late_fees: LateFees,
    status: z.enum(propertyStatuses),
    unit_count: z.int(),
    occupied_unit_count: z.int().meta({ description: 'Units with a lease that runs today.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Property', description: 'A building or a piece of land with its units.' });

const name = requiredText(200).meta({ examples: ['Maple Court'] });
const optionalFields = {
  address: optionalText(300),
  address_line2: optionalText(300),
  city: optionalText(200),
  state: optionalText(200),
  postal_code: optionalText(30),
  country: optionally(country),
  year_built: wholeNumber(1000, 2999).nullable().optional(),
  notes: optionalText(10_000),
  external_id: externalId,
};

export const PropertyCreate = z
  .object({
    name,
    type: choice(propertyTypes).default('other'),
    ...optionalFields,
    late_fees: LateFees.default('inherit'),
    status: choice(propertyStatuses).default('active'),
    units: z
      .array(z.object(unitFields, 'Must be a unit with its name.'), 'Must be a list of units.')
      .max(500, 'Must have at most 500 units.')
      .refine(
        (units) => new Set(units.map((unit) => unit.name)).size === units.length,
        'Two units have the same name.',
      )
      .default([])
      .meta({ description: 'Units to add at once: all are created, or nothing is.' }),
  })
  .meta({ id: 'PropertyCreate' });

export const PropertyPatch = patchOf({
  name,
  type: choice(propertyTypes),
  ...optionalFields,
  late_fees: LateFees,
  status: choice(propertyStatuses),
}).meta({ id: 'PropertyPatch' });

export const propertySortFields = ['name'] as const;

export const PropertyList = z.object({
  status: choiceFilter(propertyStatuses),
  external_id: exactExternalId,
  q: searchText.optional().meta({
    description:
      'Part of the name, address, city or `external_id`. One or two letters or digits must begin a word.',
  }),
  ...sortedQuery(propertySortFields),
});

export type PropertyInput = z.output<typeof PropertyCreate>;
export type PropertyChange = z.output<typeof PropertyPatch>;
export type PropertyFilter = z.output<typeof PropertyList>;
