import { z } from 'zod';
import {
  calendarDate,
  cents,
  choiceFilter,
  currency,
  idOf,
  optionally,
  publicId,
  timestamp,
  wholeNumber,
} from '../fields.ts';
import { pageQuery } from '../paging.ts';
import { patchOf } from '../shapes.ts';
import { leaseStatuses } from './lease-status.ts';

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
      .meta({ description: 'Rent of one month, the same in every month.', examples: [125000] }),
    rent: z.string().meta({ description: 'The same amount as a decimal.', examples: ['1250.00'] }),
    deposit_cents: z.int().nullable(),
    deposit: z.string().nullable(),
    currency: z.string().meta({ examples: ['USD'] }),
    due_day: z.int().meta({ description: 'Day of the month on which rent is due, 1 to 28.' }),
    notice_given_on: z.iso.date().nullable(),
    ended_on: z.iso
      .date()
      .nullable()
      .meta({ description: 'The day it really ended; from that day on the unit is free.' }),
    status: z.enum(leaseStatuses).meta({ description: 'From the dates, as of today (UTC).' }),
    created_at: timestamp,
    updated_at: timestamp,
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

const optionalFields = {
  end_date: optionally(calendarDate).meta({ description: 'Last day; null is month to month.' }),
  deposit_cents: cents.nullable().optional(),
  notice_given_on: optionally(calendarDate),
  ended_on: optionally(calendarDate).meta({ description: 'Ends the lease on this day, early or late.' }),
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
    ...optionalFields,
  })
  .meta({ id: 'LeaseCreate' });

export const LeasePatch = patchOf({
  tenant_ids: tenantIds,
  start_date: calendarDate,
  rent_cents: cents.meta({
    description:
      'Rent of one month in minor units: 125000 is 1250.00. It counts for the whole lease: balances and expected rent of past months change with it. ' +
      'For a raise, end this lease with `ended_on` and make a new one that starts on that day.',
  }),
  currency,
  due_day: dueDay,
  ...optionalFields,
}).meta({ id: 'LeasePatch' });

export const LeaseList = z.object({
  status: choiceFilter(leaseStatuses),
  property_id: idOf('prop').optional(),
  unit_id: idOf('unit').optional(),
  tenant_id: idOf('ten').optional(),
  ...pageQuery,
});

export type LeaseInput = z.output<typeof LeaseCreate>;
export type LeaseChange = z.output<typeof LeasePatch>;
export type LeaseFilter = z.output<typeof LeaseList>;
