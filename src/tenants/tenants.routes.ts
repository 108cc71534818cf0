import { getRecord } from '../db/records/shape.ts';
import { listReply, route, single } from '../http/routes/route.ts';
import { pageBounds } from '../paging.ts';
import { listOf, singleOf } from '../shapes.ts';
import { Tenant, TenantList, TenantPatch } from './tenants.schema.ts';
import { listTenants, tenantShape } from './tenants.store.ts';
import { changeTenant } from './tenants.ts';

const tag = 'Tenants';

export const tenantRoutes = [
  route({
    method: 'GET',
    path: '/tenants',
    permission: 'read',
    tag,
    summary: 'List tenants with their unit and lease status',
    query: TenantList,
    success: 200,
    response: listOf(Tenant),
    async handle({ app, db, caller, query, today }) {
      const bounds = pageBounds(query, app.secrets, '/tenants');
      return listReply(await listTenants(db, caller.accountId, query, bounds, today));
    },
  }),
  route({
    method: 'GET',
    path: '/tenants/:id',
    permission: 'read',
    tag,
    summary: 'Get a tenant',
    id: 'ten',
    success: 200,
    response: singleOf(Tenant),
    handle: async ({ db, caller: { accountId }, id, today }) =>
      single(await getRecord(db, tenantShape(accountId, today), accountId, id)),
  }),
  route({
    method: 'PATCH',
    path: '/tenants/:id',
    permission: 'write',
    tag,
    summary: 'Change a tenant',
    id: 'ten',
    body: TenantPatch,
    success: 200,
    response: singleOf(Tenant),
    handle: async ({ db, caller, id, body, now }) => single(await changeTenant(db, caller, id, body, now)),
  }),
];
