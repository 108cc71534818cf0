import './environment.js';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import zapier from 'zapier-platform-core';
import generated from '../generated.json' with { type: 'json' };
import app from '../index.js';
import { startReceiver } from './receiver.js';
import { startTenure } from './tenure.js';

/* Everything through the platform's own tester, against a real server. */

const perform = zapier.createAppTester(app);
let tenure;
let hook;
let authData;

before(async () => {
  [tenure, hook] = await Promise.all([startTenure(), startReceiver()]);
  authData = { base_url: tenure.url, api_key: tenure.key };
});
after(() => Promise.all([tenure?.stop(), hook?.stop()]));

const act = (key, inputData, more = {}) =>
  perform(app.creates[key].operation.perform, { authData, inputData, ...more });
const find = (key, q) => perform(app.searches[key].operation.perform, { authData, inputData: { q } });
const choices = (key, inputData = {}) =>
  perform(app.triggers[key].operation.perform, { authData, inputData });

/** As any client of the API would. */
async function api(method, path, body) {
  const response = await fetch(`${tenure.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${tenure.key}` },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.data;
}

test('a connection is tested and gets a label that tells servers and keys apart', async () => {
  const result = await perform(app.authentication.test, { authData });
  const host = tenure.url.replace('http://', '');
  const label = app.authentication.connectionLabel.replace(/{{(\w+)}}/g, (_, name) => result[name]);
  assert.equal(label, `${host} (${tenure.key.slice(0, 15)}…)`);
});

test('the server address may be written in any usual way', async () => {
  for (const base_url of [`${tenure.url}/`, `${tenure.url}/api/v1`, ` ${tenure.url}/api/v1/ `])
    await perform(app.authentication.test, { authData: { ...authData, base_url } });
});

test('a key that may only read is enough to connect, a wrong one is not', async () => {
  await perform(app.authentication.test, { authData: { ...authData, api_key: tenure.readKey } });
  await assert.rejects(
    perform(app.authentication.test, { authData: { ...authData, api_key: `${tenure.key}x` } }),
    { name: 'ExpiredAuthError', message: /API key is unknown, revoked or expired/ },
  );
});

test('a key is never sent over plain http through the internet, nor to a place that is no address', async () => {
  for (const base_url of ['http://tenure.example.com', 'ftp://tenure.example.com', 'https://', ''])
    await assert.rejects(
      perform(app.authentication.test, { authData: { ...authData, base_url } }),
      saying(/must be the https address/),
    );
});

test('every trigger subscribes to its event as automation and unsubscribes', async () => {
  for (const { key, event, label } of generated.triggers) {
    const { performSubscribe, performUnsubscribe } = app.triggers[key].operation;
    const subscribeData = await perform(performSubscribe, { authData, targetUrl: `${hook.url}/${key}` });
    assert.deepEqual(Object.keys(subscribeData), ['id']);
    const [subscription] = await api('GET', '/webhooks');
    assert.equal(subscription.id, subscribeData.id);
    assert.equal(subscription.source, 'automation');
    assert.deepEqual(subscription.events, [event]);
    assert.equal(subscription.url, `${hook.url}/${key}`);
    assert.equal(subscription.description, `Zapier: ${label}`);

    await perform(performUnsubscribe, { authData, subscribeData });
    assert.deepEqual(await api('GET', '/webhooks'), []);
    // The person may have deleted it in the dashboard.
    await perform(performUnsubscribe, { authData, subscribeData });
  }
});

