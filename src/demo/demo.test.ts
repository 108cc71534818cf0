import { afterAll, expect, test } from 'vitest';
import { testService } from '../../test/support/service.ts';
import { fillWithDemo } from './demo.ts';

const service = await testService();
afterAll(() => service.close());
const client = await service.client();
const by = { permission: 'write', source: 'dashboard', actor: 'demo' } as const;
const caller = { accountId: client.accountId, currency: 'USD', timeZone: 'UTC', ...by };
const counts = await fillWithDemo(service.database.db, caller, new Date());
const get = async (path: string) => (await client.get(path)).body.data;

interface Balance {
  tenants: { name: string }[];
  balance_cents: number;
  overdue_cents: number;
  credit_cents: number;
  deposit_held_cents: number;
  days_late: number;
  lease_status: string;
}

test('the demo has two years of rent, and believable arrears', async () => {
  const owing: Balance[] = await get('/balances?owing=true&limit=1000');
  const all: Balance[] = await get('/balances?limit=1000');
  expect(all).toHaveLength(counts.leases);
  expect(counts.payments).toBeGreaterThan(3_000);

  // Most pay in time: few are later than the days of grace.
  const late = owing.filter(({ days_late }) => days_late > 5);
  expect(late.length).toBeGreaterThanOrEqual(8);
  expect(late.length).toBeLessThan(all.length / 8);
  // Two who left owe more than their deposit was.
  const former = owing.filter(({ deposit_held_cents }) => deposit_held_cents === 0);
  expect(former.map(({ days_late }) => days_late > 91)).toEqual([true, true]);
  expect(former.every(({ balance_cents }) => balance_cents > 50_000)).toBe(true);
  // Somebody paid ahead, and somebody has a concession left.
  const ahead = all.filter(({ balance_cents }) => balance_cents < 0);
  expect(ahead.map(({ balance_cents }) => -balance_cents)).toContain(15_000);
  expect(ahead).toHaveLength(2);
  expect(all.filter(({ deposit_held_cents }) => deposit_held_cents > 0).length).toBeGreaterThan(100);
});

test('its entries tell why', async () => {
  const count = async (query: string) => (await get(`/charges?limit=1000&${query}`)).length;
  expect(await count('kind=late_fee&status=paid')).toBeGreaterThan(40);
  expect(await count('kind=late_fee&status=open')).toBeGreaterThan(5);
  // Nobody was fined before their payment was recorded.
  expect(await count('kind=late_fee&status=voided')).toBe(0);
  expect(await count('kind=returned_payment')).toBe(1);
  expect(await count('kind=parking')).toBeGreaterThan(200);
  expect(await count('kind=pet')).toBeGreaterThan(50);
  const payments: { memo: string | null }[] = await get('/payments?limit=1000');
  expect(payments.filter(({ memo }) => memo?.includes('payment plan')).length).toBeGreaterThanOrEqual(5);
  const leases: { rent_changes: object[] }[] = await get('/leases?limit=1000');
  expect(leases.filter(({ rent_changes }) => rent_changes.length > 0).length).toBeGreaterThan(10);
  const credits: { reason: string }[] = await get('/credits');
  expect(new Set(credits.map(({ reason }) => reason))).toEqual(new Set(['concession', 'deposit']));
});
