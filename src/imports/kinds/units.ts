import { units as table } from '../../units/units.columns.ts';
import { UnitCreate, UnitPatch } from '../../units/units.schema.ts';
import { unitWriter } from '../../units/units.ts';
import { field, reference } from '../cells/field.ts';
import { foreign } from '../cells/foreign.ts';
import { counted, integer, money, number, squareFeet, text, yesNo } from '../cells/readers.ts';
import { findUnitsByName } from '../imports.store.ts';
import type { Kind } from '../kind.ts';
import { propertyFields, resolveProperties, unitHeadings } from './property-and-unit.ts';
import { lower, matchOne } from './same.ts';

export const units: Kind = {
  name: 'units',
  noun: 'unit',
  prefix: 'unit',
  fields: [
    reference('id', text, []),
    reference('external_id', text, ['Unit ID', 'Unit Code', 'Code', 'Ref', 'Reference']),
    ...propertyFields,
    field('name', text, {
      also: ['Unit', ...unitHeadings, 'Number', 'No', ...(foreign.unit ?? [])],
      empty: 'refused',
    }),
    field('bedrooms', number, {
      also: ['Beds', 'Bed', 'BR', 'BD', 'Number of Bedrooms', 'No of Bedrooms', 'Bedroom'],
    }),
    field('bathrooms', number, {
      also: ['Baths', 'Bath', 'BA', 'Number of Bathrooms', 'No of Bathrooms', 'Bathroom'],
    }),
    field('area_sqft', number, {
      also: [
        'Sq Ft',
        'Square Feet',
        'Square Footage',
        'Size',
        'SF',
        'Area',
        'Unit Size',
        'Sq Feet',
        'Size Sq Ft',
      ],
    }),
    reference('area_sqm', text, []),
    counted(
      field('market_rent', money, {
        also: [
          'Asking Rent',
          'Advertised Rent',
          'Target Rent',
          'List Rent',
          'Monthly Rent',
          'Rent Amount',
          'Rent',
          'Price',
          ...(foreign.rent ?? []),
        ],
        fills: null,
      }),
    ),
    field('market_rent_cents', integer),
    field('offline', yesNo, {
      also: ['Out of Service', 'Off Market', 'Not Rentable', 'Is Offline'],
      empty: 'kept',
    }),
  ],
  needs: [['property_id', 'property'], ['name']],
  create: UnitCreate,
  patch: UnitPatch,
  table,
  writer: unitWriter,
  money: { market_rent: 'market_rent_cents' },
  spelt: ['name'],
  hasCurrency: false,
  hasExternalId: true,
  adopts: true,
  repeatable: false,
  fixed: { property_id: { field: 'property', reason: 'A unit cannot move to another property.' } },
  ids: { property_id: 'prop' },
  conflictField: 'name',
  async resolve(work, drafts) {
    for (const { cells, values } of drafts)
      if (typeof cells.area_sqm === 'string')
        values.area_sqft ??= Number(squareFeet(cells.area_sqm)) || undefined;
    await resolveProperties(work, drafts, true);
  },
  nature: ({ values }) => `${values.property_id} ${lower(values.name)}`,
  async findSame({ tx, accountId }, drafts) {
    const found = await findUnitsByName(
      tx,
      accountId,
      drafts.map(({ values }) => ({ property_id: String(values.property_id), name: String(values.name) })),
    );
    drafts.forEach((draft, at) => {
      matchOne(
        draft,
        found.get(at) ?? [],
        'name',
        'Several units of the property have this name in different capitalisation; say which one by its id.',
      );
    });
  },
};
