import { type Many, manyOf } from '../events/record-many.ts';
import { type UnitRow, unitShape } from './units.store.ts';
import { refusals } from './units.ts';

export type ManyUnitsRow = { property_id: string } & { [Field in keyof UnitRow]: UnitRow[Field] };

/** Many units at once, for imports. */
export const manyUnits: Many<ManyUnitsRow> = manyOf<ManyUnitsRow>({
  table: 'units',
  columns: {
    property_id: 'uuid',
    name: 'text',
    bedrooms: 'integer',
    bathrooms: 'numeric',
    area_sqft: 'integer',
    market_rent_cents: 'bigint',
    offline: 'boolean',
  },
  shape: unitShape,
  created: 'unit.created',
  updated: 'unit.updated',
  refusals,
});
