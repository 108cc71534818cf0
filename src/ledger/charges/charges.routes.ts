import type { Caller } from '../../caller.ts';
import { getRecord, type RecordShape } from '../../db/records/shape.ts';
import { writing } from '../../events/writer.ts';
import type { Expansion } from '../../expand/expand.schema.ts';
import { expanded } from '../../expand/expand.ts';
import { listReply, route, single } from '../../http/routes/route.ts';
import { checkRange, pageBounds } from '../../paging.ts';
import { listOf, singleOf } from '../../shapes.ts';
import { freshen } from '../freshen.ts';
import { mostChargesText } from '../most-charges.ts';
import { Charge, ChargeCreate, ChargeList, ChargeQuery, Void } from './charges.schema.ts';
import { chargeShape, listCharges } from './charges.store.ts';
import { makeCharge, voidCharge } from './charges.ts';

const tag = 'Charges';

const shapeFor = (caller: Caller, today: string, expand: Expansion[] | undefined): RecordShape =>
  expanded(chargeShape(caller.accountId, today), { caller, today, expand, leaseOfTenants: 'c.lease_id' });

export const chargeRoutes = [
  route({
    method: 'GET',
    path: '/charges',
    permission: 'read',
    tag,
    summary: 'List charges',
    query: ChargeList,
    success: 200,
    response: listOf(Charge),
    async handle({ app, db, caller, query, today, now }) {
      checkRange(query.from, query.to);
      const bounds = pageBounds(query, app.secrets, '/charges');
      const shape = shapeFor(caller, today, query.expand);
      await freshen(db, writing(caller, now));
      return listReply(await listCharges(db, shape, caller, query, bounds, today));
    },
  }),
  route({
    method: 'POST',
    path: '/charges',
    permission: 'write',
    tag,
    summary: 'Charge a lease',
    description:
      'Rent, the deposit and recurring charges are charged automatically; this is for everything else.',
    body: ChargeCreate,
    success: 201,
    response: singleOf(Charge),
    conflicts: `The lease is already charged rent for that month, or has ${mostChargesText} charges that are not voided.`,
    handle: async ({ db, caller, body, now }) => single(await makeCharge(db, caller, body, now)),
  }),
  route({
    method: 'GET',
    path: '/charges/:id',
    permission: 'read',
    tag,
    summary: 'Get a charge',
    id: 'chg',
    query: ChargeQuery,
    success: 200,
    response: singleOf(Charge),
    async handle({ db, caller, id, query, today, now }) {
      const shape = shapeFor(caller, today, query.expand);
      await freshen(db, writing(caller, now));
      return single(await getRecord(db, shape, caller.accountId, id));
    },
  }),
  route({
    method: 'POST',
    path: '/charges/:id/void',
    permission: 'write',
    tag,
    summary: 'Void a charge',
    description:
      'It stays visible and no longer counts, on any day. Neither the schedule nor a late-fee policy charges it again.',
    id: 'chg',
    body: Void,
    success: 200,
    response: singleOf(Charge),
    conflicts:
      'The charge has already been voided, or less deposit would be charged than was applied or refunded.',
    handle: async ({ db, caller, id, body, now }) =>
      single(await voidCharge(db, caller, id, body.reason, now)),
  }),
];
