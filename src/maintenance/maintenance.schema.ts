import { z } from 'zod';
import { expandedFields, expandQuery } from '../expand/expand.schema.ts';
import {
  calendarDate,
  cents,
  choice,
  choiceFilter,
  exactExternalId,
  externalId,
  idOf,
  moment,
  optionally,
  optionalText,
  publicId,
  requiredText,
  searchedWords,
  searchText,
  shownExternalId,
  timestamp,
} from '../fields.ts';
import { sortedQuery } from '../paging.ts';
import { patchOf } from '../shapes.ts';

export const maintenanceStatuses = [
  'open',
  'scheduled',
  'in_progress',
  'on_hold',
  'completed',
  'cancelled',
] as const;
export const maintenancePriorities = ['low', 'medium', 'high', 'emergency'] as const;
const maintenanceCategories = [
  'plumbing',
  'electrical',
  'hvac',
  'appliance',
  'structural',
  'pest',
  'other',
] as const;

const { tenant, unit, property } = expandedFields;

export const MaintenanceRequest = z
  .object({
    id: publicId('mnt'),
    number: z.int().meta({ description: 'Counts up from 1 in the account.', examples: [42] }),
    property_id: publicId('prop'),
    unit_id: publicId('unit').nullable(),
    tenant_id: publicId('ten').nullable(),
    title: z.string().meta({ examples: ['Kitchen tap drips'] }),
    description: z.string().nullable(),
    category: z.enum(maintenanceCategories),
    priority: z.enum(maintenancePriorities),
    status: z.enum(maintenanceStatuses),
    assigned_to: z.string().nullable(),
    scheduled_for: timestamp.nullable(),
    due_on: z.iso.date().nullable(),
    cost_cents: z.int().nullable(),
    cost: z
      .string()
      .nullable()
      .meta({ description: 'The same amount as a decimal.', examples: ['85.00'] }),
    currency: z.string().meta({ description: "The account's currency.", examples: ['USD'] }),
    resolution: z.string().nullable(),
    completed_at: timestamp.nullable(),
    external_id: shownExternalId,
    source: z.enum(['api', 'dashboard', 'import']),
    created_at: timestamp,
    updated_at: timestamp,
    tenant,
    unit,
    property,
  })
  .meta({ id: 'MaintenanceRequest', description: 'Something to repair or to do.' });

const title = requiredText(300).meta({ examples: ['Kitchen tap drips'] });
const optionalFields = {
  unit_id: idOf('unit').nullable().optional().meta({ description: 'A unit of that property.' }),
  tenant_id: idOf('ten').nullable().optional().meta({ description: 'Who asked for it.' }),
  description: optionalText(10_000),
  assigned_to: optionalText(200),
  scheduled_for: optionally(moment),
  due_on: optionally(calendarDate),
  cost_cents: cents.nullable().optional(),
  resolution: optionalText(10_000),
  external_id: externalId,
};

export const MaintenanceCreate = z
  .object({
    property_id: idOf('prop'),
    title,
    ...optionalFields,
    category: choice(maintenanceCategories).default('other'),
    priority: choice(maintenancePriorities).default('medium'),
    status: choice(maintenanceStatuses).default('open'),
  })
  .meta({ id: 'MaintenanceRequestCreate' });

export const MaintenancePatch = patchOf({
  property_id: idOf('prop'),
  title,
  ...optionalFields,
  category: choice(maintenanceCategories),
  priority: choice(maintenancePriorities),
  status: choice(maintenanceStatuses),
}).meta({ id: 'MaintenanceRequestPatch' });

const expand = expandQuery(['tenant', 'unit', 'property']);

export const MaintenanceQuery = z.object(expand);

export const maintenanceSortFields = ['due_on', 'priority'] as const;

export const MaintenanceList = z.object({
  external_id: exactExternalId,
  status: choiceFilter(maintenanceStatuses),
  priority: choiceFilter(maintenancePriorities),
  property_id: idOf('prop').optional(),
  tenant_id: idOf('ten').optional(),
  q: searchText.optional().meta({
    description: `Words in its title, description, number, assignee or \`external_id\`, or in the names of its tenant, unit or property. ${searchedWords}`,
  }),
  ...expand,
  ...sortedQuery(maintenanceSortFields),
});

export type MaintenanceStatus = (typeof maintenanceStatuses)[number];
export type MaintenanceInput = z.output<typeof MaintenanceCreate>;
export type MaintenanceChange = z.output<typeof MaintenancePatch>;
export type MaintenanceFilter = z.output<typeof MaintenanceList>;
