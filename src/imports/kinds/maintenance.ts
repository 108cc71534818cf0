import { refusedMove } from '../../changes.ts';
import { maintenanceRequests as table } from '../../maintenance/maintenance.columns.ts';
import {
  MaintenanceCreate,
  MaintenancePatch,
  type MaintenanceStatus,
} from '../../maintenance/maintenance.schema.ts';
import { maintenanceWriter, transitions } from '../../maintenance/maintenance.ts';
import { field, type Reader, reference } from '../cells/field.ts';
import { counted, date, dated, integer, money, naming, text, word } from '../cells/readers.ts';
import { maintenanceCategory, maintenancePriority, maintenanceStatus } from '../cells/words.ts';
import { findMaintenanceLike } from '../imports.store.ts';
import type { Draft, Kind } from '../kind.ts';
import { nameHeaders, personFields, resolveTenant } from './people.ts';
import { propertyFields, resolveNamedUnits, resolveProperties, unitFields } from './property-and-unit.ts';
import { lower } from './same.ts';

/** A longer description is cut if it replaces the title. */
const longestTitle = 120;

/** A time as exports write it. A day becomes its noon, which is on the same day almost everywhere. */
const time: Reader = (cell, style) => {
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(cell)) return { value: cell };
  const day = date(cell, style);
  return 'value' in day && typeof day.value === 'string' ? { value: `${day.value}T12:00:00.000Z` } : day;
};

export const maintenance: Kind = {
  name: 'maintenance',
  noun: 'maintenance_request',
  prefix: 'mnt',
  fields: [
    reference('id', text, []),
    reference('external_id', text, [
      'Work Order Number',
      'Work Order No',
      'Work Order ID',
      'Work Order',
      'WO Number',
      'Task ID',
      'Request ID',
      'Request Number',
      'Ticket',
      'Ticket Number',
      'Service Request Number',
      'Reference',
      'Ref',
    ]),
    ...propertyFields,
    ...unitFields,
    reference('tenant_id', text, ['Tenant ID', 'Resident ID', 'Tenant External ID']),
    naming(
      reference('tenant', text, [
        ...nameHeaders,
        'Primary Resident',
        'Requested By',
        'Reported By',
        'Requester',
        'Submitted By',
      ]),
    ),
    ...personFields,
    field('title', text, {
      also: [
        'Subject',
        'Summary',
        'Task',
        'Task Name',
        'Work Order Issue',
        'Issue',
        'Problem',
        'Request',
        'Job Description',
        'Service Request Description',
        'Description',
      ],
      empty: 'kept',
    }),
    field('description', text, {
      also: [
        'Job Description',
        'Details',
        'Instructions',
        'Service Request Description',
        'Notes',
        'Comments',
        'Description',
      ],
    }),
    field('category', word(maintenanceCategory), {
      also: ['Task Category', 'Trade', 'Issue Type', 'Request Type'],
      empty: 'kept',
    }),
    field('priority', word(maintenancePriority), { also: ['Urgency', 'Severity'], empty: 'kept' }),
    field('status', word(maintenanceStatus), {
      also: ['Work Order Status', 'Task Status', 'State'],
      empty: 'kept',
    }),
    field('assigned_to', text, {
      also: ['Vendor', 'Assignee', 'Assigned', 'Technician', 'Contractor', 'Vendor Name'],
    }),
    dated(
      field('scheduled_for', time, {
        also: ['Scheduled Start', 'Scheduled', 'Scheduled Date', 'Appointment'],
      }),
    ),
    dated(field('due_on', date, { also: ['Due Date', 'Due', 'Date Due'] })),
    counted(
      field('cost', money, {
        also: ['Amount', 'Total', 'Total Cost', 'Actual Cost', 'Bill Amount', 'Price'],
        fills: null,
      }),
    ),
    field('cost_cents', integer),
    field('resolution', text, {
      also: ['Work Performed', 'Outcome', 'Completion Notes', 'Resolution Notes'],
    }),
  ],
  needs: [['property_id', 'property'], ['title']],
  create: MaintenanceCreate,
  patch: MaintenancePatch,
  table,
  writer: maintenanceWriter,
  money: { cost: 'cost_cents' },
  hasCurrency: false,
  hasExternalId: true,
  adopts: false,
  repeatable: true,
  fixed: {},
  ids: { property_id: 'prop', unit_id: 'unit', tenant_id: 'ten' },
  conflictField: 'title',
  async resolve(work, drafts) {
    for (const draft of drafts) takeTitle(draft);
    await resolveProperties(work, drafts, true);
    await resolveNamedUnits(work, drafts);
    await resolveTenant(work, drafts.filter(namesTenant));
  },
  nature: ({ values: { property_id, unit_id, title } }) =>
    JSON.stringify([property_id, unit_id ?? null, lower(title)]),
  /** The same work in the same place. Two such rows are two requests: the first is the older one, and so on. */
  async findSame({ tx, accountId }, drafts) {
    const found = await findMaintenanceLike(
      tx,
      accountId,
      drafts.map(({ values }) => ({
        property_id: String(values.property_id),
        unit_id: typeof values.unit_id === 'string' ? values.unit_id : null,
        title: String(values.title),
      })),
    );
    drafts.forEach((draft, at) => {
      draft.recordId = found.get(at)?.[draft.before.count] ?? null;
    });
  },
  refuse(before, next) {
    const status = (row: typeof before) => row.status as MaintenanceStatus;
    const refusal = refusedMove('maintenance request', transitions, status(before), status(next));
    return refusal === null ? null : { field: 'status', reason: refusal.message };
  },
};

/** Some exports have a column for the issue, and leave it empty if the description says everything. */
function takeTitle({ values, problems }: Draft): void {
  if (typeof values.title === 'string') return;
  const { description } = values;
  const [line = ''] = typeof description === 'string' ? description.split(/[\n\r]/) : [];
  if (line === '') problems.push({ field: 'title', reason: 'Must not be empty.' });
  else values.title = line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}

const namesTenant = ({ cells, problems }: Draft): boolean =>
  problems.length === 0 &&
  ['tenant_id', 'tenant', 'email', 'last_name'].some((name) => typeof cells[name] === 'string');
