import { z } from 'zod';
import { calendarDate, cents, optionalText, publicId, shownDecimal, timestamp } from '../../fields.ts';

export const DepositRefund = z
  .object({
    id: publicId('ref'),
    lease_id: publicId('lease'),
    amount_cents: z.int().meta({ examples: [125000] }),
    amount: shownDecimal,
    currency: z.string().meta({ examples: ['USD'] }),
    refunded_on: z.iso.date(),
    memo: z.string().nullable(),
    source: z.enum(['api', 'dashboard', 'import']),
    voided_on: z.iso.date().nullable(),
    void_reason: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'DepositRefund', description: 'Deposit money that was refunded.' });

export const DepositRefundCreate = z
  .object({
    amount_cents: cents.meta({ description: 'Amount in minor units.', examples: [100] }),
    refunded_on: calendarDate.optional().meta({ description: 'Default: today.' }),
    memo: optionalText(2000),
  })
  .meta({ id: 'DepositRefundCreate' });

export type DepositRefundInput = z.output<typeof DepositRefundCreate>;
