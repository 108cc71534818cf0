import type { EventName } from '../events/catalogue.ts';
import type { Activity } from './home.schema.ts';
import type { HappenedRow } from './home.store.ts';

const titles: Record<EventName, string> = {
  'property.created': 'Property added',
  'property.updated': 'Property changed',
  'unit.created': 'Unit added',
  'unit.updated': 'Unit changed',
  'tenant.created': 'Tenant added',
  'tenant.updated': 'Tenant changed',
  'lease.created': 'Lease made',
  'lease.updated': 'Lease changed',
  'lease.ended': 'Lease ended',
  'lease.started': 'Lease started',
  'lease.expiring': 'Lease ends soon',
  'charge.created': 'Charge posted',
  'charge.updated': 'Charge voided',
  'charge.due': 'Charge due',
  'charge.overdue': 'Charge overdue',
  'credit.created': 'Credit given',
  'credit.updated': 'Credit voided',
  'payment.created': 'Payment recorded',
  'payment.updated': 'Payment changed',
  'maintenance_request.created': 'Repair requested',
  'maintenance_request.updated': 'Repair changed',
  'maintenance_request.completed': 'Repair completed',
  'webhook.test': 'Test event sent',
};

/** For a payment, the new status says more than "changed". */
const paymentTitles: Record<string, string> = {
  paid: 'Payment received',
  failed: 'Payment failed',
  returned: 'Payment returned',
  refunded: 'Payment refunded',
  voided: 'Payment voided',
};

/** An event in a landlord's words: what happened, to whom, and where to look. */
export function describeActivity(row: HappenedRow): Activity {
  const event = row.event as EventName;
  const noun = event.split('.')[0] ?? '';
  const isMoney = ['charge', 'credit', 'payment'].includes(noun);
  return {
    id: row.id,
    event,
    created_at: row.created_at,
    title: titleOf(event, row.record),
    detail: detailOf(row),
    amount_cents: isMoney ? number(row.record.amount_cents) : null,
    currency: isMoney ? text(row.record.currency) : null,
    link: linkTo(noun, row.record),
  };
}

/** Charges and credits are shown in the ledger of their lease. */
function linkTo(noun: string, record: HappenedRow['record']): Activity['link'] {
  if (noun === 'charge' || noun === 'credit') return { type: 'lease', id: text(record.lease_id) ?? '' };
  return { type: noun as Activity['link']['type'], id: text(record.id) ?? '' };
}

function titleOf(event: EventName, record: HappenedRow['record']): string {
  if (event === 'payment.updated') return paymentTitles[text(record.status) ?? ''] ?? titles[event];
  if (event === 'property.updated' && record.status === 'archived') return 'Property archived';
  return titles[event] ?? event;
}

function detailOf({ event, record, tenant, unit, property }: HappenedRow): string | null {
  const where = [property, unit].filter(Boolean).join(', ');
  const parts = {
    property: [text(record.name)],
    unit: [[property, text(record.name)].filter(Boolean).join(', ')],
    tenant: [`${text(record.first_name) ?? ''} ${text(record.last_name) ?? ''}`.trim()],
    lease: [tenant, where],
    charge: [tenant, where],
    credit: [tenant, where],
    payment: [tenant, where],
    maintenance_request: [`#${number(record.number) ?? ''} ${text(record.title) ?? ''}`.trim(), where],
    webhook: [text(record.url)],
  }[event.split('.')[0] ?? ''];
  return parts?.filter(Boolean).join(' · ') || null;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
