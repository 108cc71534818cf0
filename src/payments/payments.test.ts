import { expect, test } from 'vitest';
import { nounTests } from '../../test/support/noun.ts';
import {
  day,
  expectError,
  expectInvalid,
  keepsValues,
  make,
  queueOf,
  refusesValues,
  unknownId,
  wrongCents,
  wrongDates,
  wrongTexts,
} from '../../test/support/records.ts';
import { parseId } from '../ids.ts';
import { tenantWriter } from '../tenants/tenants.ts';
import { paymentStatuses } from './payments.schema.ts';

const { client, eventNames, eventsDuring, expectCreated, expectPatchRules, ids, refusesChanges, service } =
  await nounTests('/payments', 'payment', 'pay');
const tenantId = (await make.tenant(client)).id;

const post = (fields: object) =>
  client.post('/payments', { tenant_id: tenantId, amount_cents: 125_000, ...fields });

test('a payment needs a tenant and an amount', async () => {
  await expectCreated(
    { tenant_id: tenantId, amount_cents: 125_000 },
    {
      tenant_id: tenantId,
      lease_id: null,
      property_id: null,
      unit_id: null,
      charge_id: null,
      amount_cents: 125_000,
      amount: '1250.00',
      currency: 'USD',
      paid_on: day(0),
      method: 'other',
      status: 'paid',
      reversed_on: null,
      period: null,
      reference: null,
      memo: null,
      external_id: null,
      source: 'api',
    },
  );
});

test('every field of a payment is kept; what is read-only is ignored', async () => {
  const fields = {
    amount_cents: 1,
    currency: 'EUR',
    paid_on: '2024-02-29',
    method: 'bank_transfer',
    status: 'pending',
    period: '2024-03',
    reference: 'RF18',
    memo: 'half of it',
  };
  const { body } = await post({
    ...fields,
    source: 'import',
    unit_id: unknownId('unit'),
    property_id: unknownId('prop'),
    lease_given: true,
    id: 'x',
    created_at: 'x',
  });
  expect(body.data).toMatchObject({
    ...fields,
    amount: '0.01',
    source: 'api',
    unit_id: null,
    property_id: null,
  });
  expect(body.data).not.toHaveProperty('lease_given');
});

test('wrong values are refused by the name of their field', async () => {
  await refusesValues(post, {
    tenant_id: [
      undefined,
      null,
      '',
      5,
      [],
      'ten_0',
      tenantId.toUpperCase(),
      `${tenantId} `,
      unknownId('ten'),
      unknownId('prop'),
    ],
    lease_id: [5, [], 'lease_0', unknownId('lease'), unknownId('ten')],
    charge_id: [5, [], 'chg_0', unknownId('chg'), unknownId('lease')],
    amount_cents: [undefined, null, ...wrongCents],
    currency: ['US', 'DOLLAR', 'XQZ', '', 1, null],
    paid_on: [null, '', ...wrongDates],
    method: ['barter', '', null, 1],
    status: ['late', '', null, 'PAID'],
    // A paid payment has no such day.
    reversed_on: [...wrongDates, '2999-12-31'],
    period: ['2026-13', '2026-00', '2026', '2026-1', '2026-11-01', 202611],
    reference: wrongTexts(200),
    memo: wrongTexts(2000),
  });
  await keepsValues(post, {
    amount_cents: [[1_000_000_000_000, 1_000_000_000_000]],
    reference: [
      ['  x ', 'x'],
      ['', null],
    ],
    memo: [['x'.repeat(2000), 'x'.repeat(2000)]],
    period: [['', null]],
    lease_id: [
      ['', null],
      [null, null],
    ],
    charge_id: [
      ['', null],
      [null, null],
    ],
    reversed_on: [
      ['', null],
      [null, null],
    ],
    paid_on: [
      ['1900-01-01', '1900-01-01'],
      ['2999-12-31', '2999-12-31'],
    ],
    status: paymentStatuses.map((status): [unknown, unknown] => [status, status]),
    currency: [[' jpy', 'JPY']],
  });
});

