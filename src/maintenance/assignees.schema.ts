import { z } from 'zod';
import { searchText } from '../fields.ts';

export const Assignee = z.object({ name: z.string() });

export const AssigneeQuery = z.object({
  q: searchText.optional().meta({ description: 'Part of the name.', examples: ['Joe'] }),
});

export type Assignee = z.output<typeof Assignee>;
