import { z } from 'zod';
import { publicId, timestamp } from '../../fields.ts';

export const chargeKinds = [
  'rent',
  'deposit',
  'late_fee',
  'returned_payment',
  'utility',
  'parking',
  'pet',
  'repair',
  'fee',
  'other',
] as const;
export const chargeSources = ['api', 'dashboard', 'import', 'schedule', 'late_fee'] as const;
export const chargeStatuses = ['upcoming', 'open', 'partial', 'paid', 'voided'] as const;

const decimal = z.string().meta({ description: 'The same amount as a decimal.', examples: ['1250.00'] });

export const Charge = z
  .object({
    id: publicId('chg'),
    lease_id: publicId('lease'),
    unit_id: publicId('unit'),
    property_id: publicId('prop'),
    kind: z.enum(chargeKinds),
    amount_cents: z.int().meta({ description: 'Amount in minor units.', examples: [125000] }),
    amount: decimal,
    currency: z.string().meta({ description: "The lease's.", examples: ['USD'] }),
    due_on: z.iso.date(),
    period: z
      .string()
      .nullable()
      .meta({ description: 'The month it is for.', examples: ['2026-11'] }),
    memo: z.string().nullable(),
    external_id: z.string().nullable(),
    source: z.enum(chargeSources),
    recurring_charge_id: publicId('rec').nullable(),
    late_fee_for: publicId('chg').nullable().meta({ description: 'The rent charge that was paid late.' }),
    voided_on: z.iso.date().nullable(),
    void_reason: z.string().nullable(),
    status: z.enum(chargeStatuses).meta({ description: 'As of today.' }),
    open_cents: z.int().meta({ description: 'What is not paid of it as of today.', examples: [0] }),
    open: decimal,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Charge', description: 'An amount that a lease owes from its due day on.' });
