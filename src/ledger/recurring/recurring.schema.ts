import { z } from 'zod';
import {
  calendarDate,
  cents,
  choice,
  choiceFilter,
  exactExternalId,
  externalId,
  idOf,
  optionally,
  optionalText,
  publicId,
  shownDecimal,
  shownExternalId,
  timestamp,
} from '../../fields.ts';
import { changeQuery } from '../../paging.ts';
import { patchOf } from '../../shapes.ts';
import { recurringKinds } from '../charges/charges.schema.ts';
import { intervals } from '../rules/recurrence.ts';

export type RecurringKind = (typeof recurringKinds)[number];

export const RecurringCharge = z
  .object({
    id: publicId('rec'),
    lease_id: publicId('lease'),
    property_id: publicId('prop'),
    unit_id: publicId('unit'),
    kind: z.enum(recurringKinds),
    amount_cents: z.int().meta({ description: 'Amount from the first day on.', examples: [5000] }),
    amount: shownDecimal,
    currency: z.string().meta({ examples: ['USD'] }),
    every: z.enum(intervals),
    starts_on: z.iso.date().meta({ description: 'The first due day, from which the others are counted.' }),
    ends_on: z.iso.date().nullable().meta({ description: 'The last day on which one may be due.' }),
    amount_changes: z
      .array(z.object({ from: z.iso.date(), amount_cents: z.int() }))
      .meta({ description: 'Other amounts, from later days on.' }),
    memo: z.string().nullable(),
    external_id: shownExternalId,
    source: z.enum(['api', 'dashboard', 'import']),
    next_due_on: z.iso
      .date()
      .nullable()
      .meta({ description: 'When the next one is due, today or later; null if there is none.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({
    id: 'RecurringCharge',
    description: 'A charge that falls due repeatedly while the lease runs. Rent comes from the lease itself.',
  });

export const RecurringChargeCreate = z
  .object({
    lease_id: idOf('lease'),
    kind: choice(recurringKinds).meta({ description: 'Rent is not one: it comes from the lease.' }),
    amount_cents: cents.meta({
      description: 'Amount of each in minor units: 5000 is 50.00.',
      examples: [5000],
    }),
    every: choice(intervals).default('month'),
    starts_on: calendarDate,
    ends_on: optionally(calendarDate),
    memo: optionalText(2000),
    external_id: externalId,
  })
  .meta({ id: 'RecurringChargeCreate' });

export const RecurringChargePatch = patchOf({
  amount_cents: cents.meta({ description: 'The amount from `from` on, in minor units.' }),
  from: calendarDate.meta({
    description:
      'With `amount_cents`: the first due day it applies to. Default: the next one that is not posted yet.',
  }),
  ends_on: optionally(calendarDate).meta({ description: 'Ends it after this day; null lets it continue.' }),
  memo: optionalText(2000),
  external_id: externalId,
}).meta({ id: 'RecurringChargePatch' });

export const RecurringChargeList = z.object({
  external_id: exactExternalId,
  lease_id: idOf('lease').optional(),
  tenant_id: idOf('ten').optional(),
  property_id: idOf('prop').optional(),
  kind: choiceFilter(recurringKinds),
  ...changeQuery,
});

export type RecurringInput = z.output<typeof RecurringChargeCreate>;
export type RecurringChange = z.output<typeof RecurringChargePatch>;
export type RecurringFilter = z.output<typeof RecurringChargeList>;
