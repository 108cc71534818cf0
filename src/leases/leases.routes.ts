import type { Caller } from '../caller.ts';
import { getRecord, type RecordShape } from '../db/records/shape.ts';
import { deletedRecord } from '../deletion/deletion.schema.ts';
import type { Expansion } from '../expand/expand.schema.ts';
import { expanded } from '../expand/expand.ts';
import { listReply, route, single } from '../http/routes/route.ts';
import { LeaseChangePreview } from '../ledger/previews/previews.schema.ts';
import { pageBounds } from '../paging.ts';
import { listOf, singleOf } from '../shapes.ts';
import { deleteLease } from './delete-lease.ts';
import {
  Lease,
  LeaseCreate,
  LeaseEndQuery,
  LeaseList,
  LeasePatch,
  LeaseQuery,
  LeaseRenew,
  LeaseRenewQuery,
} from './leases.schema.ts';
import { leaseShape, listLeases } from './leases.store.ts';
import { changeLease, checkDates, makeLease } from './leases.ts';
import { previewEnd, previewRenewal, renewLease } from './renewal.ts';

const tag = 'Leases';
const conflicts =
  'The unit already has a lease during this time, or the lease would have more charges than it can have.';

const shapeFor = (caller: Caller, today: string, expand: Expansion[] | undefined): RecordShape =>
  expanded(leaseShape(caller.accountId, today), { caller, today, expand, leaseOfTenants: 'l.id' });

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
      const shape = shapeFor(caller, today, query.expand);
      return listReply(await listLeases(db, shape, caller, query, bounds, today));
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
    query: LeaseQuery,
    success: 200,
    response: singleOf(Lease),
    handle: async ({ db, caller, id, query, today }) =>
      single(await getRecord(db, shapeFor(caller, today, query.expand), caller.accountId, id)),
  }),
  route({
    method: 'PATCH',
    path: '/leases/:id',
    permission: 'write',
    tag,
    summary: 'Change or end a lease',
    description:
      'Set `notice_given_on` when notice was given, `ended_on` to end it. The unit of a lease cannot change. ' +
      '`rent_cents` is the rent of the first day: changing it affects past months too. For a raise, add to `rent_changes`.',
    id: 'lease',
    body: LeasePatch,
    success: 200,
    response: singleOf(Lease),
    conflicts:
      'The unit already has a lease during this time, the lease would have more charges than it can have, or less deposit would be charged than was applied or refunded.',
    prepare: async ({ body }) => checkDates(body),
    handle: async ({ db, caller, id, body, now }) => single(await changeLease(db, caller, id, body, now)),
  }),
  route({
    method: 'DELETE',
    path: '/leases/:id',
    permission: 'write',
    tag,
    summary: 'Delete a lease that nothing refers to',
    description:
      'Unpaid charges that it made by itself are voided and deleted with it, as are its recurring charges. Its history stays. No event is sent; `error.details` says what refers to it.',
    id: 'lease',
    success: 200,
    response: singleOf(deletedRecord('lease', 'Lease')),
    conflicts:
      'Payments, credits, deposit refunds or charges that somebody made are on the lease, or it has an opening balance.',
    handle: async ({ db, caller, id, now }) => single(await deleteLease(db, caller, id, now)),
  }),
  route({
    method: 'POST',
    path: '/leases/:id/renew',
    permission: 'write',
    tag,
    summary: 'Renew a lease',
    description: 'The same lease and ledger continue. Any notice is withdrawn.',
    id: 'lease',
    body: LeaseRenew,
    success: 200,
    response: singleOf(Lease),
    conflicts: 'The lease was ended, or the unit has another lease during the new time.',
    handle: async ({ db, caller, id, body, now }) => single(await renewLease(db, caller, id, body, now)),
  }),
  route({
    method: 'GET',
    path: '/leases/:id/renew',
    permission: 'read',
    tag,
    summary: 'See what a renewal would charge',
    id: 'lease',
    query: LeaseRenewQuery,
    success: 200,
    response: singleOf(LeaseChangePreview),
    conflicts:
      'The lease was ended, the unit has another lease in this time, or the lease would have too many charges.',
    handle: async ({ db, caller, id, query, now }) =>
      single(await previewRenewal(db, caller, id, query, now)),
  }),
  route({
    method: 'GET',
    path: '/leases/:id/end',
    permission: 'read',
    tag,
    summary: 'See what ending a lease would void and charge',
    description: 'To end it, set `ended_on` with PATCH.',
    id: 'lease',
    query: LeaseEndQuery,
    conflicts: 'The unit has another lease in this time, or the lease would have too many charges.',
    success: 200,
    response: singleOf(LeaseChangePreview),
    handle: async ({ db, caller, id, query, today, now }) =>
      single(await previewEnd(db, caller, id, query.ended_on ?? today, now)),
  }),
];
