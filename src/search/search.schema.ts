import { z } from 'zod';
import { searchText } from '../fields.ts';

export const searchTypes = ['property', 'unit', 'tenant', 'lease', 'payment', 'maintenance_request'] as const;

export const SearchQuery = z.object({ q: searchText });

export const SearchResult = z.object({
  type: z.enum(searchTypes),
  id: z.string(),
  title: z.string(),
  /** Distinguishes it from others with the same name: an address, a property, an e-mail address, a day. */
  subtitle: z.string().nullable(),
});

export type SearchResult = z.output<typeof SearchResult>;

/** The kinds of record that are found, and the part of the API that each belongs to. */
export const scopesOfFound = {
  property: 'properties',
  tenant: 'tenants',
  unit: 'units',
  lease: 'leases',
  payment: 'payments',
  maintenance_request: 'maintenance',
  charge: 'charges',
  credit: 'credits',
} as const;

export interface Found {
  type: keyof typeof scopesOfFound;
  id: string;
  title: string | null;
  subtitle: string | null;
}
