import { z } from 'zod';
import { publicId, timestamp } from '../../fields.ts';

export const creditReasons = ['concession', 'write_off', 'adjustment', 'deposit'] as const;
export const creditSources = ['api', 'dashboard', 'import'] as const;

export const Credit = z
  .object({
    id: publicId('crd'),
    lease_id: publicId('lease'),
    unit_id: publicId('unit'),
    property_id: publicId('prop'),
    amount_cents: z.int().meta({ description: 'Amount in minor units.', examples: [5000] }),
    amount: z.string().meta({ description: 'The same amount as a decimal.', examples: ['50.00'] }),
    currency: z.string().meta({ description: "The lease's.", examples: ['USD'] }),
    credited_on: z.iso.date(),
    reason: z.enum(creditReasons),
    charge_id: publicId('chg').nullable().meta({ description: 'The charge it pays first.' }),
    memo: z.string().nullable(),
    external_id: z.string().nullable(),
    source: z.enum(creditSources),
    voided_on: z.iso.date().nullable(),
    void_reason: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Credit', description: 'An amount that a lease no longer owes, though nobody paid it.' });
