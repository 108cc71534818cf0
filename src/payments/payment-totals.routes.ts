import { route, single } from '../http/routes/route.ts';
import { checkRange, pageBounds } from '../paging.ts';
import { singleOf } from '../shapes.ts';
import { PaymentList, PaymentTotals } from './payments.schema.ts';
import { totalPayments } from './payments.store.ts';

/** For the dashboard only. The API returns the payments themselves. */
export const paymentTotalsRoutes = [
  route({
    method: 'GET',
    path: '/payments/totals',
    permission: 'read',
    tag: 'Payments',
    summary: 'What a list of payments comes to',
    query: PaymentList.omit({ cursor: true, total: true, expand: true, updated_since: true, sort: true }),
    success: 200,
    response: singleOf(PaymentTotals),
    async handle({ app, db, caller, query }) {
      checkRange(query.from, query.to);
      const bounds = pageBounds(query, app.secrets, '/payments');
      return single(await totalPayments(db, caller, query, bounds));
    },
  }),
];
