import { getRecord } from '../db/records/shape.ts';
import { expanded } from '../expand/expand.ts';
import { listReply, route, single } from '../http/routes/route.ts';
import { pageBounds } from '../paging.ts';
import { listOf, singleOf } from '../shapes.ts';
import {
  MaintenanceCreate,
  MaintenanceList,
  MaintenancePatch,
  MaintenanceQuery,
  MaintenanceRequest,
} from './maintenance.schema.ts';
import { listMaintenance, maintenanceShape } from './maintenance.store.ts';
import { changeMaintenance, requestMaintenance } from './maintenance.ts';

const tag = 'Maintenance';

export const maintenanceRoutes = [
  route({
    method: 'GET',
    path: '/maintenance',
    permission: 'read',
    tag,
    summary: 'List maintenance requests',
    query: MaintenanceList,
    success: 200,
    response: listOf(MaintenanceRequest),
    async handle({ app, db, caller, query, today }) {
      const bounds = pageBounds(query, app.secrets, '/maintenance');
      const shape = expanded(maintenanceShape, { caller, today, expand: query.expand });
      return listReply(await listMaintenance(db, shape, caller, query, bounds));
    },
  }),
  route({
    method: 'POST',
    path: '/maintenance',
    permission: 'write',
    tag,
    summary: 'Create a maintenance request',
    body: MaintenanceCreate,
    success: 201,
    response: singleOf(MaintenanceRequest),
    handle: async ({ db, caller, body, now }) => single(await requestMaintenance(db, caller, body, now)),
  }),
  route({
    method: 'GET',
    path: '/maintenance/:id',
    permission: 'read',
    tag,
    summary: 'Get a maintenance request',
    id: 'mnt',
    query: MaintenanceQuery,
    success: 200,
    response: singleOf(MaintenanceRequest),
    async handle({ db, caller, id, query, today }) {
      const shape = expanded(maintenanceShape, { caller, today, expand: query.expand });
      return single(await getRecord(db, shape, caller.accountId, id));
    },
  }),
  route({
    method: 'PATCH',
    path: '/maintenance/:id',
    permission: 'write',
    tag,
    summary: 'Change a maintenance request, its status included',
    description:
      'Unfinished statuses move freely; a completed request can be reopened; a cancelled one is final.',
    id: 'mnt',
    body: MaintenancePatch,
    success: 200,
    response: singleOf(MaintenanceRequest),
    conflicts: 'The status cannot change that way.',
    handle: async ({ db, caller, id, body, now }) =>
      single(await changeMaintenance(db, caller, id, body, now)),
  }),
];
