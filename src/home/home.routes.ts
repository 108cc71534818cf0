import { route, single } from '../http/routes/route.ts';
import { singleOf } from '../shapes.ts';
import { describeActivity } from './activity.ts';
import { Home } from './home.schema.ts';
import { findActivity, findFigures } from './home.store.ts';

export const homeRoutes = [
  route({
    method: 'GET',
    path: '/home',
    permission: 'read',
    tag: 'Home',
    summary: 'Everything on the home page',
    success: 200,
    response: singleOf(Home),
    async handle({ db, caller, today }) {
      const [figures, happened] = await Promise.all([
        findFigures(db, caller.accountId, caller.currency, today),
        findActivity(db, caller.accountId),
      ]);
      const activity = JSON.stringify(happened.map(describeActivity));
      return single(`${figures.slice(0, -1)},"activity":${activity}}`);
    },
  }),
];
