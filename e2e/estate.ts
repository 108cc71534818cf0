import type { Person } from './people.ts';
import { scale } from './scale.ts';

interface Record {
  id: string;
}

interface Estate {
  property: Record;
  unit: Record;
  tenant: Record;
  lease: Record;
  payment: Record;
  request: Record;
  webhook: Record & { secret: string };
}

/** Makes one record of every kind, all of them connected. Each text is what `text` returns, including markup. */
export async function buildEstate(
  owner: Person,
  hookUrl: string,
  text: (what: string) => string = (what) => what,
): Promise<Estate> {
  const property = await owner.post<Record>('/properties', {
    name: text('Maple Court'),
    type: 'multi_family',
    address: text('12 Maple Street'),
    city: text('Riverton'),
    notes: text('Roof renewed in 2019'),
    units: [{ name: text('1A'), bedrooms: 2, market_rent_cents: 125_000 }, { name: text('1B') }],
  });
  const units = await owner.get<(Record & { name: string })[]>(`/units?property_id=${property.id}`);
  const unit = units.find(({ name }) => name === text('1A')) as Record;
  const tenant = await owner.post<Record>('/tenants', {
    first_name: text('Ada'),
    last_name: text('Okafor'),
    email: 'ada@example.com',
    phone: '+1 555 0100',
    notes: text('Has a cat'),
  });
  const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const lease = await owner.post<Record>('/leases', {
    unit_id: unit.id,
    tenant_ids: [tenant.id],
    start_date: '2025-01-01',
    end_date: soon,
    rent_cents: 125_000,
  });
  const webhook = await owner.post<Record & { secret: string }>('/webhooks', {
    url: hookUrl,
    description: text('Accounting'),
    events: ['payment.created', 'tenant.created'],
  });
  const payment = await owner.post<Record>('/payments', {
    tenant_id: tenant.id,
    amount_cents: 125_000,
    method: 'check',
    reference: text('No. 1041'),
    memo: text('In person'),
  });
  const request = await owner.post<Record>('/maintenance', {
    property_id: property.id,
    unit_id: unit.id,
    tenant_id: tenant.id,
    title: text('Kitchen tap drips'),
    description: text('Since Monday'),
    assigned_to: text('Rivera Plumbing'),
    priority: 'high',
  });
  await owner.post('/api-keys', { name: text('Export'), permission: 'read', expires_in_days: null });
  await owner.post('/team/invitations', {
    email: `guest-${process.hrtime.bigint()}@example.com`,
    role: 'viewer',
  });
  return { property, unit, tenant, lease, payment, request, webhook };
}

/** The address of every page of the dashboard, with this estate in it. */
const pagesOf = (estate: Estate): string[] => [
  '/',
  '/properties',
  '/properties/new',
  `/properties/${estate.property.id}`,
  `/properties/${estate.property.id}/edit`,
  '/units',
  '/tenants',
  '/tenants/new',
  `/tenants/${estate.tenant.id}`,
  '/leases',
  '/leases/new',
  `/leases/${estate.lease.id}`,
  `/leases/${estate.lease.id}/edit`,
  '/payments',
  `/payments/${estate.payment.id}`,
  '/overdue',
  '/charges',
  '/maintenance',
  '/maintenance?view=board',
  '/maintenance/new',
  `/maintenance/${estate.request.id}`,
  `/maintenance/${estate.request.id}/edit`,
  '/reports/rent-roll',
  '/reports/rent-collected',
  '/reports/rent-collected?by=property',
  '/settings/account',
  '/settings/security',
  '/settings/rent',
  '/settings/team',
  '/settings/api-keys',
  '/settings/audit-log',
  '/settings/import',
  '/settings/webhooks',
  '/settings/webhooks/new',
  `/settings/webhooks/${estate.webhook.id}`,
  `/settings/webhooks/${estate.webhook.id}/edit`,
];

/** The pages to walk through for what must be true on all pages: all of them, or in short one page of each sort. */
export const walkOf = (estate: Estate): string[] =>
  scale(pagesOf(estate), [
    '/',
    '/payments',
    '/leases/new',
    `/properties/${estate.property.id}`,
    `/tenants/${estate.tenant.id}`,
    `/leases/${estate.lease.id}`,
    `/maintenance/${estate.request.id}`,
    `/maintenance/${estate.request.id}/edit`,
    '/maintenance?view=board',
    '/reports/rent-roll',
    '/settings/team',
    '/settings/audit-log',
    `/settings/webhooks/${estate.webhook.id}`,
  ]);