test('several mistakes are reported together, each under its field', async () => {
  const { status, body } = await client.post('/payments', { amount_cents: 'x', method: 1 });
  expect(status).toBe(400);
  expect(body.error.message).toEqual({
    formErrors: [],
    fieldErrors: {
      tenant_id: ['Required.'],
      amount_cents: [expect.any(String)],
      method: [expect.any(String)],
    },
  });
});

const allowed: Record<string, string[]> = {
  pending: ['paid', 'failed', 'voided'],
  paid: ['returned', 'refunded', 'voided'],
};
const moves = paymentStatuses.flatMap((from) =>
  paymentStatuses.map((to) => [from, to, from === to || (allowed[from] ?? []).includes(to)] as const),
);
test.each(moves)('a payment that is %s may become %s: %s', async (from, to, may) => {
  const { id } = await make.payment(client, { tenant_id: tenantId, status: from });
  const events = await eventNames(async () => {
    const answer = await client.patch(`/payments/${id}`, {
      status: to,
      memo: from === to ? undefined : 'moved',
    });
    if (may) expect(answer.body.data.status).toBe(to);
    else {
      expectError(answer, 409, allowed[from] ? new RegExp(allowed[from].join(', ')) : /final/);
      expect((await client.get(`/payments/${id}`)).body.data).toMatchObject({ status: from, memo: null });
    }
  });
  expect(events).toEqual(may && from !== to ? ['payment.updated'] : []);
});

test.each(['failed', 'returned', 'refunded', 'voided'])(
  'a payment that is %s keeps its amount and its day; what is said about it may change',
  async (status) => {
    const { id } = (await post({ status, paid_on: '2026-03-01' })).body.data;
    for (const change of [{ amount_cents: 1 }, { paid_on: '2026-02-28' }, { currency: 'EUR' }]) {
      const answer = await client.patch(`/payments/${id}`, { memo: 'Not this either.', ...change });
      expectError(
        answer,
        409,
        `A ${status} payment is closed: its amount, currency, date and tenant cannot change. Record another one.`,
      );
    }
    const other = await make.tenant(client);
    const kept = { amount_cents: 125_000, paid_on: '2026-03-01', tenant_id: tenantId, currency: 'USD' };
    const { status: code, body } = await client.patch(`/payments/${id}`, {
      ...kept,
      tenant_id: other.id,
      memo: 'Called about it.',
    });
    expect([code, body.data]).toMatchObject([200, { ...kept, memo: 'Called about it.' }]);
  },
);

