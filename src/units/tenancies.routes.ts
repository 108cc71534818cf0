import { writing } from '../events/writer.ts';
import { listReply, route } from '../http/routes/route.ts';
import { freshen } from '../ledger/freshen.ts';
import { pageBounds } from '../paging.ts';
import { listOf } from '../shapes.ts';
import { Tenancy, TenancyList } from './tenancies.schema.ts';
import { listTenancies } from './tenancies.store.ts';

/** For the dashboard only. The API returns units, leases and balances separately. */
export const tenancyRoutes = [
  route({
    method: 'GET',
    path: '/properties/:id/units',
    permission: 'read',
    tag: 'Units',
    summary: 'The units of a property and who rents them',
    id: 'prop',
    query: TenancyList,
    success: 200,
    response: listOf(Tenancy),
    async handle({ app, db, caller, id, query, now, today }) {
      await freshen(db, writing(caller, now));
      const bounds = pageBounds(query, app.secrets, '/properties/:id/units');
      return listReply(await listTenancies(db, caller.accountId, id, bounds, today));
    },
  }),
];
