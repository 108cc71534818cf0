export interface Destination {
  name: string;
  to: string;
  search?: Record<string, string>;
  /** Not a page of the dashboard; opens in a new tab. */
  isOutside?: boolean;
  isForOwners?: boolean;
}

export const pages: Destination[] = [
  { name: 'Home', to: '/' },
  { name: 'Properties', to: '/properties' },
  { name: 'Units', to: '/units' },
  { name: 'Tenants', to: '/tenants' },
  { name: 'Leases', to: '/leases' },
  { name: 'Payments', to: '/payments' },
  { name: 'Overdue', to: '/overdue' },
  { name: 'In credit', to: '/overdue', search: { show: 'credit' } },
  { name: 'Charges', to: '/charges' },
  { name: 'Maintenance', to: '/maintenance' },
  { name: 'Maintenance board', to: '/maintenance', search: { view: 'board' } },
  { name: 'Reports: rent roll', to: '/reports/rent-roll' },
  { name: 'Reports: rent collected', to: '/reports/rent-collected' },
  { name: 'Settings: account', to: '/settings/account' },
  { name: 'Settings: security', to: '/settings/security' },
  { name: 'Settings: rent', to: '/settings/rent' },
  { name: 'Settings: team', to: '/settings/team' },
  { name: 'Settings: API keys', to: '/settings/api-keys' },
  { name: 'Settings: webhooks', to: '/settings/webhooks' },
  { name: 'Settings: test mode', to: '/settings/test-mode' },
  { name: 'Settings: audit log', to: '/settings/audit-log', isForOwners: true },
  { name: 'API reference', to: '/docs', isOutside: true },
];

export const actions: Destination[] = [
  { name: 'Record payment', to: '/payments', search: { record: 'new' } },
  { name: 'Add request', to: '/maintenance/new' },
  { name: 'Add tenant', to: '/tenants/new' },
  { name: 'Add lease', to: '/leases/new' },
  { name: 'Add property', to: '/properties/new' },
  { name: 'Add endpoint', to: '/settings/webhooks/new' },
  { name: 'Create API key', to: '/settings/api-keys', search: { create: 'new' } },
  { name: 'Invite', to: '/settings/team', search: { invite: 'new' }, isForOwners: true },
  { name: 'Import a spreadsheet', to: '/settings/import' },
];
