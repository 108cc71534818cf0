import { getRecord } from '../db/records/shape.ts';
import { expanded } from '../expand/expand.ts';
import { listReply, route, single } from '../http/routes/route.ts';
import { checkRange, pageBounds } from '../paging.ts';
import { listOf, singleOf } from '../shapes.ts';
import { Payment, PaymentCreate, PaymentList, PaymentPatch, PaymentQuery } from './payments.schema.ts';
import { listPayments, paymentShape } from './payments.store.ts';
import { changePayment, recordPayment } from './payments.ts';

const tag = 'Payments';

export const paymentRoutes = [
  route({
    method: 'GET',
    path: '/payments',
    permission: 'read',
    tag,
    summary: 'List rent payments',
    query: PaymentList,
    success: 200,
    response: listOf(Payment),
    async handle({ app, db, caller, query, today }) {
      checkRange(query.from, query.to);
      const bounds = pageBounds(query, app.secrets, '/payments');
      const shape = expanded(paymentShape, { caller, today, expand: query.expand });
      return listReply(await listPayments(db, shape, caller, query, bounds));
    },
  }),
  route({
    method: 'POST',
    path: '/payments',
    permission: 'write',
    tag,
    summary: 'Record a rent payment',
    description:
      "It is for a lease of the tenant: the one given, else the one that runs or ends on `paid_on`, else the next one, else the last ended one. If a lease is made later, or its dates or tenants change, a payment without a given lease moves to the one that then fits, with `payment.updated`. Unit and property are the lease's.",
    body: PaymentCreate,
    success: 201,
    response: singleOf(Payment),
    handle: async ({ db, caller, body, now }) => single(await recordPayment(db, caller, body, now)),
  }),
  route({
    method: 'GET',
    path: '/payments/:id',
    permission: 'read',
    tag,
    summary: 'Get a rent payment',
    id: 'pay',
    query: PaymentQuery,
    success: 200,
    response: singleOf(Payment),
    async handle({ db, caller, id, query, today }) {
      const shape = expanded(paymentShape, { caller, today, expand: query.expand });
      return single(await getRecord(db, shape, caller.accountId, id));
    },
  }),
  route({
    method: 'PATCH',
    path: '/payments/:id',
    permission: 'write',
    tag,
    summary: 'Change a rent payment',
    description:
      'A pending payment can become paid, failed or voided; a paid one returned, refunded or voided; the others are final. A returned or refunded payment counts until `reversed_on`, and `fee_cents` charges its lease a fee for that.',
    id: 'pay',
    body: PaymentPatch,
    success: 200,
    response: singleOf(Payment),
    conflicts:
      'The status cannot change that way, or the payment is failed, returned, refunded or voided, and its amount, currency, date or tenant would change.',
    handle: async ({ db, caller, id, body, now }) => single(await changePayment(db, caller, id, body, now)),
  }),
];
