import { bigint, date, orNull, reference, table, text, time, word } from '../db/records/columns.ts';
import type { MaintenanceStatus } from './maintenance.schema.ts';

export const maintenanceRequests = table(
  'maintenance_requests',
  { alias: 'm', prefix: 'mnt' },
  {
    property_id: reference('prop'),
    unit_id: orNull(reference('unit')),
    tenant_id: orNull(reference('ten')),
    title: text,
    description: orNull(text),
    category: word(),
    priority: word(),
    status: word<MaintenanceStatus>(),
    assigned_to: orNull(text),
    scheduled_for: orNull(time),
    due_on: orNull(date),
    cost_cents: orNull(bigint),
    resolution: orNull(text),
    completed_at: orNull(time),
    external_id: orNull(text),
    source: word(),
  },
);
