import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

export interface Client {
  /** The answer's `data`; anything but a success is an error. */
  send<Data>(method: 'GET' | 'POST', path: string, body?: object): Promise<Data>;
  close(): Promise<void>;
}

const connections = 8;
const tenants = 50;
/** One list for so many new payments. */
const listEvery = 10;

export function connectTo(origin: string, key: string): Client {
  const pool = new Pool(origin, { connections });
  return {
    async send<Data>(method: 'GET' | 'POST', path: string, body?: object) {
      const { statusCode, body: answer } = await pool.request({
        method,
        path: `/api/v1${path}`,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      if (statusCode >= 300) throw new Error(`${method} ${path} was answered with ${statusCode}: ${text}`);
      return (JSON.parse(text) as { data: Data }).data;
    },
    close: () => pool.close(),
  };
}

/** Fifty tenants in their units, and a subscriber; returns a payment of each. */
export async function prepareAccount(client: Client, hook: string): Promise<object[]> {
  const units = Array.from({ length: tenants }, (_, n) => ({ name: `Unit ${n}` }));
  const property = await client.send<{ id: string }>('POST', '/properties', { name: 'House', units });
  const made = await client.send<{ id: string }[]>('GET', `/units?property_id=${property.id}`);
  await client.send('POST', '/webhooks', { url: hook, events: ['payment.created'] });
  const payments: object[] = [];
  for (const [n, unit] of made.entries()) {
    const tenant = await client.send<{ id: string }>('POST', '/tenants', {
      first_name: 'Ada',
      last_name: `Okafor ${n}`,
    });
    await client.send('POST', '/leases', {
      unit_id: unit.id,
      tenant_ids: [tenant.id],
      start_date: '2020-01-01',
      rent_cents: 125_000,
    });
    payments.push({ tenant_id: tenant.id, amount_cents: 125_000, method: 'card', memo: 'Rent' });
  }
  return payments;
}

/** So many new payments spread evenly over the time, and lists between them. Returns the number of requests. */
export async function steadily(
  client: Client,
  bodies: object[],
  { creates, seconds }: { creates: number; seconds: number },
): Promise<number> {
  const started = performance.now();
  let requests = 0;
  const worker = async (first: number) => {
    for (let n = first; n < creates; n += connections) {
      const early = started + (n / creates) * seconds * 1000 - performance.now();
      if (early > 0) await sleep(early);
      await client.send('POST', '/payments', bodies[n % bodies.length]);
      requests += 1;
      if (n % listEvery === 0) {
        await client.send('GET', '/payments?limit=100');
        requests += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, first) => worker(first)));
  return requests;
}
