import { type Sql, sql } from '../db/sql.ts';

/** The ids of a tenant's leases. */
export const leaseOfTenant = (accountId: string, tenantId: string): Sql =>
  sql`select lease_id from lease_tenants where account_id = ${accountId} and tenant_id = ${tenantId}`;
