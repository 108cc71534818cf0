import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectInvalid, make, unknownId } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Row = any;

async function balances(client: Client, query = ''): Promise<Row[]> {
  const answer = await client.get(`/balances?${query}`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.count).toBe(answer.body.data.length);
  return answer.body.data;
}

const charge = async (client: Client, lease: Row, due_on: string, amount_cents: number) => {
  const body = { lease_id: lease.id, kind: 'fee', due_on, amount_cents };
  const answer = await client.post('/charges', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};

/** A lease that no longer charges anything by itself. */
const quiet = (client: Client, fields: object = {}) =>
  make.lease(client, {
    start_date: '2020-01-01',
    ended_on: '2020-02-01',
    ledger_from: '2020-02-01',
    rent_cents: 100_000,
    ...fields,
  });

/** A lease with a rent of 1,000.00 since 10 October 2026, due on the first. */
const fromTenth = (client: Client, fields: object = {}) =>
  make.lease(client, { start_date: '2026-10-10', ledger_from: '2026-10-10', rent_cents: 100_000, ...fields });

test('a part month and the next are owed, and a payment of one rent leaves the rest overdue', async () => {
  const client = await service.client();
  const lease = await fromTenth(client);
  await make.payment(client, {
    tenant_id: lease.tenant_ids[0],
    amount_cents: 100_000,
    paid_on: '2026-10-10',
  });

  expect(await balances(client, 'as_of=2026-10-09')).toMatchObject([{ balance_cents: 0, credit_cents: 0 }]);
  expect(await balances(client, 'as_of=2026-10-31')).toMatchObject([
    { balance_cents: -29_032, balance: '-290.32', owed_cents: 0, credit_cents: 29_032, credit: '290.32' },
  ]);
  expect(await balances(client, 'as_of=2026-11-17&owing=true')).toMatchObject([
    {
      balance_cents: 70_968,
      overdue_cents: 70_968,
      oldest_due_on: '2026-11-01',
      days_late: 16,
      credit_cents: 0,
    },
  ]);
  await make.payment(client, {
    tenant_id: lease.tenant_ids[0],
    amount_cents: 5,
    status: 'pending',
    paid_on: '2026-11-02',
  });
  await make.payment(client, {
    tenant_id: lease.tenant_ids[0],
    amount_cents: 9,
    currency: 'EUR',
    paid_on: '2026-11-02',
  });
  expect(await balances(client, 'as_of=2026-11-17')).toMatchObject([
    { balance_cents: 70_968, pending_cents: 5, pending: '0.05' },
  ]);
});

test('a deposit is held once it is paid, less what was applied and refunded', async () => {
  const client = await service.client();
  const lease = await fromTenth(client, { deposit_cents: 50_000, ended_on: '2026-11-01' });
  const held = async (day: string) => (await balances(client, `as_of=${day}`))[0].deposit_held_cents;
  const [deposit] = (await client.get(`/charges?lease_id=${lease.id}&kind=deposit`)).body.data;
  const [tenant_id] = lease.tenant_ids;
  await make.payment(client, {
    tenant_id,
    amount_cents: 30_000,
    paid_on: '2026-10-12',
    charge_id: deposit.id,
  });
  await make.payment(client, {
    tenant_id,
    amount_cents: 20_000,
    paid_on: '2026-10-13',
    charge_id: deposit.id,
  });
  const credit = { lease_id: lease.id, amount_cents: 4_000, reason: 'deposit', credited_on: '2026-11-02' };
  expect((await client.post('/credits', credit)).status).toBe(201);
  const refund = { amount_cents: 26_000, refunded_on: '2026-11-04' };
  expect((await client.post(`/leases/${lease.id}/deposit-refunds`, refund)).status).toBe(201);
  const days = { '2026-10-11': 0, '2026-10-12': 30_000, '2026-11-01': 50_000, '2026-11-03': 46_000 };
  for (const [day, cents] of Object.entries(days)) expect(await held(day), day).toBe(cents);
  expect(await held('2026-11-04')).toBe(20_000);
});

test('an ended lease keeps its debts, and what is owed is sorted by age', async () => {
  const client = await service.client();
  const lease = await quiet(client);
  const ages = { '2026-03-01': 1, '2026-01-31': 20, '2026-01-30': 300, '2026-01-01': 4_000 };
  for (const [due_on, cents] of Object.entries(ages)) await charge(client, lease, due_on, cents);
  await charge(client, lease, '2025-12-31', 50_000);
  await charge(client, lease, '2025-12-01', 600_000);
  await charge(client, lease, '2025-11-30', 7_000_000);
  await charge(client, lease, '2026-03-02', 80_000_000);
  const voided = await charge(client, lease, '2026-02-01', 5);
  expect((await client.post(`/charges/${voided.id}/void`, { reason: 'A mistake.' })).status).toBe(200);

  const [row] = await balances(client, 'as_of=2026-03-01&owing=true');
  expect(row).toEqual({
    lease_id: lease.id,
    lease: { id: lease.id, status: 'ended', start_date: '2020-01-01', end_date: null },
    tenants: [{ id: lease.tenant_ids[0], name: 'Ada Okafor' }],
    property: { id: lease.property_id, name: 'Maple Court' },
    unit: { id: lease.unit_id, name: expect.stringMatching(/^Unit/) },
    currency: 'USD',
    balance_cents: 7_654_321,
    balance: '76543.21',
    owed_cents: 7_654_321,
    owed: '76543.21',
    overdue_cents: 7_654_320,
    overdue: '76543.20',
    credit_cents: 0,
    credit: '0.00',
    deposit_held_cents: 0,
    deposit_held: '0.00',
    days_0_30_cents: 321,
    days_0_30: '3.21',
    days_31_60_cents: 54_000,
    days_31_60: '540.00',
    days_61_90_cents: 600_000,
    days_61_90: '6000.00',
    days_91_cents: 7_000_000,
    days_91: '70000.00',
    oldest_due_on: '2025-11-30',
    days_late: 91,
    pending_cents: 0,
    pending: '0.00',
  });
  const nothing = { balance_cents: 0, oldest_due_on: null, days_late: 0, days_91_cents: 0 };
  expect(await balances(client, 'as_of=2025-11-29')).toMatchObject([nothing]);
  expect(await balances(client, 'as_of=2025-11-30')).toMatchObject([
    { balance_cents: 7_000_000, overdue_cents: 0, oldest_due_on: '2025-11-30', days_late: 0 },
  ]);
  expect(await balances(client, 'as_of=2025-11-29&owing=true')).toEqual([]);
});

test('an opening balance is owed from the day on which the ledger begins', async () => {
  const client = await service.client();
  await quiet(client, { opening_balance_cents: 12_345, currency: 'JPY' });
  expect(await balances(client, 'as_of=2020-01-31')).toMatchObject([{ balance_cents: 0 }]);
  expect(await balances(client, 'as_of=2020-03-02')).toMatchObject([
    { balance_cents: 12_345, balance: '12345', currency: 'JPY', oldest_due_on: '2020-02-01', days_late: 30 },
  ]);
  await quiet(client, { opening_balance_cents: -500 });
  const [, credit] = await balances(client, 'as_of=2020-03-02');
  expect(credit).toMatchObject({ balance_cents: -500, owed_cents: 0, credit_cents: 500, credit: '5.00' });
});

test('the most overdue come first, page by page, while debts change', async () => {
  const client = await service.client();
  const property = await make.property(client);
  const leases: Row[] = [];
  for (let count = 0; count < 9; count++) {
    const unit = await make.unit(client, { property_id: property.id });
    leases.push(await quiet(client, { unit_id: unit.id }));
  }
  const [a, b, c, d, e, f, ...others] = leases;
  await charge(client, a, '2026-02-01', 100);
  await charge(client, b, '2026-01-01', 100);
  await charge(client, c, '2026-01-01', 300);
  await charge(client, c, '2026-02-01', 5);
  await charge(client, d, '2026-01-01', 200);
  await charge(client, e, '2026-01-01', 200);
  const last = await charge(client, f, '2026-02-02', 100);
  const wanted = [c, d, e, b, a, f, ...others].map(({ id }) => id);
  const ids = (rows: Row[]) => rows.map((row) => row.lease_id);
  expect(ids(await balances(client, 'as_of=2026-02-03'))).toEqual(wanted);
  expect(ids(await balances(client, 'as_of=2026-02-03&owing=true'))).toEqual(wanted.slice(0, 6));
  expect(ids(await balances(client, 'as_of=2026-02-03&owing=false'))).toEqual(wanted.slice(6));

  for (const limit of [1, 2, 4]) {
    const seen: string[] = [];
    let path: string | undefined = `/balances?as_of=2026-02-03&limit=${limit}`;
    while (path) {
      const answer = await client.get(path);
      expect(answer.status, answer.text).toBe(200);
      seen.push(...ids(answer.body.data));
      path = /<[^>]*(\/balances[^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(wanted);
  }

  const first = await client.get('/balances?as_of=2026-02-03&limit=6');
  const next = /<[^>]*(\/balances[^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  await client.post(`/charges/${last.id}/void`, { reason: 'Gone before the next page.' });
  expect(ids((await client.get(next)).body.data)).toEqual(expect.arrayContaining(wanted.slice(6)));
});

test('balances are filtered by property and tenant, and belong to one account', async () => {
  const client = await service.client();
  const one = await quiet(client, { opening_balance_cents: 100 });
  const flatmates = [(await make.tenant(client)).id, (await make.tenant(client, { first_name: 'Bo' })).id];
  const two = await quiet(client, { tenant_ids: flatmates, opening_balance_cents: 100 });
  const ids = async (query: string) => (await balances(client, query)).map((row) => row.lease_id);
  for (const more of ['', '&owing=true']) {
    expect(await ids(`property_id=${one.property_id}${more}`)).toEqual([one.id]);
    expect(await ids(`tenant_id=${flatmates[1]}${more}`)).toEqual([two.id]);
    expect(await ids(`tenant_id=${flatmates[1]}&property_id=${one.property_id}${more}`)).toEqual([]);
    expect(await ids(`tenant_id=${unknownId('ten')}${more}`)).toEqual([]);
  }
  expect((await balances(client, `tenant_id=${flatmates[0]}`))[0].tenants).toEqual([
    { id: flatmates[0], name: 'Ada Okafor' },
    { id: flatmates[1], name: 'Bo Okafor' },
  ]);
  expect(await balances(await service.client())).toEqual([]);
});

test('balances are searched by tenant, unit and property, page by page, in one account', async () => {
  const [client, neighbour] = [await service.client(), await service.client()];
  const house = async (who: Client, property: string, unit: string, last_name: string, cents: number) => {
    const property_id = (await make.property(who, { name: property })).id;
    const unit_id = (await make.unit(who, { property_id, name: unit })).id;
    const tenant = await make.tenant(who, { first_name: 'Ada', last_name });
    const lease = await quiet(who, { unit_id, tenant_ids: [tenant.id], external_id: `L-${unit}` });
    await charge(who, lease, '2026-11-01', cents);
  };
  await house(neighbour, 'Maple Court', '2B', 'Okafor', 9);
  await house(client, 'Maple Court', '2B', 'Okafor', 1);
  await house(client, 'Maple Yard', '7C', 'Ito', 2);
  await house(client, 'Birch House', '9', 'Okafor', 3);
  const found = async (q: string, more = '&overdue=true', who = client): Promise<number[]> =>
    (await balances(who, `as_of=2026-11-17&q=${encodeURIComponent(q)}${more}`)).map((row) => row.owed_cents);
  for (const [q, owed] of [
    ['okafor', [3, 1]],
    ['OKAFOR maple', [1]],
    ['Ito', [2]],
    ['ma', [2, 1]],
    ['l-7c', [2]],
    ['nobody', []],
    ['王', []],
    ["'; --", []],
  ] as const) {
    expect(await found(q), q).toEqual(owed);
    expect(await found(q, ''), q).toEqual(owed);
  }
  expect(await found('okafor', '&overdue=false')).toEqual([]);
  const first = await client.get('/balances?as_of=2026-11-17&q=okafor&limit=1&total=true');
  expect(first.headers.get('x-total-count')).toBe('2');
  const cursor = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  expect(await found('okafor', `&limit=1&cursor=${cursor}`)).toEqual([1]);
  const { accountId } = client;
  const blind = await service.client({ accountId, permission: 'read', scopes: ['balances'] });
  expect(await found('okafor', '', blind)).toEqual([]);
});

test('leases in credit are listed with the largest credit first, page by page, and former tenants apart', async () => {
  const client = await service.client();
  const pay = async (lease: Row, amount_cents: number) => {
    const body = { tenant_id: lease.tenant_ids[0], lease_id: lease.id, amount_cents, paid_on: '2026-02-02' };
    expect((await client.post('/payments', body)).status).toBe(201);
  };
  const former: Row[] = [];
  for (const cents of [100, 300, 200, 200]) {
    const lease = await quiet(client);
    await pay(lease, cents);
    former.push(lease);
  }
  const owing = await quiet(client, { opening_balance_cents: 700 });
  const even = await quiet(client);
  const running = await make.lease(client, {
    start_date: '2026-01-10',
    ledger_from: '2026-02-02',
    rent_cents: 100_000,
    opening_balance_cents: -250,
  });
  const found = async (query: string) =>
    (await balances(client, `as_of=2026-02-03&${query}`)).map((row) => row.lease_id);
  const [a, b, c, d] = former.map(({ id }) => id);
  const wanted = [b, running.id, c, d, a];
  expect(await found('in_credit=true')).toEqual(wanted);
  expect((await balances(client, 'as_of=2026-02-03&in_credit=true'))[1]).toMatchObject({
    credit_cents: 250,
    owed_cents: 0,
    balance_cents: -250,
    lease: { status: 'active' },
  });
  expect(await found('in_credit=false')).toEqual([owing.id, even.id]);
  expect(await found('in_credit=true&lease_status=ended')).toEqual([b, c, d, a]);
  expect(await found('lease_status=active,notice')).toEqual([running.id]);
  expect(await found('owing=true&lease_status=ended')).toEqual([owing.id]);
  // What is left of a credit never stands beside a debt.
  for (const more of ['owing=true', 'overdue=true'])
    expect(await found(`in_credit=true&${more}`)).toEqual([]);
  expect(await found(`in_credit=true&owing=false&property_id=${former[0].property_id}`)).toEqual([a]);
  // The payments came the day before that day.
  expect(await balances(client, 'as_of=2026-02-01&in_credit=true')).toEqual([]);

  for (const limit of [1, 2, 3]) {
    const seen: string[] = [];
    let path: string | undefined = `/balances?as_of=2026-02-03&in_credit=true&total=true&limit=${limit}`;
    while (path) {
      const answer = await client.get(path);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get('x-total-count')).toBe('5');
      seen.push(...answer.body.data.map((row: Row) => row.lease_id));
      path = /<[^>]*(\/balances[^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(wanted);
  }
});

test('balances come as CSV', async () => {
  const client = await service.client();
  const lease = await quiet(client, { opening_balance_cents: 100 });
  const { text, headers } = await client.get('/balances?as_of=2026-02-01', { accept: 'text/csv' });
  expect(headers.get('content-type')).toMatch(/^text\/csv/);
  const [head = '', row = ''] = text.split('\r\n');
  expect(head).toMatch(
    /^lease_id,lease_status,lease_start_date,lease_end_date,tenants_id,tenants_name,property_id,/,
  );
  expect(row).toContain(`${lease.id},ended,2020-01-01,,${lease.tenant_ids[0]},Ada Okafor,`);
});

test('wrong filters and cursors are refused by name', async () => {
  const client = await service.client();
  expectInvalid(await client.get('/balances?as_of=2026-02-30'), 'as_of');
  expectInvalid(await client.get('/balances?owing=yes'), 'owing');
  expectInvalid(await client.get('/balances?lease_status=former'), 'lease_status');
  for (const cursor of ['', 'x', 'AAAA', 'A'.repeat(40), 'A'.repeat(80)])
    expectInvalid(await client.get(`/balances?cursor=${cursor}`), 'cursor');
});
