import { catalogue } from '../events/catalogue.ts';
import { route } from '../http/routes/route.ts';
import { listOf } from '../shapes.ts';
import { CatalogueEntry } from './event-catalogue.schema.ts';

const entries = Object.entries(catalogue).map(([event, description]) => ({ event, description }));
const body = JSON.stringify({ data: entries, count: entries.length });

export const eventCatalogueRoutes = [
  route({
    method: 'GET',
    path: '/event-catalogue',
    permission: 'read',
    tag: 'Webhooks',
    summary: 'The events a webhook can be subscribed to',
    success: 200,
    response: listOf(CatalogueEntry),
    handle: async () => ({ body }),
  }),
];
