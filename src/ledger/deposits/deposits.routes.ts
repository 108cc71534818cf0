import { route, single } from '../../http/routes/route.ts';
import { singleOf } from '../../shapes.ts';
import { DepositRefund, DepositRefundCreate } from './deposits.schema.ts';
import { refundDeposit } from './deposits.ts';

export const depositRoutes = [
  route({
    method: 'POST',
    path: '/leases/:id/deposit-refunds',
    permission: 'write',
    tag: 'Leases',
    summary: 'Record the refund of a deposit',
    description:
      'What the lease owes does not change. To pay debts from a deposit, give a credit with `reason: deposit`.',
    id: 'lease',
    body: DepositRefundCreate,
    success: 201,
    response: singleOf(DepositRefund),
    conflicts: 'More than is held cannot be refunded.',
    handle: async ({ db, caller, id, body, now }) => single(await refundDeposit(db, caller, id, body, now)),
  }),
];
