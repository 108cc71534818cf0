import { getRecord } from '../../db/records/shape.ts';
import { listReply, route, single } from '../../http/routes/route.ts';
import { checkRange, pageBounds } from '../../paging.ts';
import { listOf, singleOf } from '../../shapes.ts';
import { Void } from '../charges/charges.schema.ts';
import { Credit, CreditCreate, CreditList } from './credits.schema.ts';
import { creditShape, listCredits } from './credits.store.ts';
import { giveCredit, voidCredit } from './credits.ts';

const tag = 'Credits';

export const creditRoutes = [
  route({
    method: 'GET',
    path: '/credits',
    permission: 'read',
    tag,
    summary: 'List credits',
    query: CreditList,
    success: 200,
    response: listOf(Credit),
    async handle({ app, db, caller, query }) {
      checkRange(query.from, query.to);
      const bounds = pageBounds(query, app.secrets, '/credits');
      return listReply(await listCredits(db, caller, query, bounds));
    },
  }),
  route({
    method: 'POST',
    path: '/credits',
    permission: 'write',
    tag,
    summary: 'Give a lease a credit',
    description: 'With `reason: deposit`, a deposit that is held pays what is owed.',
    body: CreditCreate,
    success: 201,
    response: singleOf(Credit),
    conflicts: 'The charge is voided, or more would be applied than is held as a deposit.',
    handle: async ({ db, caller, body, now }) => single(await giveCredit(db, caller, body, now)),
  }),
  route({
    method: 'GET',
    path: '/credits/:id',
    permission: 'read',
    tag,
    summary: 'Get a credit',
    id: 'crd',
    success: 200,
    response: singleOf(Credit),
    handle: async ({ db, caller, id }) => single(await getRecord(db, creditShape, caller.accountId, id)),
  }),
  route({
    method: 'POST',
    path: '/credits/:id/void',
    permission: 'write',
    tag,
    summary: 'Void a credit',
    description: 'It stays visible and no longer counts, on any day.',
    id: 'crd',
    body: Void,
    success: 200,
    response: singleOf(Credit),
    conflicts: 'The credit has already been voided.',
    handle: async ({ db, caller, id, body, now }) =>
      single(await voidCredit(db, caller, id, body.reason, now)),
  }),
];
