import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { newRow } from '../db/records/columns.ts';
import type { Deletable } from '../deletion/delete-record.ts';
import type { Derived } from '../events/derived.ts';
import { addRecord, changeRecord, writerOf, writing } from '../events/writer.ts';
import { tenants } from './tenants.columns.ts';
import type { TenantChange, TenantInput } from './tenants.schema.ts';
import { changesOfTenant, referringToTenant, shownOfTenant, tenantShape } from './tenants.store.ts';

export const tenantWriter = writerOf({
  table: tenants,
  shape: tenantShape,
  created: 'tenant.created',
  updated: 'tenant.updated',
});

/** The lease a tenant is shown with, and its unit and property. */
export const derivedOfTenants: Derived = {
  table: tenants,
  shape: tenantShape,
  updated: 'tenant.updated',
  shown: shownOfTenant,
  changes: changesOfTenant,
};

export const addTenant = (db: Db, caller: Caller, input: TenantInput, now: Date): Promise<string> =>
  addRecord(db, tenantWriter, writing(caller, now), newRow(tenants, input));

export const changeTenant = (
  db: Db,
  caller: Caller,
  id: string,
  patch: TenantChange,
  now: Date,
): Promise<string> => changeRecord(db, tenantWriter, writing(caller, now), id, patch);

/** Deleting a tenant also erases what is kept about them elsewhere (privacy/delete-tenant.ts). */
export const deletableTenant: Deletable = {
  table: tenants,
  shape: tenantShape,
  one: 'tenant',
  referring: referringToTenant,
  instead: 'Records of money and repairs stay.',
};
