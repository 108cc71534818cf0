import type { Database } from '../../src/db/connect.ts';
import { keyOf, newAccount } from '../lib/database.ts';
import { answerTo } from '../lib/requests.ts';

/** One account, as a program that uses it knows it. */
export interface Asker {
  key: string;
  tenants: string[];
  /** Its newest event; later ones are news. */
  after: string;
}

export interface Sizes {
  accounts: number;
  leases: number;
  /** For each account, all at once: what they queue is a backlog. */
  payments: number;
}

const atOnce = 8;
const startOfMonth = `${new Date().toISOString().slice(0, 7)}-01`;

/** Accounts with leases and payments, made through the API, and an endpoint in each that subscribes to payments. */
export async function prepareAccounts(
  db: Database,
  api: string,
  receiver: string,
  { accounts, leases, payments }: Sizes,
): Promise<Asker[]> {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
  const prepare = async (n: number): Promise<Asker> => {
    const key = await keyOf(db, await newAccount(db));
    const ask = async <Data>(path: string, body?: object): Promise<Data> =>
      JSON.parse(await answerTo(`${api}/api/v1${path}`, key, body)).data;
    const { id: property_id } = await ask<Record>('/properties', { name: `House ${n}` });
    await ask('/webhooks', { url: `${receiver}/hooks/${n}`, events: ['payment.created'] });
    const batch = async (path: string, count: number, item: (each: number) => object): Promise<string[]> => {
      const items = numbers(count).map(item);
      const { results } = await ask<{ results: { data: Record }[] }>(`${path}/batch`, { items });
      return results.map(({ data }) => data.id);
    };
    const units = await batch('/units', leases, (each) => ({ property_id, name: `Unit ${each}` }));
    const name = { first_name: 'Ada', last_name: 'Okafor' };
    const tenants = await batch('/tenants', leases, () => name);
    const terms = { start_date: startOfMonth, rent_cents: 125_000 };
    await batch('/leases', leases, (each) => ({
      ...terms,
      unit_id: units[each],
      tenant_ids: [tenants[each]],
    }));
    await batch('/payments', payments, (each) => ({ tenant_id: tenants[each % leases], ...paymentBody }));
    const [newest] = await ask<Record[]>('/events?limit=1');
    return { key, tenants, after: newest?.id ?? '' };
  };
  const askers: Asker[] = [];
  const waiting = numbers(accounts).values();
  await Promise.all(
    numbers(atOnce).map(async () => {
      for (const n of waiting) askers.push(await prepare(n));
    }),
  );
  return askers;
}

export const paymentBody = { amount_cents: 1_000, method: 'bank_transfer', memo: 'Rent, in part' };

interface Record {
  id: string;
}
