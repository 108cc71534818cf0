import { newId } from '../../src/ids.ts';

export interface Load {
  count: number;
  endpoints: number;
  /** Where the receiver is. */
  base: string;
}

/** One webhook to be sent: what a queue has to carry. */
export interface Webhook {
  id: string;
  endpoint: number;
  body: string;
}

/** The endpoints are paths of one server, as most customers' webhooks go to few platforms. */
export const urlOf = (base: string, endpoint: number): string => `${base}/hooks/${endpoint}`;

/** Every endpoint has the same number of them, and they take turns. */
export function makeWebhooks({ count, endpoints }: Load): Webhook[] {
  return Array.from({ length: count }, (_, n) => ({
    id: newId(),
    endpoint: n % endpoints,
    body: paymentCreated(n),
  }));
}

/** A `payment.created` as the product makes it, some 700 bytes. */
function paymentCreated(n: number): string {
  const id = (prefix: string) => `${prefix}_${newId().replaceAll('-', '')}`;
  const at = new Date().toISOString();
  const payment = {
    id: id('pay'),
    tenant_id: id('ten'),
    lease_id: id('lease'),
    property_id: id('prop'),
    unit_id: id('unit'),
    amount_cents: 125_000 + n,
    amount: ((125_000 + n) / 100).toFixed(2),
    currency: 'USD',
    paid_on: at.slice(0, 10),
    method: 'bank_transfer',
    status: 'paid',
    period: at.slice(0, 7),
    reference: `ACH ${n}`,
    memo: null,
    source: 'api',
    created_at: at,
    updated_at: at,
  };
  return JSON.stringify({ id: id('evt'), event: 'payment.created', created_at: at, data: { payment } });
}
