import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { newRow, type RowOf } from '../db/records/columns.ts';
import { refuseTaken } from '../db/records/external-ids.ts';
import { insertRows } from '../db/records/rows.ts';
import { refuseViolations } from '../db/violations.ts';
import { deleteRecord } from '../deletion/delete-record.ts';
import { recordOne } from '../events/record.ts';
import { addRecord, changeRecord, type Writer, writerOf, writing } from '../events/writer.ts';
import { deletePolicies, notePolicies } from '../ledger/late-fee-policies.ts';
import { addUnits } from '../units/units.ts';
import { properties } from './properties.columns.ts';
import type { PropertyChange, PropertyInput } from './properties.schema.ts';
import { propertyShape, referringToProperty, selectProperty } from './properties.store.ts';

const rows = writerOf({
  table: properties,
  shape: propertyShape,
  created: 'property.created',
  updated: 'property.updated',
});

export const propertyWriter: Writer<RowOf<typeof properties>> = {
  ...rows,
  add(db, how, added) {
    if (added.every(({ late_fees }) => late_fees === 'inherit')) return rows.add(db, how, added);
    return db.transaction(async (tx) => {
      const json = await rows.add(tx, how, added);
      await notePolicies(tx, how, 'property', added);
      return json;
    });
  },
  async change(tx, how, changed, before) {
    const json = await rows.change(tx, how, changed, before);
    await notePolicies(tx, how, 'property', changed, before);
    return json;
  },
};

export function addProperty(
  db: Db,
  caller: Caller,
  { units, ...fields }: PropertyInput,
  now: Date,
): Promise<string> {
  const how = writing(caller, now);
  const { accountId, actor, today } = how;
  const row = newRow(properties, fields);
  if (units.length === 0) return addRecord(db, propertyWriter, how, row);
  return db.transaction(async (tx) => {
    await refuseTaken(tx, properties, accountId, [row]);
    await refuseViolations('properties', () => tx.query(insertRows(properties, accountId, [row])));
    await notePolicies(tx, how, 'property', [row]);
    const recordUnits = await addUnits(tx, how, row.id, units);
    // Only now, because the property's JSON counts its units.
    const json = await recordOne(tx, {
      accountId,
      actor,
      shape: propertyShape(accountId, today),
      rows: selectProperty(accountId, row.id),
      events: ['property.created'],
      bounded: true,
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

export const deleteProperty = (db: Db, caller: Caller, id: string, now: Date): Promise<string> =>
  deleteRecord(db, caller, id, now, {
    table: properties,
    shape: propertyShape,
    one: 'property',
    referring: referringToProperty,
    instead: 'Archive it instead.',
    async takeAlong(tx, { accountId }) {
      await deletePolicies(tx, accountId, 'property', id);
      return undefined;
    },
  });
