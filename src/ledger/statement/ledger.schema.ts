import { z } from 'zod';
import { calendarDate, flag, shownCents, shownDecimal } from '../../fields.ts';
import { leaseWithNames } from '../balances/balances.schema.ts';

const entryTypes = ['opening_balance', 'charge', 'payment', 'return', 'credit', 'deposit_refund'] as const;
export type EntryType = (typeof entryTypes)[number];

const currency = z.string().meta({ examples: ['USD'] });

/** What identifies an entry to a reader. */
const entry = {
  date: z.iso.date().meta({ description: 'It counts from this day on.' }),
  type: z.enum(entryTypes),
  id: z.string().meta({
    description: 'The id of the charge, payment, credit or refund, or of the lease for its opening balance.',
    examples: ['chg_019a8b2c4d5e7f608192a3b4c5d6e7f8'],
  }),
  description: z.string().meta({ examples: ['Rent for November 2026'] }),
};
const amount = { amount_cents: shownCents('Its amount in minor units.'), amount: shownDecimal };

const Share = z.object({ ...entry, amount_cents: shownCents('How much of it.'), amount: shownDecimal });

export const LedgerEntry = z.object({
  ...entry,
  ...amount,
  increase_cents: shownCents('What it adds to the balance; 0 if it was voided.'),
  increase: shownDecimal,
  decrease_cents: shownCents('What it takes off the balance; 0 if it was voided.'),
  decrease: shownDecimal,
  balance_cents: shownCents('After this entry. Negative: the tenant has a credit.'),
  balance: shownDecimal,
  status: z
    .enum(['open', 'partial', 'paid', 'unapplied', 'applied', 'returned', 'refunded', 'failed', 'voided'])
    .nullable()
    .meta({
      description:
        'At the end of `to`. Of a charge: `open`, `partial` or `paid`. Of a payment or credit: `unapplied`, `partial` or `applied`, or how it ended. Null for a refund of a deposit.',
    }),
  open_cents: shownCents(
    'At the end of `to`: what was still to be paid of a charge, or left of a payment or credit.',
  ),
  open: shownDecimal,
  pays: z.array(Share).meta({ description: 'What a payment or credit paid, at the end of `to`.' }),
  paid_by: z.array(Share).meta({ description: 'What paid a charge, at the end of `to`.' }),
  voided_on: z.iso.date().nullable(),
  void_reason: z.string().nullable(),
});

/** An entry that does not affect the balance. */
const Item = z.object({ ...entry, ...amount });

const names = (({ lease_id: _, ...rest }) => rest)(leaseWithNames);

const sums = {
  closing_balance_cents: shownCents('At the end of `to`. Negative: the tenant has a credit.'),
  closing_balance: shownDecimal,
  open_cents: shownCents('Everything open at the end of `to`.'),
  open: shownDecimal,
  overdue_cents: shownCents('The part of it that was due before `to`.'),
  overdue: shownDecimal,
  credit_cents: shownCents('Paid or credited, and not used for any charge yet.'),
  credit: shownDecimal,
  deposit_held_cents: shownCents('Paid on deposit charges, less what was applied or refunded.'),
  deposit_held: shownDecimal,
};

const account = {
  ...names,
  currency: currency.meta({ description: "The lease's." }),
  from: z.iso.date(),
  to: z.iso.date(),
  opening_balance_cents: shownCents('At the end of the day before `from`.'),
  opening_balance: shownDecimal,
  entries: z.array(LedgerEntry).meta({ description: 'By day; charges before payments.' }),
  ...sums,
  pending: z
    .array(Item)
    .meta({ description: 'Payments that are `pending`, up to `to` if that is past: they do not count yet.' }),
  upcoming: z.array(Item).meta({
    description:
      'By day: charges that are not due yet, and payments, credits, returns and refunds of a deposit dated after today and `to`. They do not count yet.',
  }),
};

export const Ledger = z
  .object({
    ...account,
    ledger_from: z.iso.date().meta({ description: 'The day on which the ledger of the lease begins.' }),
    not_counted: z
      .array(
        Item.extend({
          currency,
          reason: z.enum(['other_currency', 'before_ledger']).meta({
            description: 'It is not in the currency of the lease, or dated before the ledger begins.',
          }),
        }),
      )
      .meta({ description: 'Entries of the lease that do not count.' }),
  })
  .meta({ id: 'Ledger', description: 'The account of a lease: every entry, and who paid what.' });

export const Statement = z
  .object({
    account: z.object({ name: z.string().meta({ examples: ['Elm Street Homes'] }) }),
    issued_on: z.iso.date(),
    ...account,
    property: names.property.extend({
      address: z
        .array(z.string())
        .meta({ description: 'The address of the unit, line by line.', examples: [['12 Elm Street']] }),
    }),
    due: z
      .array(Item.extend({ open_cents: shownCents('What is still to be paid of it.'), open: shownDecimal }))
      .meta({ description: 'The charges that are open at the end of `to`, oldest first.' }),
  })
  .meta({ id: 'Statement', description: 'The account of a lease, for its tenants.' });

const range = {
  from: calendarDate
    .optional()
    .meta({ description: 'Default: the day the ledger begins or, if earlier, `to`.' }),
  to: calendarDate.optional().meta({ description: 'Default: today or, if later, `from`.' }),
};

export const LedgerQuery = z.object({
  ...range,
  voided: flag
    .optional()
    .meta({ description: '`true`: voided entries too. They do not affect the balance.' }),
});
export const StatementQuery = z.object(range);

export type LedgerView = z.output<typeof Ledger>;
export type LedgerLine = z.output<typeof LedgerEntry>;
export type StatementView = z.output<typeof Statement>;
export type Item = z.output<typeof Item>;
