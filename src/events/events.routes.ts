import { getRecord } from '../db/records/list.ts';
import { listReply, route, single } from '../http/routes/route.ts';
import { pageBounds } from '../paging.ts';
import { listOf, singleOf } from '../shapes.ts';
import { Event, EventList } from './events.schema.ts';
import { eventShape, listEvents } from './events.store.ts';

const tag = 'Events';

export const eventRoutes = [
  route({
    method: 'GET',
    path: '/events',
    permission: 'read',
    tag,
    summary: 'List events',
    description: 'What happened on the account, whether or not anyone was subscribed.',
    query: EventList,
    success: 200,
    response: listOf(Event),
    handle: async ({ app, db, caller, query }) =>
      listReply(await listEvents(db, caller.accountId, query, pageBounds(query, app.secrets, '/events'))),
  }),
  route({
    method: 'GET',
    path: '/events/:id',
    permission: 'read',
    tag,
    summary: 'Get an event',
    id: 'evt',
    success: 200,
    response: singleOf(Event),
    handle: async ({ db, caller, id }) => single(await getRecord(db, eventShape, caller.accountId, id)),
  }),
];
