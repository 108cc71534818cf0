import { formatId, type IdPrefix, newId } from '../../src/ids.ts';

export interface Load {
  count: number;
  endpoints: number;
}

/** One webhook to be sent, as a queue carries it. */
export interface Webhook {
  id: string;
  endpoint: number;
  body: string;
}

/** The endpoints are paths of one server, as most customers' webhooks go to few platforms. */
export const pathOf = (endpoint: number): string => `/hooks/${endpoint}`;

/** Every endpoint has the same number of them, and they take turns. */
export const makeWebhooks = ({ count, endpoints }: Load): Webhook[] =>
  Array.from({ length: count }, (_, n) => makeWebhook(n, n % endpoints));

export const makeWebhook = (n: number, endpoint: number): Webhook => ({
  id: newId(),
  endpoint,
  body: paymentCreated(n),
});

export function* batchesOf<Item>(items: Item[], size: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** A `payment.created` as the product makes it, some 700 bytes. */
function paymentCreated(n: number): string {
  const id = (prefix: IdPrefix) => formatId(prefix, newId());
  const at = new Date().toISOString();
  const payment = {
    id: id('pay'),
    tenant_id: id('ten'),
    lease_id: id('lease'),
    charge_id: null,
    property_id: id('prop'),
    unit_id: id('unit'),
    amount_cents: 125_000 + n,
    amount: ((125_000 + n) / 100).toFixed(2),
    currency: 'USD',
    paid_on: at.slice(0, 10),
    method: 'bank_transfer',
    status: 'paid',
    reversed_on: null,
    period: at.slice(0, 7),
    reference: `ACH ${n}`,
    memo: null,
    source: 'api',
    created_at: at,
    updated_at: at,
  };
  return JSON.stringify({ id: id('evt'), event: 'payment.created', created_at: at, data: { payment } });
}
