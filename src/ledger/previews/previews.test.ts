import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { itIs, octoberLease } from '../../../test/support/ledger.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());
beforeEach(async () => {
  itIs(service, '2026-11-28');
  client = await service.client();
});

interface Preview {
  charges: { due_on: string; amount_cents: number }[];
  voids: { due_on: string; amount_cents: number }[];
  balance_cents: number;
  unchanged_count: number;
  unchanged: string;
  unchanged_cents: number;
  later_payments_cents: number;
  final_balance_cents: number;
}

async function preview(leaseId: string, change: string): Promise<Preview> {
  const answer = await client.get(`/leases/${leaseId}/${change}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** A charge that is not due yet is in no balance, so voiding it takes nothing off. */
function addsUp({ charges, voids, ...sums }: Preview): void {
  const sum = (some: { amount_cents: number }[]) =>
    some.reduce((total, { amount_cents }) => total + amount_cents, 0);
  const due = voids.filter(({ due_on }) => due_on <= '2026-11-28');
  expect(
    sums.balance_cents + sum(charges) - sum(due) + sums.unchanged_cents - sums.later_payments_cents,
  ).toBe(sums.final_balance_cents);
}

test('the preview of an end says what is charged until then in any case', async () => {
  const lease = await octoberLease(client);
  // The rent of December is posted, that of January is not.
  const end = await preview(lease.id, 'end?ended_on=2027-01-20');
  expect(end.charges.map(({ due_on }) => due_on)).toEqual(['2027-01-01']);
  expect([end.unchanged_count, end.unchanged, end.later_payments_cents]).toEqual([1, '1000.00', 0]);
  addsUp(end);
  const early = await preview(lease.id, 'end?ended_on=2026-11-20');
  expect([early.unchanged_count, early.unchanged]).toEqual([0, '0.00']);
  addsUp(early);
  // The rent of December that is posted is replaced by a part of it.
  const replaced = await preview(lease.id, 'end?ended_on=2026-12-11');
  expect(replaced.voids.map(({ due_on }) => due_on)).toEqual(['2026-12-01']);
  expect([replaced.unchanged_count, replaced.final_balance_cents - replaced.balance_cents]).toEqual([
    0, 32_258,
  ]);
  addsUp(replaced);
});

test('a renewal from month to month changes nothing, and the rent of the year is apart', async () => {
  const lease = await octoberLease(client);
  const year = await preview(lease.id, 'renew');
  expect([year.charges, year.voids]).toEqual([[], []]);
  expect([year.unchanged_count, year.unchanged]).toEqual([12, '12000.00']);
  addsUp(year);
});

test('payments and credits of days to come are part of the final balance, and said', async () => {
  const lease = await octoberLease(client);
  const pay = (amount_cents: number, paid_on: string) =>
    client.post('/payments', { tenant_id: lease.tenant_ids[0], amount_cents, paid_on });
  const credit = { lease_id: lease.id, reason: 'concession', amount_cents: 2_500 };
  await pay(60_000, '2026-11-20');
  await pay(40_000, '2026-12-03');
  await pay(70_000, '2027-02-03');
  await client.post('/credits', { ...credit, credited_on: '2026-12-10' });
  const end = await preview(lease.id, 'end?ended_on=2027-01-20');
  expect(end.later_payments_cents).toBe(42_500);
  addsUp(end);
});
