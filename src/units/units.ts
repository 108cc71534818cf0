import { changes, merged } from '../changes.ts';
import { dateOf } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { findRecord, type Page } from '../db/list.ts';
import type { Sql } from '../db/sql.ts';
import { refuseViolations } from '../db/violations.ts';
import { conflict, notFound } from '../errors.ts';
import { recordChange, recordOne } from '../events/record.ts';
import { idTime, newId } from '../ids.ts';
import type { PageBounds } from '../paging.ts';
import type { UnitChange, UnitFields, UnitFilter, UnitInput } from './units.schema.ts';
import * as store from './units.store.ts';

export const refusals = {
  units_name_unique: () => conflict('The property already has a unit with this name; choose another name.'),
};

export async function addUnit(db: Db, accountId: string, input: UnitInput, now: Date): Promise<string> {
  const rows = store.insertUnits(accountId, input.property_id, [newUnit(input)]);
  const [json] = await refuseViolations('units', () => recordNewUnits(db, accountId, rows, 1, now), refusals);
  if (json === undefined) throw new Error('An inserted unit returned no row.');
  return json;
}

/** Adds the units of a new property; the function it returns records their events, after the property's own. */
export async function addUnits(
  tx: Db,
  accountId: string,
  propertyId: string,
  units: UnitFields[],
  now: Date,
) {
  await tx.query(store.insertUnits(accountId, propertyId, units.map(newUnit)));
  return () => recordNewUnits(tx, accountId, store.selectUnits(accountId, propertyId), units.length, now);
}

function recordNewUnits(db: Db, accountId: string, rows: Sql, count: number, now: Date): Promise<string[]> {
  return recordChange(db, {
    accountId,
    shape: store.unitShape(dateOf(now)),
    rows,
    count,
    events: ['unit.created'],
  });
}

function newUnit(fields: UnitFields): store.NewUnit {
  const id = newId();
  return {
    id,
    name: fields.name,
    bedrooms: fields.bedrooms ?? null,
    bathrooms: fields.bathrooms ?? null,
    area_sqft: fields.area_sqft ?? null,
    market_rent_cents: fields.market_rent_cents ?? null,
    offline: fields.offline,
    createdAt: idTime(id),
  };
}

export function changeUnit(
  db: Db,
  accountId: string,
  id: string,
  patch: UnitChange,
  now: Date,
): Promise<string> {
  return db.transaction(async (tx) => {
    const current = await store.findUnitForChange(tx, accountId, id);
    if (!current) throw notFound();
    if (!changes(current, patch)) return getUnit(tx, accountId, id, now);
    const json = await refuseViolations(
      'units',
      () =>
        recordOne(tx, {
          accountId,
          shape: store.unitShape(dateOf(now)),
          rows: store.updateUnit(accountId, id, merged(current, patch), now),
          events: ['unit.updated'],
        }),
      refusals,
    );
    return json ?? getUnit(tx, accountId, id, now);
  });
}

export async function getUnit(db: Db, accountId: string, id: string, now: Date): Promise<string> {
  const json = await findRecord(db, store.unitShape(dateOf(now)), accountId, id);
  if (json === null) throw notFound();
  return json;
}

export function listUnits(
  db: Db,
  accountId: string,
  filter: UnitFilter,
  bounds: PageBounds,
  now: Date,
): Promise<Page> {
  return store.listUnits(db, accountId, filter, bounds, dateOf(now));
}
