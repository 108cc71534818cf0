import { writing } from '../../events/writer.ts';
import { listReply, route } from '../../http/routes/route.ts';
import { readPosition } from '../../paging.ts';
import { listOf } from '../../shapes.ts';
import { freshen } from '../freshen.ts';
import { later } from '../rules/calendar.ts';
import { Balance, BalanceList } from './balances.schema.ts';
import { listBalances } from './balances.store.ts';

export const balanceRoutes = [
  route({
    method: 'GET',
    path: '/balances',
    permission: 'read',
    tag: 'Balances',
    summary: 'List what leases owe',
    description:
      'One row for each lease, ended ones included, on any day. The most overdue come first: by the oldest due date, then by the amount. ' +
      'Before its ledger begins, a lease owes nothing.',
    query: BalanceList,
    success: 200,
    response: listOf(Balance),
    async handle({ app, db, caller, query, now, today }) {
      const { limit, cursor, total, ...filter } = query;
      const after = cursor === undefined ? null : readPosition(cursor, app.secrets, '/balances');
      const day = query.as_of ?? today;
      await freshen(db, writing(caller, now), later(day, today));
      return listReply(await listBalances(db, caller, day, filter, { limit, after, total }));
    },
  }),
];
