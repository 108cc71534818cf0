import { type Many, manyOf } from '../events/record-many.ts';
import { type TenantRow, tenantShape } from './tenants.store.ts';

export type ManyTenantsRow = { [Field in keyof TenantRow]: TenantRow[Field] };

/** Many tenants at once, for imports. */
export const manyTenants: Many<ManyTenantsRow> = manyOf<ManyTenantsRow>({
  table: 'tenants',
  columns: {
    first_name: 'text',
    last_name: 'text',
    email: 'text',
    phone: 'text',
    notes: 'text',
    external_id: 'text',
  },
  shape: tenantShape,
  created: 'tenant.created',
  updated: 'tenant.updated',
});
