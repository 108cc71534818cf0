import { z } from 'zod';
import { publicId } from '../fields.ts';
import { pageQuery } from '../paging.ts';
import { Unit } from './units.schema.ts';

const nextEvents = ['lease_ends', 'move_out', 'move_in', 'rent_due'] as const;

/** A unit, who rents it, what they owe, and what happens next. */
export const Tenancy = Unit.omit({ property: true }).extend({
  /** The lease that runs today or, if none does, the next one to begin. */
  lease: z
    .object({
      id: publicId('lease'),
      status: z.enum(['active', 'notice', 'upcoming']),
      start_date: z.iso.date(),
      end_date: z.iso.date().nullable(),
      /** The rent of one month, today or on the lease's first day. */
      rent_cents: z.int(),
      currency: z.string(),
      owed_cents: z.int(),
      overdue_cents: z.int(),
      credit_cents: z.int(),
    })
    .nullable(),
  /** The tenants of the lease, in its order. */
  tenants: z.array(z.object({ id: publicId('ten'), name: z.string() })),
  /** Tenants coming or going within 60 days, or else the next rent, or else whatever comes later. */
  next_event: z
    .object({ type: z.enum(nextEvents), on: z.iso.date(), lease_id: publicId('lease') })
    .nullable(),
});

export const TenancyList = z.object(pageQuery);
export type Tenancy = z.output<typeof Tenancy>;
