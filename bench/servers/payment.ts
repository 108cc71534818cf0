import type { StoredKey } from '../../src/api-keys/api-keys.ts';
import { idTime, newId } from '../../src/ids.ts';
import { decimalsOf } from '../../src/money.ts';

/*
 * What all peers do alike: a payment's way from a row to the API's record, and the rows that a new one leaves. How
 * rows are read and written is what is compared.
 */

export interface PaymentRow {
  id: string;
  tenant_id: string;
  lease_id: string | null;
  charge_id: string | null;
  property_id: string | null;
  unit_id: string | null;
  amount_cents: number;
  currency: string;
  /** YYYY-MM-DD */
  paid_on: string;
  method: string;
  status: string;
  reversed_on: string | null;
  period: string | null;
  reference: string | null;
  memo: string | null;
  external_id: string | null;
  source: string;
  created_at: Date;
  updated_at: Date;
}

/** What is read of a payment to show it. */
export const paymentColumns = [
  ...([
    'id',
    'tenant_id',
    'lease_id',
    'charge_id',
    'property_id',
    'unit_id',
    'amount_cents',
    'currency',
    'paid_on',
  ] as const),
  ...(['method', 'status', 'reversed_on', 'period', 'reference', 'memo', 'external_id', 'source'] as const),
  ...(['created_at', 'updated_at'] as const),
];

/** What the request says. */
export type PaymentBody = Pick<PaymentRow, 'tenant_id' | 'amount_cents'> &
  Partial<Record<'currency' | 'paid_on' | 'method' | 'status' | 'period' | 'reference' | 'memo', string>>;

type Lease = Record<'id' | 'unit_id' | 'property_id' | 'currency', string>;

/** A library's way to the database. */
export interface Store {
  list(accountId: string, limit: number): Promise<PaymentRow[]>;
  /** The tenant's on that day. */
  lease(accountId: string, tenantId: string, day: string): Promise<Lease | null | undefined>;
  subscribers(accountId: string): Promise<{ id: string }[]>;
  /** All or nothing. */
  insert(rows: Omit<ReturnType<typeof rowsOf>, 'record'>): Promise<unknown>;
}

/** Two look-ups side by side, then three inserts in a transaction. The record is made from what was sent. */
export async function createPayment(store: Store, key: StoredKey, body: PaymentBody): Promise<PaymentRecord> {
  const id = newId();
  const day = body.paid_on ?? idTime(id).toISOString().slice(0, 10);
  const [lease, subscribers] = await Promise.all([
    store.lease(key.account_id, tenantOf(body), day),
    store.subscribers(key.account_id),
  ]);
  const { record, ...rows } = rowsOf(id, day, key, body, lease ?? null, subscribers);
  await store.insert(rows);
  return record;
}

function rowsOf(
  id: string,
  day: string,
  { account_id, currency }: StoredKey,
  body: PaymentBody,
  lease: Lease | null,
  subscribers: { id: string }[],
) {
  const at = idTime(id);
  const row: PaymentRow = {
    id,
    tenant_id: tenantOf(body),
    lease_id: lease?.id ?? null,
    charge_id: null,
    unit_id: lease?.unit_id ?? null,
    property_id: lease?.property_id ?? null,
    amount_cents: body.amount_cents,
    currency: body.currency ?? lease?.currency ?? currency,
    paid_on: day,
    method: body.method ?? 'other',
    status: body.status ?? 'paid',
    reversed_on: null,
    period: body.period ?? null,
    reference: body.reference ?? null,
    memo: body.memo ?? null,
    external_id: null,
    source: 'api',
    created_at: at,
    updated_at: at,
  };
  const record = present(row);
  const event = { account_id, id: newId(), event: 'payment.created', created_at: at };
  const queued = { account_id, event_id: event.id, event: event.event, kind: 'event', ready: true };
  return {
    record,
    payment: { account_id, ...row },
    event: { ...event, body: eventBody(event.id, at, record) },
    queued: subscribers.map(({ id: endpoint_id }) => ({
      id: newId(),
      endpoint_id,
      ...queued,
      next_at: at,
      created_at: at,
    })),
  };
}

export const present = (row: PaymentRow) => ({
  id: publicId('pay', row.id),
  tenant_id: publicId('ten', row.tenant_id),
  lease_id: publicIdOrNull('lease', row.lease_id),
  charge_id: publicIdOrNull('chg', row.charge_id),
  property_id: publicIdOrNull('prop', row.property_id),
  unit_id: publicIdOrNull('unit', row.unit_id),
  amount_cents: row.amount_cents,
  amount: decimal(row.amount_cents, row.currency),
  currency: row.currency,
  paid_on: row.paid_on,
  method: row.method,
  status: row.status,
  reversed_on: row.reversed_on,
  period: row.period,
  reference: row.reference,
  memo: row.memo,
  external_id: row.external_id,
  source: row.source,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export type PaymentRecord = ReturnType<typeof present>;

const publicId = (prefix: string, uuid: string): string => `${prefix}_${uuid.replaceAll('-', '')}`;
const publicIdOrNull = (prefix: string, uuid: string | null): string | null =>
  uuid === null ? null : publicId(prefix, uuid);

function decimal(cents: number, currency: string): string {
  const digits = decimalsOf(currency);
  return (cents / 10 ** digits).toFixed(digits);
}

/** The uuid of the tenant; Postgres takes it without dashes as well. */
export const tenantOf = (body: PaymentBody): string => body.tenant_id.slice('ten_'.length);

/** What is sent to subscribers. */
export const eventBody = (id: string, at: Date, record: PaymentRecord): string =>
  JSON.stringify({
    id: publicId('evt', id),
    event: 'payment.created',
    created_at: at.toISOString(),
    data: { payment: record },
  });
