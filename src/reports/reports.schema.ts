import { z } from 'zod';
import { calendarDate, choice, idOf, publicId } from '../fields.ts';
import { unitStatuses } from '../units/units.schema.ts';

const cents = (description: string) => z.int().meta({ description, examples: [125000] });
const decimal = z.string().meta({ description: 'The same amount as a decimal.', examples: ['1250.00'] });
const currency = z.string().meta({ examples: ['USD'] });
const property = z.object({ id: publicId('prop'), name: z.string().meta({ examples: ['Maple Court'] }) });

export const RentRollRow = z
  .object({
    property,
    unit: z.object({ id: publicId('unit'), name: z.string().meta({ examples: ['2B'] }) }),
    status: z.enum(unitStatuses).meta({
      description:
        'Of the unit on that day. `offline` is what the unit says today: its past is not recorded.',
    }),
    tenants: z
      .array(z.object({ id: publicId('ten'), name: z.string().meta({ examples: ['Ada Okafor'] }) }))
      .meta({ description: 'Those of the lease, in its order.' }),
    lease: z
      .object({
        id: publicId('lease'),
        status: z.enum(['active', 'notice']),
        start_date: z.iso.date(),
        end_date: z.iso.date().nullable(),
      })
      .nullable()
      .meta({ description: 'The lease that runs on that day; null where there is none.' }),
    rent_cents: z
      .int()
      .nullable()
      .meta({ description: 'Rent of one month, in minor units.', examples: [125000] }),
    rent: decimal.nullable(),
    currency: currency.meta({ description: "The lease's; the account's where there is none." }),
    paid_this_month_cents: cents(
      "Paid on the lease from the first of the month on, in the lease's currency.",
    ),
    paid_this_month: decimal,
    balance_cents: cents(
      'What the lease owes on that day: its rent once for every due day since its start, never in part, less everything paid on it in its currency, before it began too (by a tenant with no lease before, or for a period of this one). Negative is a credit. 0 without a lease.',
    ),
    balance: decimal,
  })
  .meta({ id: 'RentRollRow', description: 'A unit with who rents it and what they owe.' });

export const RentRollQuery = z.object({
  as_of: calendarDate.optional().meta({ description: 'The day to look at. Default: today.' }),
  property_id: idOf('prop').optional().meta({ description: 'Only the units of this property.' }),
});

const sums = {
  currency,
  expected_cents: cents('Rent that fell due in the range, on the due days of the leases that ran then.'),
  expected: decimal,
  collected_cents: cents('Payments that are `paid`, by `paid_on`.'),
  collected: decimal,
  payment_count: z.int().meta({ description: 'How many payments that is.' }),
};

export const RentCollectedRow = z
  .object({
    period: z
      .string()
      .optional()
      .meta({ description: 'By month: the month.', examples: ['2026-11'] }),
    property: property
      .nullable()
      .optional()
      .meta({ description: 'By property: the property; null for payments that belong to no lease.' }),
    ...sums,
  })
  .meta({ id: 'RentCollectedRow', description: 'Rent of a month or a property, in one currency.' });

export const RentCollectedQuery = z.object({
  from: calendarDate.meta({ description: 'First day.' }),
  to: calendarDate.meta({ description: 'Last day.' }),
  by: choice(['month', 'property']).default('month'),
});
