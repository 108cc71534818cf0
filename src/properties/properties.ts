import { dateOf } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { newRow } from '../db/records/columns.ts';
import { insertRows } from '../db/records/rows.ts';
import { recordOne } from '../events/record.ts';
import { addRecord, changeRecord, writerOf } from '../events/writer.ts';
import { addUnits } from '../units/units.ts';
import { properties } from './properties.columns.ts';
import type { PropertyChange, PropertyInput } from './properties.schema.ts';
import { propertyShape, selectProperty } from './properties.store.ts';

export const propertyWriter = writerOf({
  table: properties,
  shape: propertyShape,
  created: 'property.created',
  updated: 'property.updated',
});

export function addProperty(
  db: Db,
  accountId: string,
  { units, ...fields }: PropertyInput,
  now: Date,
): Promise<string> {
  const row = newRow(properties, fields);
  if (units.length === 0) return addRecord(db, propertyWriter, { accountId, now, events: true }, row);
  return db.transaction(async (tx) => {
    await tx.query(insertRows(properties, accountId, [row]));
    const recordUnits = await addUnits(tx, accountId, row.id, units, now);
    // Only now, because the property's JSON counts its units.
    const json = await recordOne(tx, {
      accountId,
      shape: propertyShape(accountId, dateOf(now)),
      rows: selectProperty(accountId, row.id),
      events: ['property.created'],
    });
    await recordUnits();
    return json;
  });
}

export const changeProperty = (
  db: Db,
  accountId: string,
  id: string,
  patch: PropertyChange,
  now: Date,
): Promise<string> => changeRecord(db, propertyWriter, { accountId, now, events: true }, id, patch);
