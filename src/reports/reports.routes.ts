import { type Reply, route } from '../http/routes/route.ts';
import { checkRange } from '../paging.ts';
import { listOf } from '../shapes.ts';
import { RentCollectedQuery, RentCollectedRow, RentRollQuery, RentRollRow } from './reports.schema.ts';
import { type Rows, rentByMonth, rentByProperty, rentRoll } from './reports.store.ts';

const tag = 'Reports';

export const reportRoutes = [
  route({
    method: 'GET',
    path: '/reports/rent-roll',
    permission: 'read',
    tag,
    summary: 'Get the rent roll',
    description:
      'Every unit with its tenants, its lease, the rent, what was paid this month and what is owed on a day, by property and unit name. ' +
      'It lists leases that run on the day: a tenant who has moved out is found with `as_of` = their last day. ' +
      'Rent falls due once a month on the due day of the lease, the first time on or after its start; it is never prorated.',
    query: RentRollQuery,
    success: 200,
    response: listOf(RentRollRow),
    handle: async ({ db, caller, query, today }) =>
      whole(await rentRoll(db, caller.accountId, query.as_of ?? today, query.property_id)),
  }),
  route({
    method: 'GET',
    path: '/reports/rent-collected',
    permission: 'read',
    tag,
    summary: 'Get the rent collected in a range of days',
    description:
      'By month or by property, each currency on its own: rent that fell due, and payments that are `paid`. ' +
      'Months and properties without either are there with 0. A month that the range cuts counts only its days inside.',
    query: RentCollectedQuery,
    success: 200,
    response: listOf(RentCollectedRow),
    async handle({ db, caller, query }) {
      checkRange(query.from, query.to);
      const report = query.by === 'month' ? rentByMonth : rentByProperty;
      return whole(await report(db, caller.accountId, query));
    },
  }),
];

/** A report is never paged. */
const whole = ({ data, count }: Rows): Reply => ({ body: `{"data":${data},"count":${count}}` });