test('every event arrives at its hook and gives the record; the editor shows records of the same kind', async () => {
  const { property } = await rented('USD');
  await api('POST', '/maintenance', { property_id: property.id, title: 'Neither completed nor ended' });
  const subscriptions = await Promise.all(
    generated.triggers.map(({ key }) =>
      perform(app.triggers[key].operation.performSubscribe, {
        authData,
        targetUrl: `${hook.url}/live/${key}`,
      }),
    ),
  );
  await makeEverythingHappen();

  for (const { key, event, record } of generated.triggers) {
    const told = await api('GET', `/events?event=${event}`);
    let cleanedRequest = { event, data: { [record]: await overdueCharge() } };
    if (!onlyTomorrow.includes(event)) {
      const { body } = await hook.request(({ path }) => path === `/live/${key}`);
      cleanedRequest = JSON.parse(body);
      assert.ok(
        told.some(({ id }) => id === cleanedRequest.id),
        event,
      );
    }
    const { operation } = app.triggers[key];
    const records = await perform(operation.perform, { authData, cleanedRequest });
    assert.deepEqual(records, [cleanedRequest.data[record]], event);

    const samples = await perform(operation.performList, { authData });
    // What was deleted is in no list; the editor shows others of its kind.
    assert.ok(
      samples.some(({ id }) => id === records[0].id || event === 'file.deleted'),
      event,
    );
    if (event === 'lease.ended') assert.ok(samples.every(({ ended_on }) => ended_on !== null));
    if (event.endsWith('.completed')) assert.ok(samples.every(({ status }) => status === 'completed'));
    // What can be mapped in the editor is there when the Zap runs.
    for (const shown of [...samples, operation.sample])
      assert.deepEqual(Object.keys(shown), Object.keys(records[0]), event);
  }

  for (const subscribeData of subscriptions)
    await perform(app.triggers.lease_ended.operation.performUnsubscribe, { authData, subscribeData });
});

/** It is told when a day begins, which no test waits for. */
const onlyTomorrow = ['charge.overdue'];

const overdueCharge = async () => (await api('GET', '/charges?overdue=true&limit=1'))[0];

/** One of each event. */
async function makeEverythingHappen() {
  const day = (offset) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const property = await api('POST', '/properties', { name: 'Maple Court' });
  const unit = await api('POST', '/units', { property_id: property.id, name: '2B' });
  const [kept, deleted] = [
    await api('POST', `/files?record=${property.id}&name=keys.txt`, { note: 'Under the mat' }),
    await api('POST', `/files?record=${property.id}&name=old.txt`, { note: 'Under the pot' }),
  ];
  await api('PATCH', `/files/${kept.id}`, { name: 'keys-2026.txt' });
  await api('DELETE', `/files/${deleted.id}`);
  const tenant = await api('POST', '/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const lease = await api('POST', '/leases', {
    unit_id: unit.id,
    tenant_ids: [tenant.id],
    start_date: day(0),
    end_date: day(30),
    rent_cents: 125_000,
  });
  const charge = (due_on) =>
    api('POST', '/charges', { lease_id: lease.id, kind: 'fee', amount_cents: 5_000, due_on });
  await api('PATCH', `/leases/${lease.id}`, { ledger_from: day(-9) });
  await charge(day(0));
  await charge(day(-1));
  const wrong = await charge(day(9));
  await api('POST', `/charges/${wrong.id}/void`, { reason: 'Entered twice.' });
  const credit = await api('POST', '/credits', {
    lease_id: lease.id,
    amount_cents: 100,
    reason: 'concession',
  });
  await api('POST', `/credits/${credit.id}/void`, { reason: 'Entered twice.' });
  const payment = await api('POST', '/payments', { tenant_id: tenant.id, amount_cents: 5 });
  const request = await api('POST', '/maintenance', { property_id: property.id, title: 'Kitchen tap drips' });
  const change = async (path, { id }, body) => api('PATCH', `/${path}/${id}`, body);
  await change('payments', payment, { memo: 'Rent' });
  await change('units', unit, { bedrooms: 2 });
  await change('tenants', tenant, { phone: '+1 503 555 0142' });
  await change('properties', property, { city: 'Portland' });
  const other = await api('POST', '/units', { property_id: property.id, name: '2C' });
  const ending = await api('POST', '/leases', {
    unit_id: other.id,
    tenant_ids: [tenant.id],
    start_date: '2026-01-01',
    rent_cents: 125_000,
  });
  await change('leases', ending, { ended_on: '2026-06-30' });
  await change('maintenance', request, { status: 'completed' });
}

