import { getRecord } from '../../db/records/shape.ts';
import { listReply, route, single } from '../../http/routes/route.ts';
import { pageBounds } from '../../paging.ts';
import { listOf, singleOf } from '../../shapes.ts';
import { mostChargesText } from '../most-charges.ts';
import {
  RecurringCharge,
  RecurringChargeCreate,
  RecurringChargeList,
  RecurringChargePatch,
} from './recurring.schema.ts';
import { listRecurring, recurringShape } from './recurring.store.ts';
import { changeRecurring, makeRecurring } from './recurring.ts';

const tag = 'Recurring charges';

export const recurringRoutes = [
  route({
    method: 'GET',
    path: '/recurring-charges',
    permission: 'read',
    tag,
    summary: 'List recurring charges',
    query: RecurringChargeList,
    success: 200,
    response: listOf(RecurringCharge),
    async handle({ app, db, caller, query, today }) {
      const bounds = pageBounds(query, app.secrets, '/recurring-charges');
      return listReply(await listRecurring(db, caller.accountId, query, bounds, today));
    },
  }),
  route({
    method: 'POST',
    path: '/recurring-charges',
    permission: 'write',
    tag,
    summary: 'Make a recurring charge',
    description:
      'It is charged while the lease runs, from the day on which its ledger begins. ' +
      `A lease can have at most ${mostChargesText} charges that are not voided.`,
    body: RecurringChargeCreate,
    success: 201,
    response: singleOf(RecurringCharge),
    conflicts: 'The lease would have more charges than it can have.',
    handle: async ({ db, caller, body, now }) => single(await makeRecurring(db, caller, body, now)),
  }),
  route({
    method: 'GET',
    path: '/recurring-charges/:id',
    permission: 'read',
    tag,
    summary: 'Get a recurring charge',
    id: 'rec',
    success: 200,
    response: singleOf(RecurringCharge),
    handle: async ({ db, caller: { accountId }, id, today }) =>
      single(await getRecord(db, recurringShape(accountId, today), accountId, id)),
  }),
  route({
    method: 'PATCH',
    path: '/recurring-charges/:id',
    permission: 'write',
    tag,
    summary: 'Change or end a recurring charge',
    description: 'From a day on. Posted charges that no longer fit are voided and replaced.',
    id: 'rec',
    body: RecurringChargePatch,
    success: 200,
    response: singleOf(RecurringCharge),
    conflicts:
      'It has ended, the lease would have more charges than it can have, or less deposit would be charged than was applied or refunded.',
    handle: async ({ db, caller, id, body, now }) => single(await changeRecurring(db, caller, id, body, now)),
  }),
];
