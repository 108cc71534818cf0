import type { Db } from '../db/connect.ts';
import type { EventName } from '../events/catalogue.ts';
import { parseId } from '../ids.ts';
import type { Activity } from './home.schema.ts';
import { findActivity, type HappenedRow } from './home.store.ts';

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
  'file.created': 'File added',
  'file.updated': 'File renamed or moved',
  'file.deleted': 'File deleted',
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

/**
 * What the clock records for many leases at once. These events are shown together, so that rent day leaves room for
 * other news.
 */
const titlesOfMany: Partial<Record<EventName, string>> = {
  'charge.created': 'charges posted',
  'charge.due': 'charges due',
  'charge.overdue': 'charges overdue',
};

const shown = 15;
/**
 * How many events are read in each round: mostly the first round is enough. If there are more than all of these, the
 * last group is counted.
 */
const readPerRound = [shown, 500, 1_500];

/** The latest activity, newest first. */
export async function latestActivity(db: Db, accountId: string): Promise<Activity[]> {
  const groups: Group[] = [];
  let before: string | null = null;
  for (const most of readPerRound) {
    const rows = await findActivity(db, accountId, before, most);
    for (const row of rows) addTo(groups, row);
    // With one more group, all groups that are shown are complete.
    if (rows.length < most || groups.length > shown) break;
    before = parseId('evt', rows.at(-1)?.id ?? '');
  }
  return groups.slice(0, shown).map(describe);
}

interface Group {
  rows: [HappenedRow, ...HappenedRow[]];
  /** Which events belong to the group; null if no others do. */
  key: string | null;
}

/** Joins events of the same kind and currency if nothing but news from the clock happened between them. */
function addTo(groups: Group[], row: HappenedRow): void {
  const key = titlesOfMany[row.event as EventName] ? `${row.event} ${row.record.currency}` : null;
  const run = groups.slice(groups.findLastIndex((group) => group.key === null) + 1);
  const same = key === null ? undefined : run.find((group) => group.key === key);
  if (same) same.rows.push(row);
  else groups.push({ rows: [row], key });
}

/** In a landlord's words: what happened, to whom, and where to look. */
function describe({ rows: [row, ...others] }: Group): Activity {
  const one = describeOne(row);
  if (others.length === 0) return one;
  const count = others.length + 1;
  const cents = others.reduce((sum, { record }) => sum + (number(record.amount_cents) ?? 0), 0);
  return {
    ...one,
    title: `${count} ${titlesOfMany[one.event]}`,
    detail: null,
    count,
    amount_cents: (one.amount_cents ?? 0) + cents,
    link: { type: 'charge', id: null },
  };
}

function describeOne(row: HappenedRow): Activity {
  const event = row.event as EventName;
  const noun = event.split('.')[0] ?? '';
  const isMoney = ['charge', 'credit', 'payment'].includes(noun);
  return {
    id: row.id,
    event,
    created_at: row.created_at,
    title: titleOf(event, row.record),
    detail: detailOf(row),
    count: 1,
    amount_cents: isMoney ? number(row.record.amount_cents) : null,
    currency: isMoney ? text(row.record.currency) : null,
    link: linkTo(noun, row.record),
  };
}

/** Charges and credits are shown in the ledger of their lease, files on their record. */
function linkTo(noun: string, record: HappenedRow['record']): Activity['link'] {
  if (noun === 'charge' || noun === 'credit') return { type: 'lease', id: text(record.lease_id) ?? '' };
  if (noun === 'file')
    return { type: record.record_type as Activity['link']['type'], id: text(record.record) ?? '' };
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
    file: [text(record.name)],
    webhook: [text(record.url)],
  }[event.split('.')[0] ?? ''];
  return parts?.filter(Boolean).join(' · ') || null;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
