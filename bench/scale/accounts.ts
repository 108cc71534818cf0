import { createAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/api-keys/api-keys.ts';
import { operator } from '../../src/caller.ts';
import type { Database } from '../../src/db/connect.ts';
import { newId } from '../../src/ids.ts';

/** One account, as a program that asks for it knows it. */
export interface Asker {
  key: string;
  tenants: string[];
  /** Its newest event: what comes after it is news. */
  after: string;
}

export interface Sizes {
  accounts: number;
  leases: number;
  /** Of each account, all at once: what they queue is a backlog. */
  payments: number;
}

const atOnce = 8;
const startOfMonth = `${new Date().toISOString().slice(0, 7)}-01`;

/** Accounts with leases and payments, made by the API, and an endpoint in each that wants to hear of payments. */
export async function prepareAccounts(
  db: Database,
  api: string,
  receiver: string,
  { accounts, leases, payments }: Sizes,
): Promise<Asker[]> {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
  const prepare = async (n: number): Promise<Asker> => {
    const login = { name: `Bench ${n}`, email: `${newId()}@example.com`, hash: 'nobody signs in here' };
    const { accountId } = await createAccount(db, login);
    const by = { actor: operator };
    const { key } = await createKey(db, {
      accountId,
      by,
      name: 'bench',
      permission: 'write',
      expiresAt: null,
    });
    const ask = askerOf(`${api}/api/v1`, key);
    const { id: property_id } = await ask<Record>('/properties', { name: `House ${n}` });
    await ask('/webhooks', { url: `${receiver}/hooks/${n}`, events: ['payment.created'] });
    const batch = async (path: string, items: object[]): Promise<string[]> => {
      const { results } = await ask<{ results: { data: Record }[] }>(`${path}/batch`, { items });
      return results.map(({ data }) => data.id);
    };
    const units = await batch(
      '/units',
      numbers(leases).map((each) => ({ property_id, name: `Unit ${each}` })),
    );
    const tenants = await batch(
      '/tenants',
      numbers(leases).map((each) => ({ first_name: 'Ada', last_name: `Okafor ${each}` })),
    );
    await batch(
      '/leases',
      units.map((unit_id, at) => ({
        unit_id,
        tenant_ids: [tenants[at]],
        start_date: startOfMonth,
        rent_cents: 125_000,
      })),
    );
    await batch(
      '/payments',
      numbers(payments).map((each) => ({ tenant_id: tenants[each % leases], ...paymentBody })),
    );
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

const askerOf =
  (base: string, key: string) =>
  async <Data>(path: string, body?: object): Promise<Data> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const posted = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(base + path, { headers, ...posted });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 500)}`);
    return JSON.parse(text).data as Data;
  };
