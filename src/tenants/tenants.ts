import { changes, merged } from '../changes.ts';
import { dateOf } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { findRecord, type Page } from '../db/list.ts';
import { notFound } from '../errors.ts';
import { recordOne } from '../events/record.ts';
import { idTime, newId } from '../ids.ts';
import type { PageBounds } from '../paging.ts';
import type { TenantChange, TenantFilter, TenantInput } from './tenants.schema.ts';
import * as store from './tenants.store.ts';

export async function addTenant(db: Db, accountId: string, input: TenantInput, now: Date): Promise<string> {
  const id = newId();
  const row: store.TenantRow = {
    first_name: input.first_name,
    last_name: input.last_name,
    email: input.email ?? null,
    phone: input.phone ?? null,
    notes: input.notes ?? null,
    external_id: input.external_id ?? null,
  };
  const json = await recordOne(db, {
    accountId,
    shape: store.tenantShape(dateOf(now)),
    rows: store.insertTenant(accountId, id, row, idTime(id)),
    events: ['tenant.created'],
  });
  if (json === null) throw new Error('An inserted tenant returned no row.');
  return json;
}

export function changeTenant(
  db: Db,
  accountId: string,
  id: string,
  patch: TenantChange,
  now: Date,
): Promise<string> {
  return db.transaction(async (tx) => {
    const current = await store.findTenantForChange(tx, accountId, id);
    if (!current) throw notFound();
    if (!changes(current, patch)) return getTenant(tx, accountId, id, now);
    const json = await recordOne(tx, {
      accountId,
      shape: store.tenantShape(dateOf(now)),
      rows: store.updateTenant(accountId, id, merged(current, patch), now),
      events: ['tenant.updated'],
    });
    return json ?? getTenant(tx, accountId, id, now);
  });
}

export async function getTenant(db: Db, accountId: string, id: string, now: Date): Promise<string> {
  const json = await findRecord(db, store.tenantShape(dateOf(now)), accountId, id);
  if (json === null) throw notFound();
  return json;
}

export function listTenants(
  db: Db,
  accountId: string,
  filter: TenantFilter,
  bounds: PageBounds,
  now: Date,
): Promise<Page> {
  return store.listTenants(db, accountId, filter, bounds, dateOf(now));
}
