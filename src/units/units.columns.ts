import { bigint, boolean, integer, numeric, orNull, reference, table, text } from '../db/records/columns.ts';

export const units = table(
  'units',
  { alias: 'u', prefix: 'unit' },
  {
    property_id: reference('prop'),
    name: text,
    bedrooms: orNull(integer),
    bathrooms: orNull(numeric),
    area_sqft: orNull(integer),
    market_rent_cents: orNull(bigint),
    external_id: orNull(text),
    offline: boolean,
  },
);
