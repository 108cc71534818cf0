import { z } from 'zod';
import { publicId } from '../fields.ts';
import type { IdPrefix } from '../ids.ts';

/** What can refer to a record and prevent its deletion. */
const referringTypes = [
  'unit',
  'lease',
  'payment',
  'charge',
  'credit',
  'deposit_refund',
  'maintenance_request',
] as const;

export const References = z
  .array(
    z.object({
      type: z.enum(referringTypes),
      count: z.int(),
      ids: z.array(z.string()).meta({
        description: 'The newest of them, at most five. Empty if your key may not read this type.',
        examples: [['unit_01a1dd5a11f07c0f9d1b6a2f0c1e9a77']],
      }),
    }),
  )
  .meta({ description: 'What refers to the record.' });

export type ReferringType = (typeof referringTypes)[number];
export type References = z.output<typeof References>;

export const deletedRecord = (prefix: IdPrefix, name: string) =>
  z.object({ id: publicId(prefix), deleted: z.literal(true) }).meta({ id: `Deleted${name}` });
