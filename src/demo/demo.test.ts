import { afterAll, expect, test } from 'vitest';
import { testService } from '../../test/support/service.ts';
import { thorough } from '../../test/support/thorough.ts';
import { operator } from '../caller.ts';
import { fillWithDemo } from './demo.ts';

const service = await testService();
afterAll(() => service.close());
const client = await service.client();
const by = { permission: 'write', source: 'dashboard', actor: operator } as const;
const caller = { accountId: client.accountId, currency: 'USD', timeZone: 'UTC', ...by };
const now = new Date();
const counts = await fillWithDemo(service.database.db, caller, now);
const get = async (path: string) => (await client.get(path)).body.data;

interface Balance {
  lease: { status: string };
  tenants: { name: string }[];
  balance_cents: number;
  overdue_cents: number;
  credit_cents: number;
  deposit_held_cents: number;
  days_late: number;
}

test('the demo has two years of rent, and believable arrears', async () => {
  const owing: Balance[] = await get('/balances?owing=true&limit=1000');
  const all: Balance[] = await get('/balances?limit=1000');
  expect(all).toHaveLength(counts.leases);
  expect(counts.payments).toBeGreaterThan(3_000);

  // Most tenants pay on time: few are later than the days of grace.
  const late = owing.filter(({ days_late }) => days_late > 5);
  expect(late.length).toBeGreaterThanOrEqual(8);
  expect(late.length).toBeLessThan(all.length / 8);
  // Two tenants who moved out owe more than their deposit was.
  const former = owing.filter(({ lease }) => lease.status === 'ended');
  expect(former.map(({ deposit_held_cents }) => deposit_held_cents)).toEqual([0, 0]);
  expect(former.map(({ days_late }) => days_late > 91)).toEqual([true, true]);
  expect(former.every(({ balance_cents }) => balance_cents > 50_000)).toBe(true);
  // One tenant has paid ahead, and one has some of a concession left.
  const ahead = all.filter(({ balance_cents }) => balance_cents < 0);
  expect(ahead.map(({ balance_cents }) => -balance_cents)).toContain(15_000);
  expect(ahead).toHaveLength(2);
  expect(all.filter(({ deposit_held_cents }) => deposit_held_cents > 0).length).toBeGreaterThan(100);
});

test('its entries say why', async () => {
  const count = async (query: string) => (await get(`/charges?limit=1000&${query}`)).length;
  expect(await count('kind=late_fee&status=paid')).toBeGreaterThan(40);
  expect(await count('kind=late_fee&status=open')).toBeGreaterThan(5);
  // Nobody got a late fee before their payment was recorded.
  expect(await count('kind=late_fee&status=voided')).toBe(0);
  expect(await count('kind=returned_payment')).toBe(1);
  expect(await count('kind=parking')).toBeGreaterThan(200);
  expect(await count('kind=pet')).toBeGreaterThan(50);
  const payments: { memo: string | null; lease_id: string }[] = await get('/payments?limit=1000');
  const plan = payments.filter(({ memo }) => memo?.includes('payment plan'));
  expect(plan.length).toBeGreaterThanOrEqual(5);
  // One tenant has a payment plan and still owes money.
  const [lease_id, ...others] = new Set(plan.map((payment) => payment.lease_id));
  expect(others).toEqual([]);
  const [planned] = (await get(`/balances?owing=true&limit=1000`)).filter(
    (balance: { lease_id: string }) => balance.lease_id === lease_id,
  );
  expect(planned.overdue_cents).toBeGreaterThan(0);
  const leases: { rent_changes: object[] }[] = await get('/leases?limit=1000');
  expect(leases.filter(({ rent_changes }) => rent_changes.length > 0).length).toBeGreaterThan(10);
  const credits: { reason: string }[] = await get('/credits');
  expect(new Set(credits.map(({ reason }) => reason))).toEqual(new Set(['concession', 'deposit']));
});

test.runIf(thorough)('every demo made for a day is the same, whenever and wherever it is made', async () => {
  const other = await service.client();
  const later = new Date(
    Math.min(now.getTime() + 60_000, Date.parse(`${now.toISOString().slice(0, 10)}T23:59:59Z`)),
  );
  const again = await fillWithDemo(service.database.db, { ...caller, accountId: other.accountId }, later);
  expect(again).toEqual(counts);
  // Records refer to each other by id. Here the ids are replaced by what the other record is.
  const facts = async (by: typeof client) => {
    const all: Record<string, Record<string, unknown>[]> = {};
    for (const noun of [
      'properties',
      'units',
      'tenants',
      'leases',
      'recurring-charges',
      'charges',
      'credits',
      'payments',
    ])
      all[noun] = await everyPage(by, `/${noun}`);
    all.balances = await everyPage(by, '/balances');
    const names = new Map<string, string>();
    for (const [noun, records] of Object.entries(all))
      for (const { id, ...record } of records) {
        const { name, number, first_name, last_name, start_date, kind, due_on } = record;
        const place = names.get(String(record.unit_id ?? record.property_id ?? '')) ?? '';
        const own = [name, number, first_name, last_name, start_date, kind, due_on].filter(Boolean).join(' ');
        names.set(String(id), `${noun} ${own} ${place}`);
      }
    const said = (key: string, value: unknown) =>
      /_at$/.test(key) || key === 'id' ? undefined : (names.get(String(value)) ?? value);
    return Object.values(all).map((records) => records.map((record) => JSON.stringify(record, said)).sort());
  };
  const [first, second] = [await facts(client), await facts(other)];
  expect(first.map(({ length }) => length)).toEqual(second.map(({ length }) => length));
  for (const [at, records] of first.entries()) expect(second[at]).toEqual(records);
});

async function everyPage(by: typeof client, path: string): Promise<Record<string, unknown>[]> {
  const records: Record<string, unknown>[] = [];
  for (let next: string | undefined = `${path}?limit=1000`; next; ) {
    const { body, headers } = await by.get(next);
    records.push(...body.data);
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  return records;
}
