import type { Caller } from '../caller.ts';
import { changes, merged, refusedMove, type Transitions } from '../changes.ts';
import type { Db } from '../db/connect.ts';
import { findRecord, type Page } from '../db/list.ts';
import { refuseViolations } from '../db/violations.ts';
import { conflict, invalidField, notFound } from '../errors.ts';
import { recordOne } from '../events/record.ts';
import { idTime, newId } from '../ids.ts';
import type { PageBounds } from '../paging.ts';
import type {
  MaintenanceChange,
  MaintenanceFilter,
  MaintenanceInput,
  MaintenanceStatus,
} from './maintenance.schema.ts';
import * as store from './maintenance.store.ts';

const fromUnfinished: MaintenanceStatus[] = [
  'open',
  'scheduled',
  'in_progress',
  'on_hold',
  'completed',
  'cancelled',
];
export const transitions: Transitions<MaintenanceStatus> = {
  open: fromUnfinished,
  scheduled: fromUnfinished,
  in_progress: fromUnfinished,
  on_hold: fromUnfinished,
  completed: ['open'],
  cancelled: [],
};

export async function requestMaintenance(
  db: Db,
  caller: Caller,
  input: MaintenanceInput,
  now: Date,
): Promise<string> {
  const { accountId } = caller;
  const id = newId();
  const row: store.MaintenanceRow = {
    property_id: input.property_id,
    unit_id: input.unit_id ?? null,
    tenant_id: input.tenant_id ?? null,
    title: input.title,
    description: input.description ?? null,
    category: input.category,
    priority: input.priority,
    status: input.status,
    assigned_to: input.assigned_to ?? null,
    scheduled_for: input.scheduled_for ?? null,
    due_on: input.due_on ?? null,
    cost_cents: input.cost_cents ?? null,
    resolution: input.resolution ?? null,
    completed_at: input.status === 'completed' ? now.toISOString() : null,
  };
  await checkTenant(db, accountId, row);
  const json = await refuseViolations('maintenance_requests', () =>
    recordOne(db, {
      accountId,
      shape: store.maintenanceShape,
      first: store.takeNumber(accountId),
      rows: store.insertMaintenance(accountId, id, row, caller.source, idTime(id)),
      events:
        row.status === 'completed'
          ? ['maintenance_request.created', 'maintenance_request.completed']
          : ['maintenance_request.created'],
    }),
  );
  if (json === null) throw new Error('An inserted maintenance request returned no row.');
  return json;
}

export function changeMaintenance(
  db: Db,
  accountId: string,
  id: string,
  patch: MaintenanceChange,
  now: Date,
): Promise<string> {
  return db.transaction(async (tx) => {
    const current = await store.findMaintenanceForChange(tx, accountId, id);
    if (!current) throw notFound();
    if (!changes(current, patch)) return getMaintenance(tx, accountId, id);
    const next = merged(current, patch);
    if (next.tenant_id !== current.tenant_id || next.property_id !== current.property_id)
      await checkTenant(tx, accountId, next);
    const completed = next.status === 'completed' && current.status !== 'completed';
    if (completed) next.completed_at = now.toISOString();
    else if (next.status !== 'completed') next.completed_at = null;

    const json = await refuseViolations('maintenance_requests', () =>
      recordOne(tx, {
        accountId,
        shape: store.maintenanceShape,
        rows: store.updateMaintenance(accountId, id, next, now),
        events: completed
          ? ['maintenance_request.updated', 'maintenance_request.completed']
          : ['maintenance_request.updated'],
      }),
    );
    // Last, and undone with the transaction: a reference to nothing is a 400, which comes before a 409.
    const refusal = refusedMove('maintenance request', transitions, current.status, next.status);
    if (refusal) throw conflict(refusal);
    return json ?? getMaintenance(tx, accountId, id);
  });
}

/** A tenant of another property does not fit. */
async function checkTenant(
  db: Db,
  accountId: string,
  { tenant_id, property_id }: store.MaintenanceRow,
): Promise<void> {
  if (tenant_id === null || !(await store.rentsElsewhere(db, accountId, tenant_id, property_id))) return;
  throw invalidField('tenant_id', 'This tenant has leases in other properties only.');
}

export async function getMaintenance(db: Db, accountId: string, id: string): Promise<string> {
  const json = await findRecord(db, store.maintenanceShape, accountId, id);
  if (json === null) throw notFound();
  return json;
}

export function listMaintenance(
  db: Db,
  accountId: string,
  filter: MaintenanceFilter,
  bounds: PageBounds,
): Promise<Page> {
  return store.listMaintenance(db, accountId, filter, bounds);
}
