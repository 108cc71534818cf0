import { decimalsOf } from '../../../src/money.ts';

/*
 * A payment's way from a row to the API's record, for the contenders that make their JSON themselves. Each of them
 * gets the values in the types of its own library and hands them in as this.
 */

export interface PaymentRow {
  id: string;
  tenant_id: string;
  lease_id: string | null;
  property_id: string | null;
  unit_id: string | null;
  amount_cents: number;
  currency: string;
  /** YYYY-MM-DD */
  paid_on: string;
  method: string;
  status: string;
  period: string | null;
  reference: string | null;
  memo: string | null;
  source: string;
  created_at: Date;
  updated_at: Date;
}

/** What the request says. */
export interface PaymentBody {
  tenant_id: string;
  amount_cents: number;
  currency?: string;
  paid_on?: string;
  method?: string;
  status?: string;
  period?: string;
  reference?: string;
  memo?: string;
}

export interface Lease {
  id: string;
  unit_id: string;
  property_id: string;
  currency: string;
}

const publicId = (prefix: string, uuid: string): string => `${prefix}_${uuid.replaceAll('-', '')}`;
const publicIdOrNull = (prefix: string, uuid: string | null): string | null =>
  uuid === null ? null : publicId(prefix, uuid);

export const present = (row: PaymentRow) => ({
  id: publicId('pay', row.id),
  tenant_id: publicId('ten', row.tenant_id),
  lease_id: publicIdOrNull('lease', row.lease_id),
  property_id: publicIdOrNull('prop', row.property_id),
  unit_id: publicIdOrNull('unit', row.unit_id),
  amount_cents: row.amount_cents,
  amount: decimal(row.amount_cents, row.currency),
  currency: row.currency,
  paid_on: row.paid_on,
  method: row.method,
  status: row.status,
  period: row.period,
  reference: row.reference,
  memo: row.memo,
  source: row.source,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export type PaymentRecord = ReturnType<typeof present>;

function decimal(cents: number, currency: string): string {
  const digits = decimalsOf(currency);
  return (cents / 10 ** digits).toFixed(digits);
}

/** The row that a request becomes, with the tenant's lease on that day. */
export function newRow(
  id: string,
  at: Date,
  body: PaymentBody,
  lease: Lease | null,
  accountCurrency: string,
): PaymentRow {
  return {
    id,
    tenant_id: tenantOf(body),
    lease_id: lease?.id ?? null,
    unit_id: lease?.unit_id ?? null,
    property_id: lease?.property_id ?? null,
    amount_cents: body.amount_cents,
    currency: body.currency ?? lease?.currency ?? accountCurrency,
    paid_on: body.paid_on ?? at.toISOString().slice(0, 10),
    method: body.method ?? 'other',
    status: body.status ?? 'paid',
    period: body.period ?? null,
    reference: body.reference ?? null,
    memo: body.memo ?? null,
    source: 'api',
    created_at: at,
    updated_at: at,
  };
}

/** The uuid of the tenant; Postgres takes it without dashes as well. */
export const tenantOf = (body: PaymentBody): string => body.tenant_id.slice('ten_'.length);

/** What is sent to subscribers. */
export const eventBody = (id: string, at: Date, record: PaymentRecord): string =>
  `{"id":"${publicId('evt', id)}","event":"payment.created","created_at":"${at.toISOString()}","data":{"payment":${JSON.stringify(record)}}}`;
