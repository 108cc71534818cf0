import { changes, merged } from '../changes.ts';
import { dateOf } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { findRecord, type Page } from '../db/list.ts';
import { notFound } from '../errors.ts';
import { recordOne } from '../events/record.ts';
import { idTime, newId } from '../ids.ts';
import type { PageBounds } from '../paging.ts';
import { addUnits } from '../units/units.ts';
import type { PropertyChange, PropertyFilter, PropertyInput } from './properties.schema.ts';
import * as store from './properties.store.ts';

export async function addProperty(
  db: Db,
  accountId: string,
  input: PropertyInput,
  now: Date,
): Promise<string> {
  const id = newId();
  const { units, ...fields } = input;
  const insert = store.insertProperty(accountId, id, toRow(fields), idTime(id));
  const record = (on: Db, rows: typeof insert) =>
    recordOne(on, { accountId, shape: store.propertyShape(dateOf(now)), rows, events: ['property.created'] });

  const json =
    units.length === 0
      ? await record(db, insert)
      : // Its JSON counts the units, so it is made when they are there.
        await db.transaction(async (tx) => {
          await tx.query(insert);
          const recordUnits = await addUnits(tx, accountId, id, units, now);
          const property = await record(tx, store.selectProperty(accountId, id));
          await recordUnits();
          return property;
        });
  if (json === null) throw new Error('An inserted property returned no row.');
  return json;
}

function toRow(fields: Omit<PropertyInput, 'units'>): store.PropertyRow {
  return {
    name: fields.name,
    type: fields.type,
    address: fields.address ?? null,
    address_line2: fields.address_line2 ?? null,
    city: fields.city ?? null,
    state: fields.state ?? null,
    postal_code: fields.postal_code ?? null,
    country: fields.country ?? null,
    year_built: fields.year_built ?? null,
    notes: fields.notes ?? null,
    external_id: fields.external_id ?? null,
    status: fields.status,
  };
}

export function changeProperty(
  db: Db,
  accountId: string,
  id: string,
  patch: PropertyChange,
  now: Date,
): Promise<string> {
  return db.transaction(async (tx) => {
    const current = await store.findPropertyForChange(tx, accountId, id);
    if (!current) throw notFound();
    if (!changes(current, patch)) return getProperty(tx, accountId, id, now);
    const json = await recordOne(tx, {
      accountId,
      shape: store.propertyShape(dateOf(now)),
      rows: store.updateProperty(accountId, id, merged(current, patch), now),
      events: ['property.updated'],
    });
    return json ?? getProperty(tx, accountId, id, now);
  });
}

export async function getProperty(db: Db, accountId: string, id: string, now: Date): Promise<string> {
  const json = await findRecord(db, store.propertyShape(dateOf(now)), accountId, id);
  if (json === null) throw notFound();
  return json;
}

export function listProperties(
  db: Db,
  accountId: string,
  filter: PropertyFilter,
  bounds: PageBounds,
  now: Date,
): Promise<Page> {
  return store.listProperties(db, accountId, filter, bounds, dateOf(now));
}
