import { getRecord } from '../db/records/shape.ts';
import { listReply, route, single } from '../http/routes/route.ts';
import { pageBounds } from '../paging.ts';
import { listOf, singleOf } from '../shapes.ts';
import { Event, EventList, refuseMixture } from './events.schema.ts';
import { eventShape, listEvents } from './events.store.ts';
import { followEvents, noLongerKept } from './feed.ts';

const tag = 'Events';

export const eventRoutes = [
  route({
    method: 'GET',
    path: '/events',
    permission: 'read',
    tag,
    summary: 'List events',
    description:
      'What happened on the account, whether or not anyone was subscribed: the newest first, or with `after` as a feed to follow, the oldest first.',
    query: EventList,
    success: 200,
    response: listOf(Event),
    gone: noLongerKept,
    prepare: async ({ query }) => refuseMixture(query),
    async handle({ app, db, caller: { accountId }, query, onHangUp, now }) {
      const bounds = pageBounds(query, app.secrets, '/events');
      const { event, limit, wait: waitSeconds = 0 } = query;
      const after = query.after && (bounds.before ?? query.after);
      if (after === undefined) return listReply(await listEvents(db, accountId, query, bounds));
      const asked = { accountId, after, event, limit, waitSeconds };
      return listReply(await followEvents(db, { app, onHangUp }, asked, now));
    },
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
    handle: async ({ db, caller, id }) =>
      single(await getRecord(db, eventShape(caller.accountId), caller.accountId, id)),
  }),
];
