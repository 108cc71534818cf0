export { NewTenantPage } from './new-tenant.tsx';
export { TenantsPage } from './tenant-list.tsx';
export { TenantPage } from './tenant-page.tsx';
