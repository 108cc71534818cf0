import { z } from 'zod';
import { calendarDate, publicId, shownDecimal } from '../../fields.ts';
import { chargeKinds } from '../charges/charges.schema.ts';

const amount = { amount_cents: z.int().meta({ examples: [125000] }), amount: shownDecimal };
const currency = z.string().meta({ examples: ['USD'] });
const due = {
  kind: z.enum(chargeKinds),
  period: z
    .string()
    .nullable()
    .meta({ examples: ['2026-11'] }),
  due_on: z.iso.date(),
  ...amount,
};

export const LeaseChangePreview = z
  .object({
    lease_id: publicId('lease'),
    currency,
    charges: z.array(z.object(due)).meta({ description: 'Charges that would be added.' }),
    voids: z.array(z.object({ id: publicId('chg'), ...due })).meta({
      description: 'Charges that would no longer fit, and would be voided; late fees with their rent.',
    }),
    balance_cents: z.int().meta({ description: 'What is owed today; negative is a credit.' }),
    balance: shownDecimal,
    unchanged_count: z.int().meta({
      description:
        'How many charges fall due after today, up to the last day, with the change or without it. An opening balance of a day to come is one of them.',
    }),
    unchanged_cents: z.int().meta({ description: 'Their sum.', examples: [125000] }),
    unchanged: shownDecimal,
    later_payments_cents: z.int().meta({
      description:
        'Payments and credits dated after today, up to the last day, less those that are returned by then.',
    }),
    later_payments: shownDecimal,
    final_balance_cents: z.int().meta({
      description:
        'What would be owed on the last day, if nothing more were paid, without late fees of days to come; negative is a credit.',
    }),
    final_balance: shownDecimal,
    deposit_held_cents: z.int(),
    deposit_held: shownDecimal,
  })
  .meta({ id: 'LeaseChangePreview', description: 'The effect of a change of a lease on its ledger.' });

export const LateFeePreview = z
  .object({
    lease_id: publicId('lease'),
    late_fee_for: publicId('chg').meta({ description: 'The rent charge that is late.' }),
    due_on: z.iso.date(),
    ...amount,
    currency,
  })
  .meta({ id: 'LateFeePreview', description: 'A late fee that would be charged.' });

export const LateFeePreviewQuery = z.object({
  as_of: calendarDate.optional().meta({
    description: 'The last day to include, at most a year ahead. Default: tomorrow, which is the next run.',
  }),
});
