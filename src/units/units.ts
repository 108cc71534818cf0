import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { newRow } from '../db/records/columns.ts';
import { refuseTaken } from '../db/records/external-ids.ts';
import { insertRows } from '../db/records/rows.ts';
import { type Sql, sql } from '../db/sql.ts';
import { refuseViolations } from '../db/violations.ts';
import { deleteRecord } from '../deletion/delete-record.ts';
import { conflict } from '../errors.ts';
import type { Derived } from '../events/derived.ts';
import { changedField } from '../events/history.ts';
import { recordChange } from '../events/record.ts';
import { addRecord, changeRecord, type Writing, writerOf, writing } from '../events/writer.ts';
import { units } from './units.columns.ts';
import type { UnitChange, UnitFields, UnitInput } from './units.schema.ts';
import { referringToUnit, selectUnits, unitShape, unitStatus } from './units.store.ts';

export const unitWriter = writerOf({
  table: units,
  shape: unitShape,
  created: 'unit.created',
  updated: 'unit.updated',
  refusals: {
    units_name_unique: () =>
      conflict('unit_name_taken', 'The property already has a unit with this name; choose another name.'),
  },
});

const toJson = (word: Sql): Sql => sql`'"' || ${word} || '"'`;

/** A unit's status. */
export const derivedOfUnits: Derived = {
  table: units,
  shape: unitShape,
  updated: 'unit.updated',
  shown: unitStatus,
  changes: (before, after) => [changedField('status', toJson(before), toJson(after))],
};

export const addUnit = (db: Db, caller: Caller, input: UnitInput, now: Date): Promise<string> =>
  addRecord(db, unitWriter, writing(caller, now), newRow(units, input));

/**
 * Adds the units of a new property. The returned function records their events, which come after the property's own.
 */
export async function addUnits(
  tx: Db,
  { accountId, actor, today }: Writing,
  propertyId: string,
  inputs: UnitFields[],
): Promise<() => Promise<unknown>> {
  const rows = inputs.map((input) => newRow(units, { ...input, property_id: propertyId }));
  await refuseTaken(tx, units, accountId, rows);
  await refuseViolations('units', () => tx.query(insertRows(units, accountId, rows)));
  return () =>
    recordChange(tx, {
      accountId,
      actor,
      shape: unitShape(accountId, today),
      rows: selectUnits(accountId, propertyId),
      count: rows.length,
      events: ['unit.created'],
      bounded: true,
    });
}

export const changeUnit = (
  db: Db,
  caller: Caller,
  id: string,
  patch: UnitChange,
  now: Date,
): Promise<string> => changeRecord(db, unitWriter, writing(caller, now), id, patch);

export const deleteUnit = (db: Db, caller: Caller, id: string, now: Date): Promise<string> =>
  deleteRecord(db, caller, id, now, {
    table: units,
    shape: unitShape,
    one: 'unit',
    referring: referringToUnit,
    instead: 'Take it offline instead.',
  });
