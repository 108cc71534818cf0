import { personRoute, single } from '../http/routes/route.ts';
import { formatId } from '../ids.ts';
import { singleOf } from '../shapes.ts';
import { describeOwnSessions, endOtherSessions, endOwnSession } from './own-sessions.ts';
import { EndedSession, EndedSessions, OwnSessions } from './sessions.schema.ts';

const tag = 'Session';

/** A person's own sessions, whichever account the person is looking at. */
export const ownSessionRoutes = [
  personRoute({
    method: 'GET',
    path: '/sessions',
    permission: 'read',
    tag,
    summary: 'Where you are signed in',
    success: 200,
    response: singleOf(OwnSessions),
    handle: async ({ db, signedIn, now }) => single(await describeOwnSessions(db, signedIn, now)),
  }),
  personRoute({
    method: 'DELETE',
    path: '/sessions',
    permission: 'write',
    tag,
    summary: 'Sign out everywhere else',
    success: 200,
    response: singleOf(EndedSessions),
    async handle({ db, signedIn, visitor }) {
      const ended = await endOtherSessions(db, signedIn, visitor.address);
      return single(JSON.stringify({ ended }));
    },
  }),
  personRoute({
    method: 'DELETE',
    path: '/sessions/:id',
    permission: 'write',
    tag,
    summary: 'Sign out of one of your sessions',
    id: 'ses',
    success: 200,
    response: singleOf(EndedSession),
    async handle({ app, db, id, signedIn, visitor }) {
      await endOwnSession(db, signedIn, visitor.address, id);
      app.auth.sessions.forget(visitor);
      return single(JSON.stringify({ id: formatId('ses', id), ended: true }));
    },
  }),
];
