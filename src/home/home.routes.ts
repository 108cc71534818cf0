import { dateOf } from '../clock.ts';
import { route, single } from '../http/routes/route.ts';
import { singleOf } from '../shapes.ts';
import { describeActivity } from './activity.ts';
import { Home, HomeQuery } from './home.schema.ts';
import { findActivity, findFigures } from './home.store.ts';

export const homeRoutes = [
  route({
    method: 'GET',
    path: '/home',
    permission: 'read',
    tag: 'Home',
    summary: 'Everything on the home page',
    query: HomeQuery,
    success: 200,
    response: singleOf(Home),
    async handle({ db, caller, query, now }) {
      const [figures, happened] = await Promise.all([
        findFigures(db, caller.accountId, caller.currency, query.on ?? dateOf(now)),
        findActivity(db, caller.accountId),
      ]);
      const activity = JSON.stringify(happened.map(describeActivity));
      return single(`${figures.slice(0, -1)},"activity":${activity}}`);
    },
  }),
];
