import { z } from 'zod';
import { expandedFields, expandQuery } from '../expand/expand.schema.ts';
import {
  cents,
  choiceFilter,
  exactExternalId,
  externalId,
  idOf,
  publicId,
  requiredText,
  searchText,
  shownExternalId,
  timestamp,
  wholeNumber,
} from '../fields.ts';
import { sortedQuery } from '../paging.ts';
import { patchOf } from '../shapes.ts';

/** This is here because properties know their units. */
export const propertyStatuses = ['active', 'archived'] as const;
export const unitStatuses = ['occupied', 'notice', 'vacant', 'offline'] as const;

export const Unit = z
  .object({
    id: publicId('unit'),
    property_id: publicId('prop'),
    name: z.string().meta({ examples: ['2B'] }),
    bedrooms: z.int().nullable(),
    bathrooms: z
      .number()
      .nullable()
      .meta({ examples: [1.5] }),
    area_sqft: z.int().nullable(),
    market_rent_cents: z.int().nullable(),
    market_rent: z
      .string()
      .nullable()
      .meta({ description: 'The same amount as a decimal.', examples: ['1250.00'] }),
    currency: z.string().meta({ description: "The account's currency.", examples: ['USD'] }),
    external_id: shownExternalId,
    offline: z.boolean().meta({ description: 'Not for rent at present, such as during a renovation.' }),
    status: z
      .enum(unitStatuses)
      .meta({ description: 'From its lease today: `notice` is occupied until the tenant leaves.' }),
    created_at: timestamp,
    updated_at: timestamp,
    property: expandedFields.property,
  })
  .meta({ id: 'Unit', description: 'A part of a property that is rented out: a flat, a house, a shop.' });

const optionalFields = {
  bedrooms: wholeNumber(0, 1000).nullable().optional(),
  bathrooms: z
    .number('Must be a number.')
    .min(0, 'Must be at least 0.')
    .max(999, 'Must be at most 999.')
    // zod's own multipleOf tolerates rounding errors, and so takes 1e-9 for 0.
    .refine((value) => Number.isInteger(value * 2), 'Must be in steps of 0.5.')
    .meta({ multipleOf: 0.5, examples: [1.5] })
    .nullable()
    .optional(),
  area_sqft: wholeNumber(1, 10_000_000).nullable().optional(),
  market_rent_cents: cents.nullable().optional(),
  external_id: externalId,
};

const name = requiredText(200).meta({ description: 'Unique in its property.', examples: ['2B'] });
const offline = z.boolean('Must be true or false.');

/** A unit inside POST /properties, and the fields of one on its own. */
export const unitFields = { name, ...optionalFields, offline: offline.default(false) };

export const UnitCreate = z.object({ property_id: idOf('prop'), ...unitFields }).meta({ id: 'UnitCreate' });
export const UnitPatch = patchOf({ name, ...optionalFields, offline }).meta({ id: 'UnitPatch' });

const expand = expandQuery(['property']);

export const UnitQuery = z.object(expand);
export const unitSortFields = ['name'] as const;

export const UnitList = z.object({
  external_id: exactExternalId,
  property_id: idOf('prop').optional(),
  property_status: choiceFilter(propertyStatuses).meta({
    description: 'Units of properties that are `active` or `archived`; without it, of both.',
    choices: propertyStatuses,
  }),
  status: choiceFilter(unitStatuses),
  q: searchText.optional().meta({
    description: 'Part of the name. One or two letters or digits must begin a word.',
    examples: ['2B'],
  }),
  ...expand,
  ...sortedQuery(unitSortFields),
});

export type UnitFields = z.output<z.ZodObject<typeof unitFields>>;
export type UnitInput = z.output<typeof UnitCreate>;
export type UnitChange = z.output<typeof UnitPatch>;
export type UnitFilter = z.output<typeof UnitList>;
