import type { Caller } from '../caller.ts';
import { changes, merged, refusedMove, type Transitions } from '../changes.ts';
import type { Db } from '../db/connect.ts';
import { newRow, type RowOf } from '../db/records/columns.ts';
import { getRecord } from '../db/records/list.ts';
import { findRows, insertRows, updateRows } from '../db/records/rows.ts';
import { raw } from '../db/sql.ts';
import { refuseViolations } from '../db/violations.ts';
import { invalidField, notFound } from '../errors.ts';
import { recordOne } from '../events/record.ts';
import { maintenanceRequests } from './maintenance.columns.ts';
import type { MaintenanceChange, MaintenanceInput, MaintenanceStatus } from './maintenance.schema.ts';
import { maintenanceShape, rentsElsewhere, takeNumber } from './maintenance.store.ts';

export { maintenanceShape } from './maintenance.store.ts';

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
  { accountId, actor, source }: Caller,
  input: MaintenanceInput,
  now: Date,
): Promise<string> {
  const completed = input.status === 'completed';
  const row = newRow(maintenanceRequests, {
    ...input,
    completed_at: completed ? now.toISOString() : null,
    source,
  });
  await checkTenant(db, accountId, row);
  return refuseViolations('maintenance_requests', () =>
    recordOne(db, {
      accountId,
      actor,
      shape: maintenanceShape,
      first: takeNumber(accountId),
      rows: insertRows(maintenanceRequests, accountId, [row], {
        values: { number: raw('next.maintenance_number') },
        joins: raw('cross join next'),
      }),
      events: completed
        ? ['maintenance_request.created', 'maintenance_request.completed']
        : ['maintenance_request.created'],
      bounded: true,
    }),
  );
}

export function changeMaintenance(
  db: Db,
  { accountId, actor }: Caller,
  id: string,
  patch: MaintenanceChange,
  now: Date,
): Promise<string> {
  return db.transaction(async (tx) => {
    const [current] = await findRows(tx, maintenanceRequests, accountId, [id], true);
    if (!current) throw notFound();
    if (!changes(current, patch)) return getRecord(tx, maintenanceShape, accountId, id);
    const next = { ...merged<Row>(current, patch), id };
    if (next.tenant_id !== current.tenant_id || next.property_id !== current.property_id)
      await checkTenant(tx, accountId, next);
    const completed = next.status === 'completed' && current.status !== 'completed';
    if (completed) next.completed_at = now.toISOString();
    else if (next.status !== 'completed') next.completed_at = null;

    const json = await refuseViolations('maintenance_requests', () =>
      recordOne(tx, {
        accountId,
        actor,
        shape: maintenanceShape,
        rows: updateRows(maintenanceRequests, accountId, [next], now),
        events: completed
          ? ['maintenance_request.updated', 'maintenance_request.completed']
          : ['maintenance_request.updated'],
        bounded: true,
      }),
    );
    // Checked last, and undone with the transaction: the 400 for a wrong reference comes before this 409.
    const refusal = refusedMove('maintenance request', transitions, current.status, next.status);
    if (refusal) throw refusal;
    return json;
  });
}

type Row = RowOf<typeof maintenanceRequests>;

/** Refuses a tenant of another property. */
async function checkTenant(db: Db, accountId: string, { tenant_id, property_id }: Row): Promise<void> {
  if (tenant_id === null || !(await rentsElsewhere(db, accountId, tenant_id, property_id))) return;
  throw invalidField('tenant_id', 'This tenant has leases in other properties only.');
}