test("the dashboard's test event reaches the hook and starts no Zap", async () => {
  const { performSubscribe, performUnsubscribe, perform: receive } = app.triggers.tenant_created.operation;
  const subscribeData = await perform(performSubscribe, { authData, targetUrl: `${hook.url}/tested` });
  await api('POST', `/webhooks/${subscribeData.id}/test`);
  const { body } = await hook.request(({ path }) => path === '/tested');
  const cleanedRequest = JSON.parse(body);
  assert.equal(cleanedRequest.event, 'webhook.test');
  assert.deepEqual(await perform(receive, { authData, cleanedRequest }), []);
  await perform(performUnsubscribe, { authData, subscribeData });
});

test('a property is created with its units, all fields from what a Zap gives', async () => {
  const property = await act('create_property', {
    name: 'Birch House',
    type: 'multi_family',
    postal_code: 97205,
    year_built: '1998',
    notes: '',
    units: [
      { unit_name: '1A', unit_bedrooms: '2', unit_bathrooms: '1.5' },
      { unit_name: '1B' },
      { unit_name: '' },
    ],
  });
  assert.equal(property.type, 'multi_family');
  assert.equal(property.postal_code, '97205');
  assert.equal(property.year_built, 1998);
  assert.equal(property.notes, null);
  assert.equal(property.unit_count, 2);
  const units = await api('GET', `/units?property_id=${property.id}`);
  assert.deepEqual(
    units.map(({ name, bedrooms, bathrooms }) => [name, bedrooms, bathrooms]),
    [
      ['1B', null, null],
      ['1A', 2, 1.5],
    ],
  );
});

test('a tenant is created', async () => {
  const given = {
    first_name: 'Grace',
    last_name: 'Hall',
    email: 'grace@example.com',
    phone: '+1 503 555 0100',
  };
  const tenant = await act('create_tenant', given);
  assert.partialDeepStrictEqual(tenant, given);
  assert.deepEqual(await api('GET', `/tenants/${tenant.id}`), tenant);
});

test('a payment is recorded in the currency of the lease, the amount as people write it', async () => {
  const { tenant, unit } = await rented('JPY');
  for (const amount of [125000, '125000', '125000.00']) {
    const payment = await act('record_payment', { tenant_id: tenant.id, amount });
    assert.partialDeepStrictEqual(payment, { amount_cents: 125000, amount: '125000', currency: 'JPY' });
    assert.equal(payment.unit_id, unit.id);
  }
  await assert.rejects(
    act('record_payment', { tenant_id: tenant.id, amount: '1250.50' }),
    saying(/^Amount: Must be an amount such as 1250 \(JPY\), not "1250.50"\.$/),
  );
  // Before the lease began it is for that lease too, as Tenure would take it.
  const early = await act('record_payment', { tenant_id: tenant.id, amount: '5', paid_on: '2019-12-31' });
  assert.partialDeepStrictEqual(early, { unit_id: unit.id, amount_cents: 5, currency: 'JPY' });
  const dinars = await act('record_payment', { tenant_id: tenant.id, amount: '1.5', currency: 'kwd' });
  assert.partialDeepStrictEqual(dinars, { amount_cents: 1500, amount: '1.500', currency: 'KWD' });
});

