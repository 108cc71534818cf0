import { z } from 'zod';
import { expandedFields, expandQuery } from '../expand/expand.schema.ts';
import {
  calendarDate,
  cents,
  choice,
  choiceFilter,
  currency,
  exactExternalId,
  externalId,
  idOf,
  month,
  optionally,
  optionalText,
  publicId,
  searchedWords,
  searchText,
  shownDecimal,
  shownExternalId,
  timestamp,
} from '../fields.ts';
import { sortedQuery } from '../paging.ts';
import { patchOf } from '../shapes.ts';

export const paymentStatuses = ['pending', 'paid', 'failed', 'returned', 'refunded', 'voided'] as const;
const paymentMethods = ['cash', 'check', 'bank_transfer', 'card', 'online', 'other'] as const;

const { tenant, lease, unit, property } = expandedFields;

export const Payment = z
  .object({
    id: publicId('pay'),
    tenant_id: publicId('ten'),
    lease_id: publicId('lease')
      .nullable()
      .meta({ description: 'The lease whose rent it pays. Null while the tenant has none.' }),
    property_id: publicId('prop').nullable(),
    unit_id: publicId('unit').nullable(),
    charge_id: publicId('chg').nullable().meta({ description: 'The charge that it pays first.' }),
    amount_cents: z.int().meta({ description: 'Amount in minor units.', examples: [125000] }),
    amount: shownDecimal,
    currency: z.string().meta({ examples: ['USD'] }),
    paid_on: z.iso.date(),
    method: z.enum(paymentMethods),
    status: z.enum(paymentStatuses),
    reversed_on: z.iso.date().nullable().meta({
      description: 'The day on which it was returned or refunded; it counts up to the day before.',
    }),
    period: z
      .string()
      .nullable()
      .meta({ description: 'The month the rent is for.', examples: ['2026-11'] }),
    reference: z.string().nullable(),
    memo: z.string().nullable(),
    external_id: shownExternalId,
    source: z.enum(['api', 'dashboard', 'import']),
    created_at: timestamp,
    updated_at: timestamp,
    tenant,
    lease,
    unit,
    property,
  })
  .meta({ id: 'Payment', description: 'A rent payment.' });

const leaseAndCharge = {
  lease_id: optionally(idOf('lease')).meta({
    description:
      "One of the tenant's leases. Default: the one that runs or ends on `paid_on`, else the next one, else the last ended one.",
  }),
  charge_id: optionally(idOf('chg')).meta({
    description: 'A charge that it pays first. The lease is that of the charge.',
  }),
};

const reversal = {
  reversed_on: optionally(calendarDate).meta({
    description:
      'The day on which it was returned or refunded, not before `paid_on`; only with these statuses. Default: today.',
  }),
};

const fee = {
  fee_cents: cents
    .nullable()
    .optional()
    .meta({
      description:
        'Only when it becomes returned or refunded: a fee that the lease is charged, due on `reversed_on`, in minor units.',
      examples: [2500],
    }),
};

const changeable = {
  ...leaseAndCharge,
  amount_cents: cents,
  currency,
  paid_on: calendarDate,
  method: choice(paymentMethods),
  status: choice(paymentStatuses),
  ...reversal,
  ...fee,
  period: optionally(month),
  reference: optionalText(200),
  memo: optionalText(2000),
  external_id: externalId,
};

export const PaymentCreate = z
  .object({
    tenant_id: idOf('ten'),
    ...leaseAndCharge,
    amount_cents: cents.meta({
      description: 'Amount in minor units: 125000 is 1250.00.',
      examples: [125000],
    }),
    currency: currency.optional().meta({ description: "Default: the lease's currency, else the account's." }),
    paid_on: calendarDate.optional().meta({ description: 'Default: today.' }),
    method: choice(paymentMethods).default('other'),
    status: choice(paymentStatuses).default('paid'),
    ...reversal,
    ...fee,
    period: optionally(month).meta({ description: 'The month the rent is for.' }),
    reference: optionalText(200),
    memo: optionalText(2000),
    external_id: externalId,
  })
  .meta({ id: 'PaymentCreate' });

export const PaymentPatch = patchOf(changeable).meta({ id: 'PaymentPatch' });

const expand = expandQuery(['tenant', 'lease', 'unit', 'property']);

export const PaymentQuery = z.object(expand);

export const paymentSortFields = ['paid_on'] as const;

export const PaymentList = z.object({
  external_id: exactExternalId,
  status: choiceFilter(paymentStatuses),
  tenant_id: idOf('ten').optional(),
  lease_id: idOf('lease').optional(),
  property_id: idOf('prop').optional(),
  from: calendarDate.optional().meta({ description: 'First `paid_on` to include.' }),
  to: calendarDate.optional().meta({ description: 'Last `paid_on` to include.' }),
  q: searchText.optional().meta({
    description: `Words in the names of its tenant, unit or property, or in its reference, memo or \`external_id\`. ${searchedWords}`,
  }),
  ...expand,
  ...sortedQuery(paymentSortFields),
});

/** The totals of a list of payments by currency and status. It takes the list's filters but is not paged. */
export const PaymentTotals = z.object({
  count: z.int(),
  totals: z.array(
    z.object({
      currency: z.string(),
      status: z.enum(paymentStatuses),
      count: z.int(),
      amount_cents: z.int(),
      amount: z.string(),
    }),
  ),
});

export type PaymentTotals = z.output<typeof PaymentTotals>;
export type PaymentStatus = (typeof paymentStatuses)[number];
export type PaymentInput = z.output<typeof PaymentCreate>;
export type PaymentChange = z.output<typeof PaymentPatch>;
export type PaymentFilter = z.output<typeof PaymentList>;
