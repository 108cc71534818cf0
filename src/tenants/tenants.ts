import type { Db } from '../db/connect.ts';
import { newRow } from '../db/records/columns.ts';
import { addRecord, changeRecord, writerOf } from '../events/writer.ts';
import { tenants } from './tenants.columns.ts';
import type { TenantChange, TenantInput } from './tenants.schema.ts';
import { tenantShape } from './tenants.store.ts';

export const tenantWriter = writerOf({
  table: tenants,
  shape: tenantShape,
  created: 'tenant.created',
  updated: 'tenant.updated',
});

export const addTenant = (db: Db, accountId: string, input: TenantInput, now: Date): Promise<string> =>
  addRecord(db, tenantWriter, { accountId, now, events: true }, newRow(tenants, input));

export const changeTenant = (
  db: Db,
  accountId: string,
  id: string,
  patch: TenantChange,
  now: Date,
): Promise<string> => changeRecord(db, tenantWriter, { accountId, now, events: true }, id, patch);
