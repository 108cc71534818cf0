import { getRecord } from '../db/records/list.ts';
import { listReply, route, single } from '../http/routes/route.ts';
import { pageBounds } from '../paging.ts';
import { listOf, singleOf } from '../shapes.ts';
import { Lease, LeaseCreate, LeaseList, LeasePatch } from './leases.schema.ts';
import { leaseShape, listLeases } from './leases.store.ts';
import { changeLease, checkDates, makeLease } from './leases.ts';

const tag = 'Leases';
const conflicts = 'The unit already has a lease in this time.';

export const leaseRoutes = [
  route({
    method: 'GET',
    path: '/leases',
    permission: 'read',
    tag,
    summary: 'List leases',
    query: LeaseList,
    success: 200,
    response: listOf(Lease),
    async handle({ app, db, caller, query, today }) {
      const bounds = pageBounds(query, app.secrets, '/leases');
      return listReply(await listLeases(db, caller.accountId, query, bounds, today));
    },
  }),
  route({
    method: 'POST',
    path: '/leases',
    permission: 'write',
    tag,
    summary: 'Make a lease',
    body: LeaseCreate,
    success: 201,
    response: singleOf(Lease),
    conflicts,
    handle: async ({ db, caller, body, now }) => single(await makeLease(db, caller, body, now)),
  }),
  route({
    method: 'GET',
    path: '/leases/:id',
    permission: 'read',
    tag,
    summary: 'Get a lease',
    id: 'lease',
    success: 200,
    response: singleOf(Lease),
    handle: async ({ db, caller: { accountId }, id, today }) =>
      single(await getRecord(db, leaseShape(accountId, today), accountId, id)),
  }),
  route({
    method: 'PATCH',
    path: '/leases/:id',
    permission: 'write',
    tag,
    summary: 'Change or end a lease',
    description:
      'Set `notice_given_on` when notice was given, `ended_on` to end it. The unit of a lease cannot change. ' +
      '`rent_cents` is the rent of the first day: another one counts for past months too. For a raise, add to `rent_changes`.',
    id: 'lease',
    body: LeasePatch,
    success: 200,
    response: singleOf(Lease),
    conflicts,
    prepare: async ({ body }) => checkDates(body),
    handle: async ({ db, caller, id, body, now }) => single(await changeLease(db, caller, id, body, now)),
  }),
];