test('a lease is charged and credited in its currency, and a payment can name what it pays', async () => {
  const { tenant, unit } = await rented('JPY');
  const [lease] = await api('GET', `/leases?tenant_id=${tenant.id}`);
  const given = { lease_id: lease.id, amount: '1500', memo: 'Water' };
  const charge = await act('create_charge', {
    ...given,
    kind: 'utility',
    due_on: '2030-11-01T23:30:00-08:00',
  });
  assert.partialDeepStrictEqual(charge, {
    kind: 'utility',
    amount_cents: 1500,
    currency: 'JPY',
    due_on: '2030-11-01',
    unit_id: unit.id,
    status: 'upcoming',
  });
  const credit = await act('create_credit', { ...given, reason: 'concession', charge_id: charge.id });
  assert.partialDeepStrictEqual(credit, { amount_cents: 1500, currency: 'JPY', charge_id: charge.id });
  const parking = await act('create_recurring_charge', {
    ...given,
    kind: 'parking',
    every: 'quarter',
    starts_on: '2030-11-01',
  });
  assert.partialDeepStrictEqual(parking, { amount_cents: 1500, currency: 'JPY', next_due_on: '2030-11-01' });
  for (const named of [{ lease_id: lease.id }, { charge_id: charge.id }]) {
    const payment = await act('record_payment', { tenant_id: tenant.id, amount: '20', ...named });
    assert.partialDeepStrictEqual(payment, { ...named, amount_cents: 20, currency: 'JPY' });
  }
  assert.deepEqual(await choices('lease_list', { tenant_id: tenant.id }), [
    { id: lease.id, choice: '3C, from 2020-01-01 (active)' },
  ]);
  const offered = await choices('charge_list', { lease_id: lease.id });
  assert.deepEqual(
    offered.find(({ id }) => id === charge.id),
    { id: charge.id, choice: 'utility, due 2030-11-01, 1500 JPY open' },
  );
});

test("without a lease a payment is in the account's currency", async () => {
  await rented('EUR'); // so that there is a unit
  const tenant = await act('create_tenant', { first_name: 'No', last_name: 'Lease' });
  const cases = { 1250: 125_000, '1,250.00': 125_000, 0.01: 1, 1250.5: 125_050 };
  for (const [amount, cents] of [...Object.entries(cases), [0.1 + 0.2, 30]]) {
    const payment = await act('record_payment', { tenant_id: tenant.id, amount });
    assert.partialDeepStrictEqual(payment, { amount_cents: cents, currency: 'USD' }, String(amount));
  }
  for (const amount of ['1,250', '1.250,00', '-5', '$5', '12.345', 'many', '1e3'])
    await assert.rejects(act('record_payment', { tenant_id: tenant.id, amount }), saying(/^Amount: Must be/));
  await assert.rejects(
    act('record_payment', { tenant_id: tenant.id, amount: 0 }),
    saying(/^Amount: Must be more than/),
  );
});

test('a day is the day in the time zone of the person', async () => {
  const { tenant } = await rented('USD');
  const paid_on = '2026-11-01T23:30:00-08:00'; // the 2nd in UTC
  const payment = await act('record_payment', {
    tenant_id: tenant.id,
    amount: '1',
    paid_on,
    method: 'check',
  });
  assert.equal(payment.paid_on, '2026-11-01');
  assert.equal(payment.method, 'check');
});

test('a step that runs again with the same deduplication id records nothing twice', async () => {
  const { tenant } = await rented('USD');
  const given = { tenant_id: tenant.id, amount: '10', deduplication_id: 'Überweisung 4711' };
  const first = await act('record_payment', given);
  assert.deepEqual(await act('record_payment', given), first);
  const another = await act('record_payment', { ...given, deduplication_id: '4712' });
  assert.notEqual(another.id, first.id);
  await assert.rejects(act('record_payment', { ...given, amount: '11' }), saying(/Idempotency-Key/));
  const payments = await api('GET', `/payments?tenant_id=${tenant.id}`);
  assert.deepEqual(
    payments.map(({ id }) => id),
    [another.id, first.id],
  );
});

