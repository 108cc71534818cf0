import { route, single } from '../http/routes/route.ts';
import { singleOf } from '../shapes.ts';
import { Tenant } from '../tenants/tenants.schema.ts';
import { TenantCreate } from './move-in.schema.ts';
import { addWithLease, needScopes } from './move-in.ts';

export const moveInRoutes = [
  route({
    method: 'POST',
    path: '/tenants',
    permission: 'write',
    tag: 'Tenants',
    summary: 'Add a tenant',
    description:
      'With `lease`, the tenant and their lease are added, or neither is; the events are those of both. ' +
      'Errors in a field of the lease are reported under `lease`: `rent_cents: Required.`',
    body: TenantCreate,
    success: 201,
    response: singleOf(Tenant),
    conflicts:
      'With `lease`: the unit already has a lease during this time, or the lease would have too many charges.',
    prepare: async ({ caller, body }) => needScopes(caller, body),
    handle: async ({ db, caller, body, now }) => single(await addWithLease(db, caller, body, now)),
  }),
];
