import { changedAt } from '../db/changed-at.ts';
import type { Db } from '../db/connect.ts';
import { date, id, number, text, time, timestamp, word } from '../db/json.ts';
import { listRecords, oneOf, type Page, type RecordShape } from '../db/list.ts';
import { type Sql, sql } from '../db/sql.ts';
import { decimalAmount } from '../money.ts';
import type { PageBounds } from '../paging.ts';
import {
  type MaintenanceFilter,
  type MaintenanceStatus,
  maintenancePriorities,
  maintenanceStatuses,
} from './maintenance.schema.ts';

export const maintenanceShape: RecordShape = {
  table: 'maintenance_requests',
  alias: 'm',
  joins: sql`join accounts a on a.id = m.account_id`,
  fields: [
    id('mnt', 'm.id'),
    number('m.number'),
    id('prop', 'm.property_id'),
    id('unit', 'm.unit_id'),
    id('ten', 'm.tenant_id'),
    text('m.title'),
    text('m.description'),
    word('m.category'),
    word('m.priority'),
    word('m.status'),
    text('m.assigned_to'),
    time('m.scheduled_for'),
    date('m.due_on'),
    number('m.cost_cents'),
    word(decimalAmount('m.cost_cents', 'a.currency'), 'cost'),
    word('a.currency'),
    text('m.resolution'),
    time('m.completed_at'),
    word('m.source'),
    time('m.created_at'),
    time('m.updated_at'),
  ],
};

export interface MaintenanceRow {
  property_id: string;
  unit_id: string | null;
  tenant_id: string | null;
  title: string;
  description: string | null;
  category: string;
  priority: string;
  status: MaintenanceStatus;
  assigned_to: string | null;
  scheduled_for: string | null;
  due_on: string | null;
  cost_cents: number | null;
  resolution: string | null;
  completed_at: string | null;
}

/** Takes the account's next number; the row it locks keeps numbers without gaps and without doubles. */
export const takeNumber = (accountId: string): Sql => sql`
  next as (insert into account_counters (account_id, maintenance_number) values (${accountId}, 1)
    on conflict (account_id) do update set maintenance_number = account_counters.maintenance_number + 1
    returning maintenance_number)`;

/**
 * Whether the tenant rents elsewhere only. One without any lease may ask for a repair anywhere, and a property that
 * is not there is complained about as such.
 */
export async function rentsElsewhere(
  db: Db,
  accountId: string,
  tenantId: string,
  propertyId: string,
): Promise<boolean> {
  const [row] = await db.query<{ elsewhere: boolean | null }>(sql`
    select not bool_or(l.property_id = ${propertyId}) as elsewhere
    from lease_tenants lt join leases l on l.account_id = lt.account_id and l.id = lt.lease_id
    where lt.account_id = ${accountId} and lt.tenant_id = ${tenantId}
      and exists (select from properties where account_id = ${accountId} and id = ${propertyId})`);
  return row?.elsewhere ?? false;
}

/** Reads the number from takeNumber's step. */
export const insertMaintenance = (
  accountId: string,
  id: string,
  m: MaintenanceRow,
  source: string,
  createdAt: Date,
): Sql => sql`
  insert into maintenance_requests (account_id, id, number, property_id, unit_id, tenant_id, title, description, category, priority,
    status, assigned_to, scheduled_for, due_on, cost_cents, resolution, completed_at, source, created_at, updated_at)
  select ${accountId}, ${id}, next.maintenance_number, ${m.property_id}, ${m.unit_id}, ${m.tenant_id}, ${m.title}, ${m.description},
    ${m.category}, ${m.priority}, ${m.status}, ${m.assigned_to}, ${m.scheduled_for}, ${m.due_on}, ${m.cost_cents}, ${m.resolution},
    ${m.completed_at}, ${source}, ${createdAt}, ${createdAt}
  from next returning *`;

export async function findMaintenanceForChange(
  tx: Db,
  accountId: string,
  id: string,
): Promise<MaintenanceRow | null> {
  const [row] = await tx.query<MaintenanceRow>(sql`
    select property_id, unit_id, tenant_id, title, description, category, priority, status, assigned_to,
      ${timestamp('scheduled_for')} as scheduled_for, due_on::text, cost_cents::float8 as cost_cents, resolution,
      ${timestamp('completed_at')} as completed_at
    from maintenance_requests where account_id = ${accountId} and id = ${id} for no key update`);
  return row ?? null;
}

export const updateMaintenance = (accountId: string, id: string, m: MaintenanceRow, now: Date): Sql => sql`
  update maintenance_requests set property_id = ${m.property_id}, unit_id = ${m.unit_id}, tenant_id = ${m.tenant_id},
    title = ${m.title}, description = ${m.description}, category = ${m.category}, priority = ${m.priority}, status = ${m.status},
    assigned_to = ${m.assigned_to}, scheduled_for = ${m.scheduled_for}, due_on = ${m.due_on}, cost_cents = ${m.cost_cents},
    resolution = ${m.resolution}, completed_at = ${m.completed_at}, updated_at = ${changedAt('maintenance_requests', now)}
  where account_id = ${accountId} and id = ${id} returning *`;

/** Each index has the columns of the ones before it in front of the id, so a filter left open means all its values. */
export function listMaintenance(
  db: Db,
  accountId: string,
  filter: MaintenanceFilter,
  bounds: PageBounds,
): Promise<Page> {
  const { property_id, tenant_id, status, priority } = filter;
  if (tenant_id !== undefined) {
    const conditions = [
      ...(property_id === undefined ? [] : [sql`m.property_id = ${property_id}`]),
      ...(status === undefined ? [] : [sql`m.status = any(${status})`]),
      ...(priority === undefined ? [] : [sql`m.priority = any(${priority})`]),
    ];
    const few = sql`m.tenant_id = ${tenant_id}`;
    return listRecords(db, maintenanceShape, { accountId, bounds, few, conditions });
  }
  const statuses = status ?? (property_id === undefined ? undefined : maintenanceStatuses);
  const priorities = priority ?? (statuses === undefined ? undefined : maintenancePriorities);
  const selection = [
    ...(property_id === undefined
      ? []
      : [{ column: 'property_id', value: property_id, many: true as const }]),
    ...(statuses === undefined ? [] : [oneOf('status', statuses)]),
    ...(priorities === undefined ? [] : [oneOf('priority', priorities)]),
  ];
  return listRecords(db, maintenanceShape, { accountId, bounds, selections: [selection] });
}