test('a maintenance request is created and updated', async () => {
  const { property, unit, tenant } = await rented('USD');
  const request = await act('create_maintenance_request', {
    property_id: property.id,
    unit_id: unit.id,
    tenant_id: tenant.id,
    title: 'Heating is cold',
    category: 'hvac',
    priority: 'high',
    cost: '85.00',
    due_on: '2026-11-20T00:00:00+01:00',
    scheduled_for: '2026-11-18T09:00:00+01:00',
  });
  assert.partialDeepStrictEqual(request, {
    category: 'hvac',
    priority: 'high',
    status: 'open',
    cost_cents: 8500,
    due_on: '2026-11-20',
    scheduled_for: '2026-11-18T08:00:00.000Z',
  });

  const given = { id: request.id, status: 'completed', cost: 92.5, resolution: 'New valve.', title: '' };
  const updated = await act('update_maintenance_request', given);
  assert.partialDeepStrictEqual(updated, {
    id: request.id,
    title: 'Heating is cold',
    status: 'completed',
    cost_cents: 9250,
    resolution: 'New valve.',
  });
});

test('a tenant is found by name, email or phone, exact matches first', async () => {
  const exact = await act('create_tenant', {
    first_name: 'Li',
    last_name: 'Wu',
    email: 'li@example.org',
    phone: '555-0177',
  });
  const similar = await act('create_tenant', {
    first_name: 'Emili',
    last_name: 'Wu',
    email: 'emili@example.org',
  });
  const ids = async (q) => (await find('find_tenant', q)).map(({ id }) => id);
  assert.deepEqual(await ids('LI@example.org'), [exact.id, similar.id]);
  assert.deepEqual(await ids('li wu'), [exact.id, similar.id]);
  assert.deepEqual(await ids('555-0177'), [exact.id]);
  assert.deepEqual(await ids('emil'), [similar.id]);
  assert.deepEqual(await ids('nobody at all'), []);
});

test('a tenant is found by exactly an email, a phone number or an external id', async () => {
  const given = {
    last_name: 'Exact',
    external_id: 'crm-7',
    email: 'sam@example.org',
    phone: '+1 (503) 555-0188',
  };
  const sam = await act('create_tenant', { first_name: 'Sam', ...given });
  await act('create_tenant', {
    first_name: 'Samir',
    last_name: 'Exact',
    email: 'xsam@example.org',
    external_id: 'crm-77',
  });
  const ids = async (by, q) => {
    const inputData = { by, q };
    const found = await perform(app.searches.find_tenant.operation.perform, { authData, inputData });
    return found.map(({ id }) => id);
  };
  assert.deepEqual(await ids('email', 'SAM@example.org'), [sam.id]);
  assert.deepEqual(await ids('phone', '1.503.555.0188'), [sam.id]);
  assert.deepEqual(await ids('external_id', ' crm-7 '), [sam.id]);
  assert.deepEqual(await ids('email', 'am@example.org'), []);
  const changed = await act('update_tenant', { id: sam.id, email: 'sam@example.net', phone: '' });
  assert.partialDeepStrictEqual(changed, { ...given, first_name: 'Sam', email: 'sam@example.net' });
});

