import { needScope } from '../api-keys/scopes.ts';
import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { newRow } from '../db/records/columns.ts';
import { getRecord } from '../db/records/shape.ts';
import { AppError, badRequest } from '../errors.ts';
import { addRecord, writing } from '../events/writer.ts';
import { makeLease } from '../leases/leases.ts';
import { tenants } from '../tenants/tenants.columns.ts';
import { addTenant, tenantWriter } from '../tenants/tenants.ts';
import type { MoveIn, NewTenantInput } from './move-in.schema.ts';

/** Adds a tenant, with their lease if there is one. */
export const addWithLease = (
  db: Db,
  caller: Caller,
  { lease, ...person }: NewTenantInput,
  now: Date,
): Promise<string> =>
  lease ? moveIn(db, caller, { ...person, lease }, now) : addTenant(db, caller, person, now);

/** A key that may not make leases must not do so by adding tenants. */
export function needScopes(caller: Caller, { lease }: NewTenantInput): void {
  if (lease) needScope(caller, 'leases');
}

/**
 * Adds a tenant and their lease: both, or neither. The events are the same as if one had been added after the other.
 */
function moveIn(db: Db, caller: Caller, { lease, ...person }: MoveIn, now: Date): Promise<string> {
  const how = writing(caller, now);
  const row = newRow(tenants, person);
  return db.transaction(async (tx) => {
    await addRecord(tx, tenantWriter, how, row);
    await inLease(() => makeLease(tx, caller, { ...lease, tenant_ids: [row.id] }, now));
    // The tenant has a lease, a unit and a property only now.
    return getRecord(tx, tenantWriter.shape(how.accountId, how.today), how.accountId, row.id);
  });
}

/** Reports errors in a field of the lease under `lease`, as when the body is checked. */
async function inLease(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || typeof error.publicMessage === 'string') throw error;
    const { formErrors, fieldErrors } = error.publicMessage;
    const lease = Object.entries(fieldErrors).flatMap(([field, told]) =>
      told.map((each) => `${field}: ${each}`),
    );
    throw badRequest('validation_failed', { formErrors, fieldErrors: { lease } });
  }
}
