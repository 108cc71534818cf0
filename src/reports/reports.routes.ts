import { writing } from '../events/writer.ts';
import { type Reply, route } from '../http/routes/route.ts';
import { unpostedCharges } from '../ledger/balances/expected.ts';
import { freshen } from '../ledger/freshen.ts';
import { later } from '../ledger/rules/calendar.ts';
import { checkRange } from '../paging.ts';
import { listOf } from '../shapes.ts';
import {
  AgingQuery,
  AgingRow,
  RentCollectedQuery,
  RentCollectedRow,
  RentRollQuery,
  RentRollRow,
} from './reports.schema.ts';
import {
  agingByLease,
  agingByProperty,
  type Rows,
  rentByMonth,
  rentByProperty,
  rentRoll,
} from './reports.store.ts';

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
      'It lists leases that run on the day: what tenants who have moved out still owe is in `GET /balances`.',
    query: RentRollQuery,
    success: 200,
    response: listOf(RentRollRow),
    async handle({ db, caller, query, now, today }) {
      const day = query.as_of ?? today;
      await freshen(db, writing(caller, now), later(day, today));
      return whole(await rentRoll(db, caller.accountId, day, query.property_id));
    },
  }),
  route({
    method: 'GET',
    path: '/reports/rent-collected',
    permission: 'read',
    tag,
    summary: 'Get the rent collected in a range of days',
    description:
      'By month or by property, each currency on its own: what falls due in the range, how much of that is paid as of today, and what is still owed. ' +
      'It also shows what came in, by day of payment. Months and properties without either are listed with 0. ' +
      'If the range covers only part of a month, only those days count.',
    query: RentCollectedQuery,
    success: 200,
    response: listOf(RentCollectedRow),
    async handle({ db, caller, query, now, today }) {
      checkRange(query.from, query.to);
      await freshen(db, writing(caller, now));
      const unposted = await unpostedCharges(db, caller.accountId, query, today);
      const report = query.by === 'month' ? rentByMonth : rentByProperty;
      return whole(await report(db, caller.accountId, query, { today, unposted }));
    },
  }),
  route({
    method: 'GET',
    path: '/reports/aging',
    permission: 'read',
    tag,
    summary: 'Get amounts owed by age',
    description:
      'What was open on a day by how long ago it fell due, for each property or lease that owed something or had a credit, each currency on its own. ' +
      'Credits are never subtracted from debts. The most overdue leases come first; properties are listed by name.',
    query: AgingQuery,
    success: 200,
    response: listOf(AgingRow),
    async handle({ db, caller, query, now, today }) {
      const day = query.as_of ?? today;
      await freshen(db, writing(caller, now), later(day, today));
      const report = query.by === 'lease' ? agingByLease : agingByProperty;
      return whole(await report(db, caller.accountId, day));
    },
  }),
];

/** A report is never paged. */
const whole = ({ data, count }: Rows): Reply => ({ body: `{"data":${data},"count":${count}}` });
