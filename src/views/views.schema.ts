import { z } from 'zod';
import { choice, publicId, requiredText, timestamp } from '../fields.ts';
import { patchOf } from '../shapes.ts';

/** The pages with a list, by their addresses. */
const viewedLists = [
  'properties',
  'units',
  'tenants',
  'leases',
  'payments',
  'charges',
  'overdue',
  'maintenance',
] as const;

const fields = {
  name: requiredText(60).meta({ examples: ['Late in Maple Court'] }),
  query: requiredText(2_000).meta({
    description: 'Filters, search and order, as in the address of the page.',
    examples: ['status=pending&sort=-paid_on'],
  }),
  shared: z.boolean('Must be true or false.').meta({ description: "Whether it is the whole team's." }),
};

export const SavedView = z.object({
  id: publicId('view'),
  list: z.enum(viewedLists),
  name: z.string(),
  query: z.string(),
  shared: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const SavedViewCreate = z.object({
  list: choice(viewedLists),
  ...fields,
  shared: fields.shared.default(false),
});

export const SavedViewUpdate = patchOf(fields);

export const DeletedView = z.object({ id: publicId('view'), deleted: z.literal(true) });

export type SavedView = z.output<typeof SavedView>;
export type SavedViewCreate = z.output<typeof SavedViewCreate>;
export type SavedViewUpdate = z.output<typeof SavedViewUpdate>;
