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
  optionally,
  publicId,
  searchedWords,
  searchText,
  shownDecimal,
  shownExternalId,
  timestamp,
  wholeNumber,
} from '../fields.ts';
import { LateFees } from '../ledger/rules/late-fee-policy.ts';
import { leaseStatuses } from '../ledger/rules/lease-status.ts';
import { prorations } from '../ledger/rules/schedule.ts';
import { maxCents } from '../money.ts';
import { sortedQuery } from '../paging.ts';
import { patchOf } from '../shapes.ts';

const { tenants, unit, property } = expandedFields;

export const Lease = z
  .object({
    id: publicId('lease'),
    unit_id: publicId('unit'),
    property_id: publicId('prop'),
    tenant_ids: z.array(publicId('ten')),
    start_date: z.iso.date(),
    end_date: z.iso.date().nullable().meta({ description: 'Last day as agreed; null is month to month.' }),
    rent_cents: z
      .int()
      .meta({ description: 'Rent of one month on the first day of the lease.', examples: [125000] }),
    rent: shownDecimal,
    current_rent_cents: z.int().meta({ description: 'Rent of one month today.', examples: [125000] }),
    current_rent: shownDecimal,
    deposit_cents: z.int().nullable(),
    deposit: z.string().nullable(),
    currency: z.string().meta({ examples: ['USD'] }),
    due_day: z.int().meta({ description: 'Day of the month on which rent is due, 1 to 28.' }),
    notice_given_on: z.iso.date().nullable(),
    ended_on: z.iso
      .date()
      .nullable()
      .meta({ description: 'The day it actually ended; from that day on the unit is free.' }),
    status: z.enum(leaseStatuses).meta({ description: 'From the dates, as of today.' }),
    rent_changes: z.array(z.object({ from: z.iso.date(), rent_cents: z.int() })).meta({
      description: 'Other rents from later days on. A change within a month applies from the next month.',
    }),
    proration: z.enum(prorations),
    ledger_from: z.iso.date(),
    opening_balance_cents: z.int(),
    opening_balance: shownDecimal,
    late_fees: LateFees,
    external_id: shownExternalId,
    created_at: timestamp,
    updated_at: timestamp,
    tenants,
    unit,
    property,
  })
  .meta({
    id: 'Lease',
    description: 'The agreement by which tenants rent a unit. Leases of one unit never overlap.',
  });

const tenantIds = z
  .array(idOf('ten'), 'Must be a list of tenant ids.')
  .min(1, 'Must name at least one tenant.')
  .max(20, 'Must name at most 20 tenants.')
  .refine((ids) => new Set(ids).size === ids.length, 'Must name each tenant once.');

const rentChanges = z
  .array(z.object({ from: calendarDate, rent_cents: cents }), 'Must be a list of {from, rent_cents}.')
  .max(200, 'Must have at most 200 changes.')
  .refine((all) => new Set(all.map(({ from }) => from)).size === all.length, 'Must name each day once.')
  .transform((all) => all.toSorted((a, b) => (a.from < b.from ? -1 : 1)))
  .meta({
    description:
      'Rents that apply from later days on (`from`, YYYY-MM-DD); `rent_cents` stays the rent of the first day.',
  });

const proration = choice(prorations).meta({
  description:
    'How a part of the first or last month is charged: by days of that month, by days of a month of thirty, or the whole rent.',
});
const ledgerFrom = calendarDate.meta({
  description:
    'The ledger begins on this day; what is due or dated before does not count. Default: the later of `start_date` and the first of the month in which the lease is recorded.',
});
const openingBalance = z
  .int('Must be a whole number of minor units.')
  .min(-maxCents)
  .max(maxCents)
  .meta({ description: 'What was owed when the ledger began, in minor units; negative is a credit.' });

const optionalFields = {
  end_date: optionally(calendarDate).meta({ description: 'Last day; null is month to month.' }),
  deposit_cents: cents.nullable().optional(),
  notice_given_on: optionally(calendarDate),
  ended_on: optionally(calendarDate).meta({ description: 'Ends the lease on this day, early or late.' }),
  external_id: externalId,
};
const dueDay = wholeNumber(1, 28);

export const LeaseCreate = z
  .object({
    unit_id: idOf('unit'),
    tenant_ids: tenantIds,
    start_date: calendarDate,
    rent_cents: cents.meta({ examples: [125000] }),
    currency: currency.optional().meta({ description: "Default: the account's." }),
    due_day: dueDay.default(1),
    rent_changes: rentChanges.default([]),
    proration: proration.default('actual_days'),
    ledger_from: ledgerFrom.optional(),
    opening_balance_cents: openingBalance.default(0),
    late_fees: LateFees.default('inherit'),
    ...optionalFields,
  })
  .meta({ id: 'LeaseCreate' });

export const LeasePatch = patchOf({
  tenant_ids: tenantIds,
  start_date: calendarDate,
  rent_cents: cents.meta({
    description:
      'Rent of one month from the first day on, in minor units: past charges are replaced. For a raise, use `rent_changes` or renew the lease.',
  }),
  currency,
  due_day: dueDay,
  rent_changes: rentChanges,
  proration,
  ledger_from: ledgerFrom,
  opening_balance_cents: openingBalance,
  late_fees: LateFees,
  ...optionalFields,
}).meta({ id: 'LeasePatch' });

const expand = expandQuery(['tenant', 'unit', 'property']);

export const LeaseQuery = z.object(expand);

export const leaseSortFields = ['start_date', 'end_date', 'rent_cents'] as const;

export const LeaseList = z.object({
  external_id: exactExternalId,
  status: choiceFilter(leaseStatuses),
  property_id: idOf('prop').optional(),
  unit_id: idOf('unit').optional(),
  tenant_id: idOf('ten').optional(),
  ends_by: calendarDate.optional().meta({
    description: 'Only leases that end on this day or before: on `ended_on`, else on `end_date`.',
  }),
  q: searchText.optional().meta({
    description: `Words in the names of its tenants, unit or property, or in its \`external_id\`. ${searchedWords}`,
  }),
  ...expand,
  ...sortedQuery(leaseSortFields),
});

const renewalFields = {
  from: calendarDate.optional().meta({
    description:
      'The first day of the new rent. Default: the day after the old end, or the first of the next month.',
  }),
};

export const LeaseRenew = z
  .object({
    end_date: calendarDate.nullable().meta({ description: 'The new last day; null is month to month.' }),
    rent_cents: cents
      .optional()
      .meta({ description: 'The rent of one month from `from` on, in minor units. Default: unchanged.' }),
    ...renewalFields,
  })
  .meta({ id: 'LeaseRenew' });

export const LeaseRenewQuery = z.object({
  end_date: optionally(calendarDate)
    .transform((value) => value ?? null)
    .meta({ description: 'The new last day; without it the lease would continue month to month.' }),
  rent_cents: z.coerce
    .number('Must be a whole number of minor units.')
    .pipe(cents)
    .optional()
    .meta({ description: 'The rent of one month from `from` on, in minor units. Default: unchanged.' }),
  ...renewalFields,
});

export const LeaseEndQuery = z.object({
  ended_on: calendarDate
    .optional()
    .meta({ description: 'The day from which the unit would be free. Default: today.' }),
});

export type Renewal = z.output<typeof LeaseRenew>;
export type LeaseInput = z.output<typeof LeaseCreate>;
export type LeaseChange = z.output<typeof LeasePatch>;
export type LeaseFilter = z.output<typeof LeaseList>;
