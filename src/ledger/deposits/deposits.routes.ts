import { route, single } from '../../http/routes/route.ts';
import { singleOf } from '../../shapes.ts';
import { Void } from '../charges/charges.schema.ts';
import { DepositRefund, DepositRefundCreate } from './deposits.schema.ts';
import { refundDeposit, voidRefund } from './deposits.ts';

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
  route({
    method: 'POST',
    path: '/deposit-refunds/:id/void',
    permission: 'write',
    tag: 'Leases',
    summary: 'Void the refund of a deposit',
    description: 'It stays visible and no longer counts, on any day: the money is held again.',
    id: 'ref',
    body: Void,
    success: 200,
    response: singleOf(DepositRefund),
    conflicts: 'The refund has already been voided.',
    // Rarely needed, and all tools together must stay short.
    tool: false,
    handle: async ({ db, caller, id, body, now }) =>
      single(await voidRefund(db, caller, id, body.reason, now)),
  }),
];
