import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { PaymentTotals } from './payments.schema.ts';

let service: Service;
let person: Person;
let ada: string;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  person = await signUp(service);
  ada = (await person.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' })).body.data.id;
  const ben = (await person.post('/tenants', { first_name: 'Ben', last_name: 'Ito' })).body.data.id;
  const pay = (body: object) => person.post('/payments', { tenant_id: ada, ...body });
  await pay({ amount_cents: 100_000, paid_on: '2026-10-01' });
  await pay({ amount_cents: 50_050, paid_on: '2026-11-01' });
  await pay({ amount_cents: 70_000, paid_on: '2026-11-02', status: 'pending' });
  await pay({ amount_cents: 900, paid_on: '2026-11-03', currency: 'JPY' });
  await pay({ tenant_id: ben, amount_cents: 1, paid_on: '2026-11-30' });
});
afterAll(() => service.close());

const totals = async (query = ''): Promise<PaymentTotals> => {
  const { status, body } = await person.get(`/payments/totals${query}`);
  expect(status).toBe(200);
  return PaymentTotals.parse(body.data);
};

test('payments are added up by currency and status', async () => {
  expect(await totals()).toEqual({
    count: 5,
    totals: [
      { currency: 'JPY', status: 'paid', count: 1, amount_cents: 900, amount: '900' },
      { currency: 'USD', status: 'paid', count: 3, amount_cents: 150_051, amount: '1500.51' },
      { currency: 'USD', status: 'pending', count: 1, amount_cents: 70_000, amount: '700.00' },
    ],
  });
});

test.each([
  ['?status=pending', 1],
  ['?status=paid,pending&from=2026-11-01', 4],
  ['?from=2026-11-02&to=2026-11-30', 3],
  ['?to=2026-10-31', 1],
  ['?limit=1', 5],
  ['?created_since=2999-01-01', 0],
  ['?property_id=prop_019a8b2c4d5e7f608192a3b4c5d6e7f8', 0],
  ['?lease_id=lease_019a8b2c4d5e7f608192a3b4c5d6e7f8', 0],
])('%s counts what the list would show', async (query, count) => {
  expect((await totals(query)).count).toBe(count);
  const all = query.replace('limit=1', '');
  expect((await person.get(`/payments${all}`)).body.count).toBe(count);
});

test('by tenant, and with a wrong filter', async () => {
  expect((await totals(`?tenant_id=${ada}`)).count).toBe(4);
  expect((await person.get('/payments/totals?status=lost')).status).toBe(400);
  expect((await person.get('/payments/totals?from=2026-02-01&to=2026-01-01')).status).toBe(400);
});