test('a unit and its lease are created, with amounts in the currency of the account or the lease', async () => {
  const property = await act('create_property', { name: 'Elm Rows' });
  const unit = await act('create_unit', {
    property_id: property.id,
    name: '4D',
    external_id: 'erp-4d',
    bedrooms: '2',
    market_rent: '1,300.00',
  });
  assert.partialDeepStrictEqual(unit, {
    name: '4D',
    bedrooms: 2,
    market_rent_cents: 130_000,
    currency: 'USD',
  });
  const tenant = await act('create_tenant', { first_name: 'Mo', last_name: 'Adler' });
  const lease = await act('create_lease', {
    unit_id: unit.id,
    tenant_ids: [tenant.id, ''],
    start_date: '2030-01-01T23:30:00-08:00',
    rent: '150000',
    deposit: 300000,
    currency: 'jpy',
    external_id: 'erp-lease-4d',
  });
  assert.partialDeepStrictEqual(lease, {
    unit_id: unit.id,
    tenant_ids: [tenant.id],
    start_date: '2030-01-01',
    rent_cents: 150_000,
    deposit_cents: 300_000,
    currency: 'JPY',
  });
  const ids = async (key, by, q) => {
    const inputData = { by, q };
    const found = await perform(app.searches[key].operation.perform, { authData, inputData });
    return found.map(({ id }) => id);
  };
  assert.deepEqual(await ids('find_unit', 'external_id', ' erp-4d '), [unit.id]);
  assert.deepEqual(await ids('find_lease', 'external_id', 'erp-lease-4d'), [lease.id]);
  assert.deepEqual(await ids('find_lease', '', 'adler 4d'), [lease.id]);
  for (const key of ['find_unit', 'find_lease']) assert.deepEqual(await ids(key, 'external_id', 'erp-4'), []);
});

test('a property is found by name, address or city', async () => {
  const property = await act('create_property', {
    name: 'Quince Yard',
    address: '7 Orchard Lane',
    city: 'Salem',
  });
  for (const q of ['quince', 'Orchard Lane', 'salem'])
    assert.deepEqual(await find('find_property', q), [property]);
});

test('dropdowns offer records by names that people know', async () => {
  const { property, unit, tenant } = await rented('USD');
  const request = await api('POST', '/maintenance', { property_id: property.id, title: 'Gutter' });
  assert.deepEqual((await choices('property_list'))[0], { id: property.id, choice: 'Elm Place, Eugene' });
  assert.deepEqual((await choices('tenant_list'))[0], { id: tenant.id, choice: 'Sam Reed (Elm Place, 3C)' });
  assert.deepEqual((await choices('maintenance_request_list'))[0], {
    id: request.id,
    choice: `#${request.number} Gutter (open)`,
  });
  assert.deepEqual((await choices('unit_list'))[0], { id: unit.id, choice: 'Elm Place, 3C' });
  assert.deepEqual(await choices('unit_list', { property_id: property.id }), [{ id: unit.id, choice: '3C' }]);
});

test('a dropdown goes on where the page before ended', async (t) => {
  const units = Array.from({ length: 150 }, (_, at) => ({ name: `Unit ${at}` }));
  const property = await api('POST', '/properties', { name: 'Tower', units });
  // The platform's store for cursors, which is a server of theirs otherwise.
  const kept = {};
  const store = await startReceiver(({ body }) => {
    const { id, method, params } = JSON.parse(body);
    if (method === 'set_cursor') kept.cursor = params[0];
    return { content: JSON.stringify({ id, result: kept.cursor ?? null }) };
  });
  t.after(store.stop);
  const page = async (number) => {
    const { results } = await zapier.createAppHandler(app)({
      command: 'execute',
      method: 'triggers.unit_list.operation.perform',
      bundle: { authData, inputData: { property_id: property.id }, meta: { page: number } },
      rpc_base: store.url,
    });
    return results.map(({ id }) => id);
  };
  const [first, second, third] = [await page(0), await page(1), await page(2)];
  assert.deepEqual([first.length, second.length, third.length], [100, 50, 0]);
  assert.equal(new Set([...first, ...second]).size, 150);
});

