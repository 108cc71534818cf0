import { z } from 'zod';
import { expandedFields, expandQuery } from '../../expand/expand.schema.ts';
import {
  calendarDate,
  cents,
  choice,
  choiceFilter,
  exactExternalId,
  externalId,
  flag,
  idOf,
  month,
  optionally,
  optionalText,
  publicId,
  requiredText,
  searchedWords,
  searchText,
  shownDecimal,
  shownExternalId,
  timestamp,
} from '../../fields.ts';
import { sortedQuery } from '../../paging.ts';

/** Rent comes from the lease. All other kinds may recur. */
export const recurringKinds = [
  'deposit',
  'late_fee',
  'returned_payment',
  'utility',
  'parking',
  'pet',
  'repair',
  'fee',
  'other',
] as const;
export const chargeKinds = ['rent', ...recurringKinds] as const;
export type ChargeKind = (typeof chargeKinds)[number];

const chargeSources = ['api', 'dashboard', 'import', 'schedule', 'late_fee'] as const;
export type ChargeSource = (typeof chargeSources)[number];

/** Why the service itself voids charges. */
export const ownVoidReasons = [
  'schedule_changed',
  'paid_in_time',
  'amount_changed',
  'charge_voided',
  'lease_deleted',
] as const;
export type OwnVoidReason = (typeof ownVoidReasons)[number];

export const chargeStatuses = ['upcoming', 'open', 'partial', 'paid', 'voided'] as const;

const { tenants, lease, unit, property } = expandedFields;

export const Charge = z
  .object({
    id: publicId('chg'),
    lease_id: publicId('lease'),
    property_id: publicId('prop'),
    unit_id: publicId('unit'),
    kind: z.enum(chargeKinds),
    amount_cents: z.int().meta({ description: 'Amount in minor units.', examples: [125000] }),
    amount: shownDecimal,
    currency: z.string().meta({ description: "The lease's.", examples: ['USD'] }),
    due_on: z.iso.date().meta({ description: 'It counts from this day on.' }),
    period: z
      .string()
      .nullable()
      .meta({ description: 'The month that a rent is for.', examples: ['2026-11'] }),
    memo: z.string().nullable(),
    external_id: shownExternalId,
    source: z.enum(chargeSources).meta({
      description: '`schedule`: made from the lease or a recurring charge; `late_fee`: by a late-fee policy.',
    }),
    recurring_charge_id: publicId('rec').nullable(),
    late_fee_for: publicId('chg').nullable().meta({ description: 'The rent charge that was late.' }),
    voided_on: z.iso.date().nullable(),
    void_reason: z
      .string()
      .nullable()
      .meta({
        description: `What a person wrote, or why the service itself voided it: ${ownVoidReasons.map((each) => `\`${each}\``).join(', ')}.`,
      }),
    status: z.enum(chargeStatuses).meta({
      description:
        'As of today. Nothing is open of a charge that does not count, because it is due before the ledger begins or not in the currency of the lease, so it is `paid`.',
    }),
    open_cents: z.int().meta({ description: 'What is still to be paid of it, as of today.' }),
    open: shownDecimal,
    created_at: timestamp,
    updated_at: timestamp,
    tenants,
    lease,
    unit,
    property,
  })
  .meta({ id: 'Charge', description: 'Something that a lease owes.' });

export const ChargeCreate = z
  .object({
    lease_id: idOf('lease'),
    kind: choice(chargeKinds).meta({ examples: ['utility'] }),
    amount_cents: cents.meta({
      description: 'Amount in minor units: 125000 is 1250.00.',
      examples: [125000],
    }),
    due_on: calendarDate,
    period: optionally(month).meta({ description: 'The month that a rent is for: one charge for each.' }),
    memo: optionalText(2000),
    external_id: externalId,
  })
  .meta({ id: 'ChargeCreate' });

export const Void = z
  .object({ reason: requiredText(500).meta({ examples: ['Charged by mistake.'] }) })
  .meta({ id: 'Void' });

const expand = expandQuery(['tenant', 'lease', 'unit', 'property']);

export const ChargeQuery = z.object(expand);

export const chargeSortFields = ['due_on'] as const;

export const ChargeList = z.object({
  lease_id: idOf('lease').optional(),
  tenant_id: idOf('ten').optional(),
  property_id: idOf('prop').optional(),
  external_id: exactExternalId,
  kind: choiceFilter(chargeKinds),
  status: choiceFilter(chargeStatuses),
  overdue: flag.optional().meta({ description: '`true`: only what was due before today and is still open.' }),
  from: calendarDate.optional().meta({ description: 'First `due_on` to include.' }),
  to: calendarDate.optional().meta({ description: 'Last `due_on` to include.' }),
  q: searchText.optional().meta({
    description: `Words in the names of its tenants, unit or property, or in its memo or \`external_id\`. ${searchedWords}`,
  }),
  ...expand,
  ...sortedQuery(chargeSortFields),
});

export type ChargeInput = z.output<typeof ChargeCreate>;
export type ChargeFilter = z.output<typeof ChargeList>;
