import { z } from 'zod';
import { searchText } from '../fields.ts';

export const searchTypes = ['property', 'unit', 'tenant'] as const;

export const SearchQuery = z.object({ q: searchText });

export const SearchResult = z.object({
  type: z.enum(searchTypes),
  id: z.string(),
  title: z.string(),
  /** Distinguishes it from others of the same name: an address, a property, an e-mail address. */
  subtitle: z.string().nullable(),
});

export type SearchResult = z.output<typeof SearchResult>;
