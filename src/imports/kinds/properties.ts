import { properties as table } from '../../properties/properties.columns.ts';
import { PropertyCreate, PropertyPatch } from '../../properties/properties.schema.ts';
import { propertyWriter } from '../../properties/properties.ts';
import { field, reference } from '../cells/field.ts';
import { foreign } from '../cells/foreign.ts';
import { country, number, text, word } from '../cells/readers.ts';
import { isOccupancy, propertyStatus, propertyType } from '../cells/words.ts';
import { findPropertiesByName } from '../imports.store.ts';
import type { Kind } from '../kind.ts';
import { lower, matchOne } from './same.ts';

export const properties: Kind = {
  name: 'properties',
  noun: 'property',
  prefix: 'prop',
  fields: [
    reference('id', text, []),
    reference('external_id', text, [
      'Property ID',
      'Property Code',
      'Property Number',
      'Property No',
      'Code',
      'Ref',
      'Reference',
    ]),
    field('name', text, {
      also: [
        'Property Name',
        'Property',
        'Building Name',
        'Building',
        'Community',
        'Title',
        ...(foreign.property ?? []),
      ],
      empty: 'refused',
    }),
    field('type', word(propertyType), {
      also: ['Property Type', 'Building Type', 'Category'],
      empty: 'kept',
    }),
    field('address', text, { also: ['Street Address', 'Street', 'Address 1', 'Address Line 1', 'Street 1'] }),
    field('address_line2', text, { also: ['Address 2', 'Street 2', 'Address Line Two'] }),
    field('city', text, { also: ['Town', 'Locality'] }),
    field('state', text, { also: ['State/Province', 'Province', 'Region', 'State Code'] }),
    field('postal_code', text, { also: ['Zip', 'Zip Code', 'Zip/Postal Code', 'Postcode', 'Postal'] }),
    field('country', country, { also: ['Country Code'] }),
    field('year_built', number, { also: ['Built', 'Built In', 'Construction Year', 'Year'] }),
    field('notes', text, { also: ['Note', 'Comments', 'Comment', 'Description', 'Remarks', 'Memo'] }),
    {
      ...field('status', word(propertyStatus), { also: ['Property Status'], empty: 'kept' }),
      // In a list of units or tenants, this is about them and not about the property.
      rulesOut: isOccupancy,
    },
  ],
  needs: [['name']],
  create: PropertyCreate,
  patch: PropertyPatch,
  table,
  writer: propertyWriter,
  money: {},
  spelt: ['name'],
  hasCurrency: false,
  hasExternalId: true,
  adopts: false,
  repeatable: false,
  fixed: {},
  ids: {},
  conflictField: 'name',
  async resolve() {
    // A property refers to no other record.
  },
  nature: ({ values }) => lower(values.name),
  async findSame({ tx, accountId }, drafts) {
    const found = await findPropertiesByName(
      tx,
      accountId,
      drafts.map(({ values }) => String(values.name)),
    );
    drafts.forEach((draft, at) => {
      matchOne(
        draft,
        found.get(at) ?? [],
        'name',
        'Several properties have this name; say which one by its external_id.',
      );
    });
  },
};
