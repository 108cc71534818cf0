import { z } from 'zod';
import {
  calendarDate,
  choiceFilter,
  flag,
  idOf,
  publicId,
  searchedWords,
  searchText,
  shownCents,
  shownDecimal,
} from '../../fields.ts';
import { pageQuery } from '../../paging.ts';
import { leaseStatuses } from '../rules/lease-status.ts';

/** What is owed, by how long ago it fell due, and unapplied credit, which is never subtracted from it. */
export const owedByAge = {
  owed_cents: shownCents('All that was open: the sum of the four ages.'),
  owed: shownDecimal,
  overdue_cents: shownCents('The part of it that was due before that day.'),
  overdue: shownDecimal,
  credit_cents: shownCents('Paid or credited, and not used for any charge yet.'),
  credit: shownDecimal,
  days_0_30_cents: shownCents('Due that day, or up to 30 days before.'),
  days_0_30: shownDecimal,
  days_31_60_cents: shownCents('Due 31 to 60 days before.'),
  days_31_60: shownDecimal,
  days_61_90_cents: shownCents('Due 61 to 90 days before.'),
  days_61_90: shownDecimal,
  days_91_cents: shownCents('Due 91 days before, or earlier.'),
  days_91: shownDecimal,
};

export const leaseWithNames = {
  lease_id: publicId('lease'),
  lease: z
    .object({
      id: publicId('lease'),
      status: z.enum(leaseStatuses),
      start_date: z.iso.date(),
      end_date: z.iso.date().nullable(),
    })
    .meta({ description: 'With its status on that day.' }),
  tenants: z
    .array(z.object({ id: publicId('ten'), name: z.string().meta({ examples: ['Ada Okafor'] }) }))
    .meta({ description: 'The tenants of the lease, in its order.' }),
  property: z.object({ id: publicId('prop'), name: z.string().meta({ examples: ['Maple Court'] }) }),
  unit: z.object({ id: publicId('unit'), name: z.string().meta({ examples: ['2B'] }) }),
};

export const Balance = z
  .object({
    ...leaseWithNames,
    currency: z.string().meta({ description: "The lease's.", examples: ['USD'] }),
    balance_cents: shownCents('What was owed, less credit. Negative: the tenant had a credit.'),
    balance: shownDecimal,
    ...owedByAge,
    deposit_held_cents: shownCents('Paid on deposit charges, less what was applied or refunded.'),
    deposit_held: shownDecimal,
    oldest_due_on: z.iso
      .date()
      .nullable()
      .meta({ description: 'When the oldest open charge fell due; null if nothing was owed.' }),
    days_late: z.int().meta({ description: 'Days since `oldest_due_on`; 0 if nothing was late.' }),
    pending_cents: shownCents('Payments that are still `pending`: they do not count yet.'),
    pending: shownDecimal,
  })
  .meta({ id: 'Balance', description: 'What a lease owes on a day.' });

export const asOf = calendarDate.optional().meta({ description: 'The day to look at. Default: today.' });

const { limit, cursor, total } = pageQuery;
export const BalanceList = z.object({
  as_of: asOf,
  property_id: idOf('prop').optional(),
  tenant_id: idOf('ten').optional(),
  owing: flag.optional().meta({ description: '`true`: only leases that owed something.' }),
  overdue: flag.optional().meta({ description: '`true`: only leases that were overdue.' }),
  in_credit: flag.optional().meta({
    description: '`true`: only leases in credit. The largest comes first.',
  }),
  lease_status: choiceFilter(leaseStatuses).meta({
    description: 'On that day.',
  }),
  q: searchText.optional().meta({
    description: `Words in the names of the lease's tenants, unit or property, or in its \`external_id\`. ${searchedWords}`,
  }),
  limit,
  cursor,
  total,
});

export type BalanceFilter = Omit<z.output<typeof BalanceList>, 'limit' | 'cursor' | 'total'>;
