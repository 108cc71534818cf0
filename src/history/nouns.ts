import type { IdPrefix } from '../ids.ts';

/** A kind of record that has a history. */
export interface Noun {
  path: string;
  table: string;
  id: IdPrefix;
  tag: string;
  /** As in "a property". */
  one: string;
}

export const nouns: Noun[] = [
  { path: '/properties', table: 'properties', id: 'prop', tag: 'Properties', one: 'a property' },
  { path: '/units', table: 'units', id: 'unit', tag: 'Units', one: 'a unit' },
  { path: '/tenants', table: 'tenants', id: 'ten', tag: 'Tenants', one: 'a tenant' },
  { path: '/leases', table: 'leases', id: 'lease', tag: 'Leases', one: 'a lease' },
  { path: '/payments', table: 'payments', id: 'pay', tag: 'Payments', one: 'a payment' },
  { path: '/charges', table: 'charges', id: 'chg', tag: 'Charges', one: 'a charge' },
  { path: '/credits', table: 'credits', id: 'crd', tag: 'Credits', one: 'a credit' },
  {
    path: '/recurring-charges',
    table: 'recurring_charges',
    id: 'rec',
    tag: 'Recurring charges',
    one: 'a recurring charge',
  },
  {
    path: '/maintenance',
    table: 'maintenance_requests',
    id: 'mnt',
    tag: 'Maintenance',
    one: 'a maintenance request',
  },
  { path: '/webhooks', table: 'webhook_endpoints', id: 'we', tag: 'Webhooks', one: 'a webhook subscription' },
];
