import { z } from 'zod';
import { subscribableEvents } from '../events/catalogue.ts';

export const CatalogueEntry = z.object({ event: z.enum(subscribableEvents), description: z.string() });

export type CatalogueEntry = z.output<typeof CatalogueEntry>;