test('of two simultaneous final changes of a payment, one succeeds', async () => {
  const { id } = await make.payment(client, { tenant_id: tenantId });
  const answers = await Promise.all(
    ['returned', 'refunded', 'voided'].map((status) => client.patch(`/payments/${id}`, { status })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test('a change is answered with the whole payment and has one event; without a change there is none', async () => {
  const { id } = await make.payment(client, { tenant_id: tenantId, memo: 'x', period: '2026-01' });
  const path = `/payments/${id}`;
  await expectPatchRules(id, { amount_cents: 70, amount: '0.70', memo: null, period: null });
  await expectPatchRules(id, {
    status: 'returned',
    reversed_on: '2026-12-01',
    method: 'check',
    reference: 'R1',
  });
  await refusesChanges(id, {
    amount_cents: [null, 0],
    paid_on: [null],
    method: [null],
  });
  await keepsValues((fields) => client.patch(path, fields), {
    period: [
      ['2026-02', '2026-02'],
      ['', null],
    ],
  });
});

test('payments are filtered by status, tenant, lease, property and dates, together too', async () => {
  const own = await service.client();
  const lease = await make.lease(own, { start_date: '2026-02-01' });
  const tenant = lease.tenant_ids[0];
  const other = (await make.tenant(own)).id;
  const rows = [
    { tenant_id: tenant, paid_on: '2026-01-31', status: 'paid' },
    { tenant_id: tenant, paid_on: '2026-02-01', status: 'pending' },
    { tenant_id: other, paid_on: '2026-02-01', status: 'failed' },
    { tenant_id: other, paid_on: '2026-03-15', status: 'paid' },
    { tenant_id: tenant, paid_on: '2027-12-31', status: 'paid' },
  ];
  const made: string[] = [];
  for (const row of rows) made.push((await make.payment(own, row)).id);
  const found = async (query: string) => (await ids(query, own)).map((id) => made.indexOf(id)).join(' ');
  const property = lease.property_id;
  const cases: [query: string, found: string][] = [
    ['', '4 3 2 1 0'],
    ['status=paid', '4 3 0'],
    ['status=paid,failed', '4 3 2 0'],
    ['status=failed&status=pending', '2 1'],
    ['status=refunded', ''],
    [`tenant_id=${tenant}`, '4 1 0'],
    [`tenant_id=${tenant}&status=paid,voided`, '4 0'],
    [`lease_id=${lease.id}`, '4 1 0'],
    [`lease_id=${lease.id}&status=paid&from=2026-02-02`, '4'],
    [`lease_id=${lease.id}&tenant_id=${other}`, ''],
    [`property_id=${property}`, '4 1 0'],
    [`property_id=${property}&status=paid`, '4 0'],
    [`property_id=${property}&tenant_id=${other}`, ''],
    ['from=2026-02-01', '4 3 2 1'],
    ['to=2026-02-01', '2 1 0'],
    ['from=2026-02-01&to=2026-02-01', '2 1'],
    ['from=2026-02-02&to=2026-03-14', ''],
    ['from=2026-03-15&to=2026-03-15&status=paid', '3'],
    ['from=1900-01-01&to=2999-12-31&status=paid,pending', '4 3 1 0'],
    ['from=2028-01-01', ''],
    ['to=2025-01-01', ''],
    [`from=2026-01-31&to=2026-02-28&property_id=${property}`, '1 0'],
    [`from=2026-01-31&to=2026-02-28&tenant_id=${tenant}`, '1 0'],
    [`from=2026-02-01&property_id=${property}&status=paid,pending&tenant_id=${tenant}`, '4 1'],
    [`tenant_id=${unknownId('ten')}`, ''],
    [`lease_id=${unknownId('lease')}`, ''],
    [`property_id=${unknownId('prop')}`, ''],
  ];
  for (const [query, expected] of cases) expect(await found(query), query).toBe(expected);
  for (const query of ['from=2026-01-01', 'to=2026-01-01', 'from=1900-01-01&to=2999-12-31'])
    expect((await (await service.client()).get(`/payments?${query}`)).body).toEqual({ data: [], count: 0 });
});

test('wrong filters are refused by name', async () => {
  const cases: [query: string, field: string, message?: RegExp][] = [
    ['status=late', 'status', /pending, paid, failed, returned, refunded, voided/],
    ['status=', 'status'],
    ['status=paid,late', 'status', /pending/],
    ['tenant_id=5', 'tenant_id'],
    [`property_id=${unknownId('ten')}`, 'property_id'],
    ['from=yesterday', 'from'],
    ['to=2026-02-30', 'to'],
    ['from=2026-01-01&from=2026-01-02', 'from'],
    ['from=2026-02-02&to=2026-02-01', 'from', /after/],
  ];
  for (const [query, field, message] of cases)
    expectInvalid(await client.get(`/payments?${query}`), field, message);
});

test('a payment is queued for active endpoints subscribed to it, and for no others', async () => {
  const own = await service.client();
  const subscribed = await make.webhook(own, { events: ['payment.created', 'payment.updated'] });
  await make.webhook(own, { events: ['tenant.created'] });
  const disabled = await make.webhook(own, { events: ['payment.created'] });
  await own.patch(`/webhooks/${disabled.id}`, { status: 'disabled' });
  const stranger = await service.client();
  await make.webhook(stranger, { events: ['payment.created'] });

  const tenant = await make.tenant(own);
  const events = await eventsDuring(async () => {
    const payment = await make.payment(own, { tenant_id: tenant.id });
    await own.patch(`/payments/${payment.id}`, { memo: 'x' });
    await own.patch(`/payments/${payment.id}`, { memo: 'x' });
    expect((await own.post('/payments', { tenant_id: unknownId('ten'), amount_cents: 1 })).status).toBe(400);
    expect((await own.patch(`/payments/${payment.id}`, { status: 'pending' })).status).toBe(409);
  }, own);
  const uuid = subscribed.id.slice(3).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const queue = (await queueOf(service, own)).filter(({ event }) => event.startsWith('payment.'));
  expect(queue).toEqual(events.map(({ id, event }) => ({ endpoint_id: uuid, event_id: id, event })));
  expect(queue.map(({ event }) => event)).toEqual(['payment.created', 'payment.updated']);
  expect(await queueOf(service, stranger)).toEqual([]);
});

test('payments sent at once are answered separately, with one event each', async () => {
  const [other, hook] = await Promise.all([
    make.tenant(client),
    make.webhook(client, { events: ['payment.created'] }),
  ]);
  const sent = Array.from({ length: 60 }, (_, n) => ({
    tenant_id: n % 20 === 13 ? unknownId('ten') : n % 2 ? other.id : tenantId,
    amount_cents: 1_000 + n,
    ...(n % 3 ? { currency: 'EUR', paid_on: '2026-02-03' } : {}),
    reference: `at once ${n}`,
    memo: n % 4 ? `"${n}" \\ {a,b} 🏠` : null,
  }));
  let answers: Awaited<ReturnType<typeof post>>[] = [];
  const events = await eventsDuring(async () => {
    answers = await Promise.all(sent.map((fields) => client.post('/payments', fields)));
  });
  const recorded = answers.flatMap((answer, n) => {
    const fields = sent[n] as (typeof sent)[number];
    if (fields.tenant_id === unknownId('ten')) {
      expectInvalid(answer, 'tenant_id');
      return [];
    }
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.data).toMatchObject(fields);
    return [answer.body.data];
  });
  expect(recorded).toHaveLength(57);
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(events.map(({ event }) => event)).toEqual(recorded.map(() => 'payment.created'));
  expect(events.map(({ body }) => JSON.parse(body).data.payment).sort(byId)).toEqual(recorded.sort(byId));
  for (const payment of recorded)
    expect((await client.get(`/payments/${payment.id}`)).body.data).toEqual(payment);
  const queued = (await queueOf(service, client)).filter(
    ({ endpoint_id }) => hook.id === `we_${endpoint_id.replaceAll('-', '')}`,
  );
  expect(queued.map(({ event_id }) => event_id)).toEqual(events.map(({ id }) => id));
});

test('a payment does not wait for a change of its tenant that is under way', async () => {
  const tenant = await make.tenant(client);
  const id = parseId('ten', tenant.id) as string;
  await service.database.db.transaction(async (tx) => {
    expect(await tenantWriter.find(tx, client.accountId, [id], true)).toHaveLength(1);
    expect((await post({ tenant_id: tenant.id })).status).toBe(201);
  });
});

test('a page shows its records whole, whatever is written in them and in the next one', async () => {
  const memos = ['first', 'a,\n{"id":"pay_', 'b\nc', 'd},\n{e'];
  for (const memo of memos) await post({ memo });
  for (const limit of [1, 2, 3, 4]) {
    const page = await client.get(`/payments?tenant_id=${tenantId}&limit=${limit}`);
    expect(page.body.count).toBe(limit);
    expect(page.body.data.map(({ memo }: { memo: string }) => memo)).toEqual(
      memos.toReversed().slice(0, limit),
    );
  }
});
