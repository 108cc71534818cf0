import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startReceiver } from '../../zapier/test/receiver.js';
import { startTenure } from '../../zapier/test/tenure.js';
import { ofCredential, run, trigger } from './n8n.mjs';

/* Both nodes, run by n8n's own engine against a real server. */

let tenure;
let hook;
let credentials;

before(async () => {
  [tenure, hook] = await Promise.all([startTenure(), startReceiver()]);
  credentials = { baseUrl: `${tenure.url}/`, apiKey: tenure.key };
});
after(() => Promise.all([tenure?.stop(), hook?.stop()]));

const act = (resource, operation, parameters = {}) =>
  run(credentials, { resource, operation, ...parameters });
const one = async (...given) => (await act(...given))[0];

async function api(method, path, body) {
  const response = await fetch(`${tenure.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${tenure.key}` },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, ...(await response.json()) };
}

test('the address of the server may be written in any usual way', async () => {
  const { TenureApi } = await import('../credentials/TenureApi.credentials.js');
  const { baseURL, url } = new TenureApi().test.request;
  for (const baseUrl of [tenure.url, `${tenure.url}/`, ` ${tenure.url}/api/v1/ `]) {
    const address = ofCredential(baseURL, { baseUrl }) + url;
    const { status } = await fetch(address, { headers: { authorization: `Bearer ${tenure.key}` } });
    assert.equal(status, 200);
  }
});

test('a whole tenancy is made, changed, read and deleted', async () => {
  const property = await one('property', 'create', {
    name: 'Maple Court',
    additionalFields: { city: 'Portland', units: '[{"name": "1A"}]', late_fees: 'none' },
  });
  assert.partialDeepStrictEqual(property, { name: 'Maple Court', city: 'Portland', unit_count: 1 });
  const unit = await one('unit', 'create', {
    property_id: property.id,
    name: '2B',
    additionalFields: { bedrooms: 2, market_rent_cents: 130_000 },
  });
  const tenant = await one('tenant', 'create', { first_name: 'Ada', last_name: 'Okafor' });
  const lease = await one('lease', 'create', {
    unit_id: unit.id,
    tenant_ids: ` ${tenant.id} ,`,
    start_date: '2026-01-01T00:00:00.000-08:00',
    rent_cents: 125_000,
    additionalFields: { rent_changes: '[{"from": "2027-01-01", "rent_cents": 130000}]' },
  });
  assert.partialDeepStrictEqual(lease, {
    tenant_ids: [tenant.id],
    start_date: '2026-01-01',
    rent_cents: 125_000,
  });
  const paid = {
    tenant_id: tenant.id,
    amount_cents: 125_000,
    additionalFields: { method: 'check', paid_on: '2026-02-01', idempotencyKey: 'order-4711' },
  };
  const payment = await one('payment', 'create', paid);
  assert.deepEqual(await one('payment', 'create', paid), payment);
  const charge = { lease_id: lease.id, kind: 'fee', amount_cents: 2_500, due_on: '2026-03-01' };
  assert.partialDeepStrictEqual(await one('charge', 'create', charge), charge);

  const changed = await one('tenant', 'update', {
    id: tenant.id,
    updateFields: { email: 'ada@example.com' },
  });
  assert.partialDeepStrictEqual(changed, { id: tenant.id, email: 'ada@example.com', first_name: 'Ada' });
  assert.deepEqual(
    await one('tenant', 'get', { id: tenant.id }),
    (await api('GET', `/tenants/${tenant.id}`)).data,
  );
  const request = await one('maintenance_request', 'create', {
    property_id: property.id,
    title: 'Tap drips',
    additionalFields: { scheduled_for: '2026-11-18T09:00:00.000+01:00', priority: 'high' },
  });
  assert.partialDeepStrictEqual(request, { scheduled_for: '2026-11-18T08:00:00.000Z', priority: 'high' });
  const owing = await act('balance', 'getAll', { filters: { tenant_id: tenant.id } });
  assert.deepEqual(
    owing.map(({ lease_id }) => lease_id),
    [lease.id],
  );
  const spare = await one('unit', 'create', { property_id: property.id, name: '9Z' });
  assert.partialDeepStrictEqual(await one('unit', 'delete', { id: spare.id }), {
    id: spare.id,
    deleted: true,
  });
});

