import { type Many, manyOf } from '../events/record-many.ts';
import { type PropertyRow, propertyShape } from './properties.store.ts';

export type ManyPropertiesRow = { [Field in keyof PropertyRow]: PropertyRow[Field] };

/** Many properties at once, for imports. */
export const manyProperties: Many<ManyPropertiesRow> = manyOf<ManyPropertiesRow>({
  table: 'properties',
  columns: {
    name: 'text',
    type: 'text',
    address: 'text',
    address_line2: 'text',
    city: 'text',
    state: 'text',
    postal_code: 'text',
    country: 'text',
    year_built: 'integer',
    notes: 'text',
    external_id: 'text',
    status: 'text',
  },
  shape: propertyShape,
  created: 'property.created',
  updated: 'property.updated',
});
