import { z } from 'zod';
import { calendarDate, choice, idOf, publicId, shownCents, shownDecimal } from '../fields.ts';
import { asOf, leaseWithNames, owedByAge } from '../ledger/balances/balances.schema.ts';
import { unitStatuses } from '../units/units.schema.ts';

const currency = z.string().meta({ examples: ['USD'] });
const property = z.object({ id: publicId('prop'), name: z.string().meta({ examples: ['Maple Court'] }) });

export const RentRollRow = z
  .object({
    property,
    unit: z.object({ id: publicId('unit'), name: z.string().meta({ examples: ['2B'] }) }),
    status: z.enum(unitStatuses).meta({
      description:
        'The status of the unit on that day. `offline` is its present state, because its past is not recorded.',
    }),
    tenants: z
      .array(z.object({ id: publicId('ten'), name: z.string().meta({ examples: ['Ada Okafor'] }) }))
      .meta({ description: 'The tenants of the lease, in its order.' }),
    lease: z
      .object({
        id: publicId('lease'),
        status: z.enum(['active', 'notice']),
        start_date: z.iso.date(),
        end_date: z.iso.date().nullable(),
        ended_on: z.iso.date().nullable().meta({
          description: 'The day from which the unit is free, if the lease ends before or after `end_date`.',
        }),
      })
      .nullable()
      .meta({ description: 'The lease that runs on that day; null if there is none.' }),
    rent_cents: z
      .int()
      .nullable()
      .meta({ description: 'Rent of one month that was in force on that day.', examples: [125000] }),
    rent: shownDecimal.nullable(),
    currency: currency.meta({ description: "The lease's, or the account's if there is no lease." }),
    paid_this_month_cents: shownCents(
      "Paid on the lease from the first of the month on, in the lease's currency.",
    ),
    paid_this_month: shownDecimal,
    balance_cents: shownCents(
      'What the lease owed on that day, according to its ledger, less credit. Negative is a credit. 0 without a lease.',
    ),
    balance: shownDecimal,
    owed_cents: shownCents(
      "What was open. Add this up, not the balance: one tenant's credit does not pay another's debt.",
    ),
    owed: shownDecimal,
    credit_cents: shownCents('Paid or credited, and not used for any charge yet.'),
    credit: shownDecimal,
  })
  .meta({ id: 'RentRollRow', description: 'A unit with who rents it and what they owe.' });

export const RentRollQuery = z.object({
  as_of: asOf,
  property_id: idOf('prop').optional().meta({ description: 'Only the units of this property.' }),
});

const sums = {
  currency,
  expected_cents: shownCents(
    'Charges that fall due in the range, except deposits. For the current month also those that are not posted yet.',
  ),
  expected: shownDecimal,
  collected_cents: shownCents('How much of them is paid or credited as of today, whenever that happened.'),
  collected: shownDecimal,
  owed_cents: shownCents('The rest: expected is collected and owed.'),
  owed: shownDecimal,
  received_cents: shownCents(
    'A different figure: payments that are `paid`, by `paid_on`, whatever they were for.',
  ),
  received: shownDecimal,
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

export const AgingRow = z
  .object({
    property,
    ...z.object(leaseWithNames).omit({ property: true }).partial().shape,
    currency,
    leases: z.int().meta({ description: 'How many leases owed something.' }),
    ...owedByAge,
  })
  .meta({
    id: 'AgingRow',
    description: 'What the leases of a property owed, by age, in one currency; or what one lease did.',
  });

export const AgingQuery = z.object({ as_of: asOf, by: choice(['property', 'lease']).default('property') });
