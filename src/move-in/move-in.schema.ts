import type { z } from 'zod';
import { LeaseCreate } from '../leases/leases.schema.ts';
import { NewTenant } from '../tenants/tenants.schema.ts';

/** The tenant of the lease is the one who is added with it. */
const TheirLease = LeaseCreate.omit({ tenant_ids: true });

export const TenantCreate = NewTenant.extend({
  lease: TheirLease.optional().meta({
    description:
      'Their lease, made at once: both are added, or neither is. A key with scopes needs that of leases too.',
  }),
}).meta({ id: 'TenantCreate' });

export type NewTenantInput = z.output<typeof TenantCreate>;
export type MoveIn = z.output<typeof NewTenant> & { lease: z.output<typeof TheirLease> };
