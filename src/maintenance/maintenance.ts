import type { Caller } from '../caller.ts';
import { changes, merged, refusedMove, type Transitions } from '../changes.ts';
import type { Db } from '../db/connect.ts';
import { newRow, type RowOf, type WithId } from '../db/records/columns.ts';
import { refuseTaken } from '../db/records/external-ids.ts';
import { findRows, insertRows, updateRows } from '../db/records/rows.ts';
import { getRecord } from '../db/records/shape.ts';
import { refuseViolations } from '../db/violations.ts';
import { invalidField, notFound } from '../errors.ts';
import type { SubscribableEvent } from '../events/catalogue.ts';
import { recordOne } from '../events/record.ts';
import { recordRows, type Writer } from '../events/writer.ts';
import { maintenanceRequests } from './maintenance.columns.ts';
import type { MaintenanceChange, MaintenanceInput, MaintenanceStatus } from './maintenance.schema.ts';
import { findAskedElsewhere, maintenanceShape, withNumbers } from './maintenance.store.ts';

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
  await checkTenants(db, accountId, [row]);
  await refuseTaken(db, maintenanceRequests, accountId, [row]);
  return refuseViolations('maintenance_requests', () =>
    withNumbers(db, accountId, 1, (on, first, computed) =>
      recordOne(on, {
        accountId,
        actor,
        shape: maintenanceShape,
        ...first,
        rows: insertRows(maintenanceRequests, accountId, [row], computed),
        events: eventsOf('created', completed),
        bounded: true,
      }),
    ),
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
      await checkTenants(tx, accountId, [next]);
    await refuseTaken(tx, maintenanceRequests, accountId, [next], new Map([[id, current]]));
    const completed = setCompletion(next, current, now);
    const json = await refuseViolations('maintenance_requests', () =>
      recordOne(tx, {
        accountId,
        actor,
        shape: maintenanceShape,
        rows: updateRows(maintenanceRequests, accountId, [next], now),
        ids: [id],
        events: eventsOf('updated', completed),
        bounded: true,
      }),
    );
    // Checked last, and rolled back with the transaction: the 400 for a wrong reference comes before this 409.
    const refusal = refusedMove('maintenance request', transitions, current.status, next.status);
    if (refusal) throw refusal;
    return json;
  });
}

type Row = RowOf<typeof maintenanceRequests>;

const eventsOf = (what: 'created' | 'updated', completed: boolean): SubscribableEvent[] =>
  completed
    ? [`maintenance_request.${what}`, 'maintenance_request.completed']
    : [`maintenance_request.${what}`];

/** Sets the time of completion. Returns whether it is completed now. */
function setCompletion(next: Row, before: Row | undefined, now: Date): boolean {
  const completed = next.status === 'completed' && before?.status !== 'completed';
  if (completed) next.completed_at = now.toISOString();
  else if (next.status !== 'completed') next.completed_at = null;
  return completed;
}

/** Refuses a tenant of another property. */
async function checkTenants(db: Db, accountId: string, rows: WithId<Row>[]): Promise<void> {
  const elsewhere = await findAskedElsewhere(db, accountId, rows);
  if (elsewhere.size > 0) throw invalidField('tenant_id', 'This tenant has leases in other properties only.');
}

/** Writes many at once, for imports. */
export const maintenanceWriter: Writer<Row> = {
  shape: () => maintenanceShape,
  find: (db, accountId, ids, lock) => findRows(db, maintenanceRequests, accountId, ids, lock),
  async add(db, how, rows) {
    await checkTenants(db, how.accountId, rows);
    await refuseTaken(db, maintenanceRequests, how.accountId, rows);
    return byCompletion(
      rows,
      (row) => setCompletion(row, undefined, how.now),
      (some, completed) =>
        withNumbers(db, how.accountId, some.length, (on, first, computed) =>
          recordRows(on, how, {
            shape: maintenanceShape,
            ...first,
            rows: insertRows(maintenanceRequests, how.accountId, some, computed),
            count: some.length,
            events: eventsOf('created', completed),
          }),
        ),
    );
  },
  async change(tx, how, rows, before) {
    await checkTenants(tx, how.accountId, rows);
    await refuseTaken(tx, maintenanceRequests, how.accountId, rows, before);
    return byCompletion(
      rows,
      (row) => setCompletion(row, before.get(row.id), how.now),
      (some, completed) =>
        recordRows(tx, how, {
          shape: maintenanceShape,
          rows: updateRows(maintenanceRequests, how.accountId, some, how.now),
          ids: some.map(({ id }) => id),
          events: eventsOf('updated', completed),
        }),
    );
  },
};

/** Writes completed requests and all others separately, each with their own events. */
async function byCompletion(
  rows: WithId<Row>[],
  isCompleted: (row: WithId<Row>) => boolean,
  write: (rows: WithId<Row>[], completed: boolean) => Promise<string[]>,
): Promise<string[]> {
  const groups = Map.groupBy(rows, isCompleted);
  const written: string[] = [];
  for (const [completed, some] of groups)
    written.push(...(await refuseViolations('maintenance_requests', () => write(some, completed))));
  return written;
}