test('mistakes are said in the words of the form', async () => {
  const { tenant, property } = await rented('USD');
  await assert.rejects(
    act('record_payment', { tenant_id: tenant.id, amount: '5', period: 'May', currency: 'XXZ' }),
    saying(/^Currency: Must be an ISO 4217 code such as USD\.\nPeriod: Must be a month written YYYY-MM\.$/),
  );
  await assert.rejects(
    act('create_maintenance_request', { property_id: property.id, title: 'x', unit_id: 'the one upstairs' }),
    saying(/^Unit: Must be an id/),
  );
  await assert.rejects(
    act('update_maintenance_request', { id: 'mnt_0190f3a0c0de7abc8def0123456789ab', status: 'open' }),
    saying(/no such record/),
  );
  const { id } = await api('POST', '/maintenance', {
    property_id: property.id,
    title: 'x',
    status: 'cancelled',
  });
  await assert.rejects(
    act('update_maintenance_request', { id }),
    saying(/^Give at least one field to change/),
  );
  await assert.rejects(act('update_maintenance_request', { id, status: 'open' }), saying(/cancelled/));
  await assert.rejects(
    act(
      'create_tenant',
      { first_name: 'A', last_name: 'B' },
      { authData: { ...authData, api_key: tenure.readKey } },
    ),
    saying(/may only read/),
  );
  await assert.rejects(
    perform(app.triggers.tenant_created.operation.performSubscribe, {
      authData,
      targetUrl: 'http://10.0.0.1/',
    }),
    saying(/address/i),
  );
});

test('answers that are not those of a Tenure say what is wrong with the connection', async (t) => {
  const answers = {
    page: { headers: { 'content-type': 'text/html' }, content: '<h1>Welcome</h1>' },
    moved: { status: 301, headers: { location: 'https://new.example.com/api/v1/properties' } },
    limited: {
      status: 429,
      headers: { 'retry-after': '7' },
      content: '{"error":{"code":429,"message":"Too many requests"}}',
    },
    down: {
      status: 503,
      headers: { 'retry-after': '5' },
      content: '{"error":{"code":503,"message":"Service unavailable"}}',
    },
    broken: {
      status: 500,
      headers: { 'x-request-id': 'req-1' },
      content: '{"error":{"code":500,"message":"Internal server error"}}',
    },
    gateway: { status: 502, headers: { 'content-type': 'text/html' }, content: 'Bad gateway' },
  };
  const other = await startReceiver(({ path }) => answers[path.split('/')[1]]);
  t.after(other.stop);
  const at = (name) => ({ authData: { ...authData, base_url: `${other.url}/${name}` } });
  const connect = (name) => perform(app.authentication.test, at(name));
  await assert.rejects(connect('page'), saying(/no Tenure at the server address/));
  await assert.rejects(connect('moved'), saying(/redirects to https:\/\/new\.example\.com\. Use that/));
  await assert.rejects(connect('limited'), { name: 'ThrottledError', message: /"delay":7/ });
  await assert.rejects(connect('down'), { name: 'ThrottledError', message: /"delay":5/ });
  await assert.rejects(connect('broken'), saying(/could not answer \(500, request req-1\)/));
  await assert.rejects(connect('gateway'), saying(/could not answer \(502\)/));

  // Repeated by the platform, a POST could do its work twice; unless it carries an Idempotency-Key.
  const tenant = { first_name: 'A', last_name: 'B' };
  await assert.rejects(act('create_tenant', tenant, at('down')), { name: 'AppError' });
  await assert.rejects(act('create_tenant', { ...tenant, deduplication_id: '1' }, at('down')), {
    name: 'ThrottledError',
  });
});

/** A tenant in a unit, with rent in the currency. */
async function rented(currency) {
  const property = await api('POST', '/properties', { name: 'Elm Place', city: 'Eugene' });
  const unit = await api('POST', '/units', { property_id: property.id, name: '3C' });
  const { id } = await api('POST', '/tenants', { first_name: 'Sam', last_name: 'Reed' });
  const start_date = '2020-01-01';
  await api('POST', '/leases', { unit_id: unit.id, tenant_ids: [id], start_date, rent_cents: 100, currency });
  return { property, unit, tenant: await api('GET', `/tenants/${id}`) };
}

/** The platform wraps what we say in JSON. */
function saying(pattern) {
  return (error) => {
    assert.equal(error.name, 'AppError', error.stack);
    assert.match(JSON.parse(error.message).message, pattern);
    return true;
  };
}