test('many records come up to a limit, filtered, or all of them over pages', async () => {
  const { data: property } = await api('POST', '/properties', { name: 'Long House' });
  const names = Array.from({ length: 1_003 }, (_, at) => ({ name: `U${at}` }));
  for (let at = 0; at < names.length; at += 500)
    await api('POST', '/properties', { name: `House ${at}`, units: names.slice(at, at + 500) });
  assert.equal((await act('unit', 'getAll', { limit: 7 })).length, 7);
  const all = await act('unit', 'getAll', { returnAll: true, filters: { status: ['vacant', 'offline'] } });
  assert.ok(all.length >= names.length);
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  const none = await act('unit', 'getAll', { returnAll: true, filters: { property_id: property.id } });
  assert.deepEqual(none, []);
});

test('a refusal stops the workflow and says why', async () => {
  await assert.rejects(act('tenant', 'create', { first_name: '', last_name: 'x' }), /400|Bad request/i);
  await assert.rejects(act('tenant', 'get', { id: 'ten_0' }), /404|could not be found/i);
});

test('a trigger subscribes when activated, starts by genuine events alone, and unsubscribes', async () => {
  const listening = trigger(credentials, { events: ['tenant.created'], skipOwn: false }, `${hook.url}/n8n`);
  assert.equal(await listening.checkExists(), false);
  await listening.create();
  assert.equal(await listening.checkExists(), true);
  const { data: subscriptions } = await api('GET', '/webhooks');
  assert.partialDeepStrictEqual(subscriptions, [
    { url: listening.url(), events: ['tenant.created'], description: 'n8n: My flow' },
  ]);

  const { data: tenant } = await api('POST', '/tenants', { first_name: 'Zoë', last_name: 'Lind' });
  const path = new URL(listening.url()).pathname;
  const sent = await hook.request((request) => request.path === path);
  const request = { headers: sent.headers, body: JSON.parse(sent.body), rawBody: Buffer.from(sent.body) };
  const { workflowData } = await listening.receive(request);
  assert.deepEqual(workflowData[0][0].json.data.tenant, tenant);

  const forged = [
    { ...request, rawBody: Buffer.from(`${sent.body} `) },
    { ...request, headers: { ...sent.headers, 'webhook-id': 'evt_1' } },
    { ...request, headers: { ...sent.headers, 'webhook-timestamp': '1' } },
    { ...request, headers: { ...sent.headers, 'webhook-signature': 'v1,x' } },
    { ...request, headers: {} },
  ];
  for (const each of forged) {
    const said = {};
    const response = {
      status: (code) => Object.assign(said, { code }) && response,
      json: (body) => Object.assign(said, { body }),
    };
    assert.deepEqual(await listening.receive(each, response), { noWebhookResponse: true });
    assert.equal(said.code, 401);
  }
  // The test button arrives, and starts nothing.
  await api('POST', `/webhooks/${listening.kept().webhookId}/test`);
  const test = await hook.request(({ headers }) => headers['x-service-event'] === 'webhook.test');
  const tried = { headers: test.headers, body: JSON.parse(test.body), rawBody: Buffer.from(test.body) };
  assert.deepEqual(await listening.receive(tried), { webhookResponse: 'ok' });

  await listening.delete();
  assert.deepEqual(listening.kept(), {});
  assert.deepEqual((await api('GET', '/webhooks')).data, []);
  await listening.delete();
});

test('a trigger makes its subscription anew if somebody changed or deleted it', async () => {
  const listening = trigger(
    credentials,
    { events: ['*', 'tenant.created'], skipOwn: true },
    `${hook.url}/again`,
  );
  await listening.create();
  const { webhookId } = listening.kept();
  assert.deepEqual((await api('GET', `/webhooks/${webhookId}`)).data.events, ['*']);
  await api('PATCH', `/webhooks/${webhookId}`, { status: 'disabled' });
  assert.equal(await listening.checkExists(), false);
  assert.deepEqual((await api('GET', '/webhooks')).data, []);
  await listening.create();
  await api('DELETE', `/webhooks/${listening.kept().webhookId}`);
  assert.equal(await listening.checkExists(), false);
  const reading = trigger({ ...credentials, apiKey: tenure.readKey }, { events: ['*'] }, hook.url);
  await assert.rejects(reading.create(), /Forbidden/);
});
