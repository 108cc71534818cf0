import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { newRow } from '../db/records/columns.ts';
import { insertRows } from '../db/records/rows.ts';
import { recordOne } from '../events/record.ts';
import { addRecord, changeRecord, writerOf, writing } from '../events/writer.ts';
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
  caller: Caller,
  { units, ...fields }: PropertyInput,
  now: Date,
): Promise<string> {
  const how = writing(caller, now);
  const { accountId, today } = how;
  const row = newRow(properties, fields);
  if (units.length === 0) return addRecord(db, propertyWriter, how, row);
  return db.transaction(async (tx) => {
    await tx.query(insertRows(properties, accountId, [row]));
    const recordUnits = await addUnits(tx, how, row.id, units);
    // Only now, because the property's JSON counts its units.
    const json = await recordOne(tx, {
      accountId,
      shape: propertyShape(accountId, today),
      rows: selectProperty(accountId, row.id),
      events: ['property.created'],
    });
    await recordUnits();
    return json;
  });
}

export const changeProperty = (
  db: Db,
  caller: Caller,
  id: string,
  patch: PropertyChange,
  now: Date,
): Promise<string> => changeRecord(db, propertyWriter, writing(caller, now), id, patch);
