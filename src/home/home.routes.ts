import { writing } from '../events/writer.ts';
import { route, single } from '../http/routes/route.ts';
import { unpostedCharges } from '../ledger/balances/expected.ts';
import { freshen } from '../ledger/freshen.ts';
import { singleOf } from '../shapes.ts';
import { latestActivity } from './activity.ts';
import { Home } from './home.schema.ts';
import { findFigures, yearUntil } from './home.store.ts';

export const homeRoutes = [
  route({
    method: 'GET',
    path: '/home',
    permission: 'read',
    tag: 'Home',
    summary: 'Everything on the home page',
    success: 200,
    response: singleOf(Home),
    async handle({ db, caller, now, today }) {
      const { accountId, currency } = caller;
      await freshen(db, writing(caller, now));
      const unposted = await unpostedCharges(db, accountId, yearUntil(today), today);
      const [figures, activity] = await Promise.all([
        findFigures(db, accountId, currency, today, unposted),
        latestActivity(db, accountId),
      ]);
      return single(`${figures.slice(0, -1)},"activity":${JSON.stringify(activity)}}`);
    },
  }),
];
