import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelope } from '../../../test/support/envelope.ts';
import { withinASecond } from '../../../test/support/process.ts';
import { hookUrl, make, queueOf, unknownId } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';
import { days } from '../../clock.ts';
import { sql } from '../../db/sql.ts';
import { routes } from '../routes/routes.ts';

let service: Service;
/** All tools, as a key that may write sees them. */
let tools: Map<string, Tool>;
const open: McpClient[] = [];
beforeAll(async () => {
  service = await testService();
  tools = await toolsOf(await assistant(await service.client()));
});
afterAll(async () => {
  await Promise.all(open.map((each) => each.close()));
  await service.close();
});

/** The SDK's own client, with the key of one of our test clients. */
async function assistant({ key }: { key: string }, at = service): Promise<McpClient> {
  const client = new McpClient({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', at.url), { requestInit }));
  open.push(client);
  return client;
}

async function toolsOf(client: McpClient): Promise<Map<string, Tool>> {
  const { tools, nextCursor } = await client.listTools();
  expect(nextCursor).toBeUndefined();
  return new Map(tools.map((tool) => [tool.name, tool]));
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Structured = any;

async function call(
  client: McpClient,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Structured> {
  const result = await client.callTool({ name, arguments: args });
  const [content, ...more] = result.content as { type: string; text: string }[];
  expect(more).toEqual([]);
  expect(content?.type).toBe('text');
  // The result is there once, not a second time as structured content.
  expect(result.structuredContent).toBeUndefined();
  const told = JSON.parse(content?.text ?? '');
  return result.isError ? { isError: true, ...told } : told;
}

const refused = (code: number, message: unknown) => ({ isError: true, ...envelope(code, message) });
const wrong = (fieldErrors: Record<string, unknown>) => refused(400, { formErrors: [], fieldErrors });

test('every route of the API is a tool, with a schema and what it does', () => {
  // All records share the tools for their history and for notes, and there is also one for searching.
  const shared = routes.filter(({ path }) => /\/(history|notes)$/.test(path)).length - 2;
  expect(tools.size).toBe(routes.filter(({ tool }) => tool !== false).length - shared + 1);
  const nouns = ['property', 'unit', 'tenant', 'lease', 'payment', 'maintenance_request'];
  for (const noun of nouns) {
    const nouns = noun === 'property' ? 'properties' : `${noun}s`;
    for (const name of [`list_${nouns}`, `get_${noun}`, `create_${noun}`, `update_${noun}`])
      expect([...tools.keys()]).toContain(name);
  }
  for (const name of [
    'create_webhook',
    'delete_webhook',
    'rotate_webhook_secret',
    'get_rent_roll',
    'get_rent_collected',
    'list_balances',
    'get_lease_ledger',
    'get_history',
    'search',
  ])
    expect([...tools.keys()]).toContain(name);

  const ajv = new Ajv2020({ strict: false, formats: { date: true, 'date-time': true } });
  for (const [name, tool] of tools) {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(tool.description?.length, name).toBeGreaterThan(10);
    expect(tool.inputSchema.type).toBe('object');
    expect(() => ajv.compile(tool.inputSchema), name).not.toThrow();
    expect(JSON.stringify(tool)).not.toContain('$ref');
  }
});

test('an assistant reads all tools before it begins: they take under 10,000 tokens', async () => {
  const client = await assistant(await service.client());
  const { tools: listed } = await client.listTools();
  // The usual rule is four characters a token. Tokenizers need fewer tokens for JSON like this.
  expect(JSON.stringify(listed).length / 4).toBeLessThan(10_000);
});

test('tools say what an assistant must know: units of money, dates, states, required arguments', () => {
  const field = (tool: string, name: string): Structured => tools.get(tool)?.inputSchema.properties?.[name];
  expect(tools.get('create_payment')?.inputSchema.required).toEqual(['tenant_id', 'amount_cents']);
  expect(tools.get('update_payment')?.inputSchema.required).toEqual(['id']);
  expect(tools.get('get_rent_collected')?.inputSchema.required).toEqual(['from', 'to']);
  expect(field('create_payment', 'amount_cents')).toEqual({ type: 'integer' });
  expect(field('create_payment', 'paid_on')).toMatchObject({ type: 'string', format: 'date' });
  expect(field('create_payment', 'status').enum).toContain('refunded');
  expect(field('update_payment', 'status')).toEqual({ type: 'string' });
  expect(field('list_payments', 'status').items.enum).toContain('refunded');
  expect(field('list_payments', 'limit')).toEqual({ type: 'integer', maximum: 200 });
  expect(field('update_tenant', 'email').type).toEqual(['string', 'null']);
  expect(JSON.stringify(field('create_lease', 'late_fees'))).toContain('{grace_days, first: {fixed_cents?');
  expect(tools.get('update_payment')?.description).toMatch(/pending payment can become paid/);
  expect(tools.get('update_lease')?.description).toMatch(/affects past months too/);
  expect(tools.get('update_lease')?.description).toMatch(/For a raise, add to `rent_changes`/);
  expect(field('update_lease', 'rent_cents').description).toMatch(/past charges are replaced/);
  expect(field('create_property', 'units').items.properties.market_rent_cents).toEqual({ type: 'integer' });
});

test('annotations say what only reads, what destroys and what can be repeated', () => {
  const hints = (name: string) => tools.get(name)?.annotations;
  // The protocol's defaults are left out: a tool changes things, destroys data, cannot be repeated, and contacts
  // others.
  for (const reads of ['list_payments', 'get_rent_roll', 'search', 'get_history'])
    expect(hints(reads)).toEqual({ readOnlyHint: true });
  expect(hints('create_payment')).toEqual({ destructiveHint: false, openWorldHint: false });
  expect(hints('update_payment')).toEqual({ idempotentHint: true, openWorldHint: false });
  expect(hints('delete_webhook')).toEqual({ idempotentHint: true });
  expect(hints('rotate_webhook_secret')).toEqual({});
  expect(hints('erase_tenant')).toEqual({ openWorldHint: false });
  expect(hints('create_webhook')).toEqual({ destructiveHint: false });
});

test('an assistant with a test key works in test mode, in its time, and one with a live key finds nothing of it', async () => {
  const live = await service.client();
  const trial = await service.trialOf(live);
  const to = new Date(Date.now() + days(30)).toISOString();
  expect((await trial.post('/test/clock/advance', { to })).status).toBe(200);
  const [real, tried] = [await assistant(live), await assistant(trial)];
  const { data } = await call(tried, 'create_property', { name: 'Tried' });
  expect(Date.parse(data.created_at)).toBeGreaterThanOrEqual(Date.parse(to));
  expect((await trial.get(`/properties/${data.id}`)).status).toBe(200);
  expect(await call(real, 'get_property', { id: data.id })).toEqual(refused(404, 'Not found'));
  expect((await call(real, 'list_properties')).data).toEqual([]);
});

test('a read key is offered no write tools, and is refused when it calls one anyway', async () => {
  const owner = await service.client();
  const payment = await make.payment(owner);
  const reader = await assistant(await service.client({ permission: 'read', accountId: owner.accountId }));
  const offered = await toolsOf(reader);
  const reading = [...tools.values()].filter((tool) => tool.annotations?.readOnlyHint);
  expect([...offered.values()]).toEqual(reading);
  expect([...offered.keys()].filter((name) => !/^(list|get|preview)_/.test(name))).toEqual(['search']);
  expect(reader.getInstructions()).toMatch(/may only read/);

  expect((await call(reader, 'get_payment', { id: payment.id })).data).toMatchObject(payment);
  expect(await call(reader, 'update_payment', { id: payment.id, memo: 'x' })).toEqual(
    refused(403, 'Forbidden'),
  );
  // The permission is checked before the body.
  expect(await call(reader, 'create_property', {})).toEqual(refused(403, 'Forbidden'));
  expect((await owner.get(`/payments/${payment.id}`)).body.data).toEqual(payment);
});

test('records are made, changed and read as through the API, with their events', async () => {
  const owner = await service.client();
  await make.webhook(owner, { events: ['property.created', 'lease.created', 'payment.updated'] });
  const client = await assistant(owner);
  await toolsOf(client);
  let woken = 0;
  service.app.workers.join({ wake: () => woken++, isStuck: () => false });
  const property = (await call(client, 'create_property', { name: 'Maple Court', units: [{ name: '1A' }] }))
    .data;
  const unit = (await call(client, 'list_units', { property_id: property.id })).data[0];
  const tenant = (await call(client, 'create_tenant', { first_name: 'Ada', last_name: 'Okafor' })).data;
  const lease = (
    await call(client, 'create_lease', {
      unit_id: unit.id,
      tenant_ids: [tenant.id],
      start_date: '2026-01-01',
      ledger_from: '2026-01-01',
      rent_cents: 125_000,
    })
  ).data;
  const paid = { tenant_id: tenant.id, amount_cents: 125_000, paid_on: '2026-02-01' };
  const payment = (await call(client, 'create_payment', paid)).data;
  expect(payment).toMatchObject({ lease_id: lease.id, amount: '1250.00', source: 'api' });
  const refund = { id: payment.id, status: 'refunded', reversed_on: '2026-02-01' };
  const changed = (await call(client, 'update_payment', refund)).data;

  expect(changed).toMatchObject((await owner.get(`/payments/${payment.id}`)).body.data);
  expect(woken).toBe(5);
  const queued = (await queueOf(service, owner)).map((each) => each.event);
  expect(queued).toEqual(['property.created', 'lease.created', 'payment.updated']);

  const request = (
    await call(client, 'create_maintenance_request', { property_id: property.id, title: 'Tap' })
  ).data;
  const done = await call(client, 'update_maintenance_request', { id: request.id, status: 'completed' });
  expect(done.data.completed_at).not.toBeNull();
  const roll = await call(client, 'get_rent_roll', { as_of: '2026-02-01' });
  expect(roll).toMatchObject({ count: 1, data: [{ unit: { name: '1A' }, balance_cents: 250_000 }] });
  const collected = await call(client, 'get_rent_collected', {
    from: '2026-02-01',
    to: '2026-02-28',
    by: 'property',
  });
  expect(collected.data).toMatchObject([{ property: { id: property.id }, expected_cents: 125_000 }]);

  const hook = (await call(client, 'create_webhook', { url: hookUrl, events: ['tenant.created'] })).data;
  expect(hook.secret).toMatch(/^whsec_/);
  expect(JSON.stringify(await call(client, 'list_webhooks'))).not.toContain('whsec_');
  expect((await call(client, 'rotate_webhook_secret', { id: hook.id })).data.secret).not.toBe(hook.secret);
  const tried = (await call(client, 'test_webhook', { id: hook.id })).data;
  expect((await call(client, 'list_webhook_deliveries', { id: hook.id })).data[0].id).toBe(tried.id);
  expect((await call(client, 'get_delivery', { id: tried.id })).data).toMatchObject({ attempts: [] });
  const [event] = (await call(client, 'list_events', { event: ['tenant.created'] })).data;
  expect((await call(client, 'get_event', { id: event.id })).data).toEqual(event);
  expect((await call(client, 'delete_webhook', { id: hook.id })).data).toEqual({
    id: hook.id,
    deleted: true,
  });
});

test('what a former tenant owes is found as the instructions say', async () => {
  const owner = await service.client();
  const client = await assistant(owner);
  const dates = { start_date: '2026-01-01', ledger_from: '2026-01-01', ended_on: '2026-03-01' };
  const lease = await make.lease(owner, { ...dates, rent_cents: 100_000 });
  expect(client.getInstructions()).toMatch(/former tenants included, use list_balances with owing=true/);
  const owing = await call(client, 'list_balances', { owing: 'true', tenant_id: lease.tenant_ids[0] });
  expect(owing).toMatchObject({ data: [{ lease_id: lease.id, balance_cents: 200_000 }], next_cursor: null });
  const { data } = await call(client, 'get_lease_ledger', { id: lease.id });
  expect(data.entries.map((entry: Structured) => entry.description)).toEqual([
    'Rent for January 2026',
    'Rent for February 2026',
  ]);
});

test('the search finds records of every kind, by names, texts and what they belong to', async () => {
  const [owner, stranger] = [await service.client(), await service.client()];
  const property = await make.property(owner, { name: 'Quillhouse' });
  const unit = await make.unit(owner, { property_id: property.id, name: '7Z' });
  const tenant = await make.tenant(owner, { first_name: 'Zenobia', last_name: 'Quist' });
  const lease = await make.lease(owner, { unit_id: unit.id, tenant_ids: [tenant.id] });
  const payment = await make.payment(owner, { tenant_id: tenant.id, reference: 'wire 100%_x' });
  const request = await make.maintenance(owner, { property_id: property.id, title: 'Boiler hums' });
  const owed = { lease_id: lease.id, kind: 'fee', amount_cents: 500, due_on: '2026-02-01', memo: 'Lost fob' };
  const { data: charge } = (await owner.post('/charges', owed)).body;
  const client = await assistant(owner);
  const search = async (q: string, by = client) =>
    (await call(by, 'search', { q })).data.map(({ type, id }: Structured) => `${type} ${id}`);

  const ofTenant = [`tenant ${tenant.id}`, `lease ${lease.id}`, `payment ${payment.id}`];
  expect(await search('quist')).toEqual(ofTenant);
  expect(await search('quillhouse')).toEqual([
    `property ${property.id}`,
    `unit ${unit.id}`,
    `lease ${lease.id}`,
  ]);
  expect(await search('BOILER')).toEqual([`maintenance_request ${request.id}`]);
  expect(await search('0%_x')).toEqual([`payment ${payment.id}`]);
  expect(await search('lost fob')).toEqual([`charge ${charge.id}`]);
  expect((await call(client, 'search', { q: 'quist' })).data).toMatchObject([
    { title: 'Zenobia Quist' },
    { title: 'Quillhouse 7Z', subtitle: expect.stringMatching(/^Zenobia Quist, from \d{4}-/) },
    { title: 'Zenobia Quist', subtitle: expect.stringMatching(/ USD on /) },
  ]);
  expect(await search('quist', await assistant(stranger))).toEqual([]);

  // A key finds what it may read, and cannot find out names through the rest.
  const { accountId } = owner;
  const paymentsOnly = await assistant(await service.client({ accountId, scopes: ['payments'] }));
  expect(await search('quist', paymentsOnly)).toEqual([]);
  expect((await call(paymentsOnly, 'search', { q: 'wire' })).data).toMatchObject([
    { id: payment.id, title: null },
  ]);
  for (const args of [{}, { q: '' }, { q: 5 }, { q: 'x'.repeat(201) }])
    expect((await call(client, 'search', args)).error.message.fieldErrors).toHaveProperty('q');
});

test('names are shown beside ids, for what the key may read', async () => {
  const owner = await service.client();
  const lease = await make.lease(owner);
  const [tenantId] = lease.tenant_ids as [string];
  await owner.patch(`/tenants/${tenantId}`, { first_name: 'Zoë', last_name: 'Lind' });
  const payment = await make.payment(owner, { tenant_id: tenantId });
  const unit = (await owner.get(`/units/${lease.unit_id}`)).body.data;
  const client = await assistant(owner);
  expect((await call(client, 'list_payments')).data).toMatchObject([
    { id: payment.id, tenant_name: 'Zoë Lind', unit_name: unit.name, property_name: expect.any(String) },
  ]);
  expect((await call(client, 'get_lease', { id: lease.id })).data).toMatchObject({
    tenant_names: ['Zoë Lind'],
    unit_name: unit.name,
  });
  const { accountId } = owner;
  const paymentsOnly = await assistant(await service.client({ accountId, scopes: ['payments'] }));
  expect((await call(paymentsOnly, 'get_payment', { id: payment.id })).data).toEqual(payment);
});

test('the history of any record, and notes to it, are two tools for all of them', async () => {
  const owner = await service.client();
  const client = await assistant(owner);
  const [property, tenant] = [await make.property(owner), await make.tenant(owner)];
  for (const { id } of [property, tenant]) {
    await call(client, 'create_note', { id, note: `About ${id}` });
    const [newest] = (await call(client, 'get_history', { id, limit: 1 })).data;
    expect(newest).toMatchObject({ note: `About ${id}` });
  }
  for (const id of [unknownId('ten'), unknownId('evt'), 'x', ''])
    expect(await call(client, 'get_history', { id })).toEqual(refused(404, 'Not found'));
});

test('the guides are resources', async () => {
  const client = await assistant(await service.client({ permission: 'read' }));
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain('tenure://guides/what-is-owed');
  for (const { uri, mimeType } of resources) {
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType, text: expect.stringMatching(/^# /) }]);
  }
  expect(await client.listResourceTemplates()).toEqual({ resourceTemplates: [] });
  for (const uri of ['tenure://guides/nothing', 'tenure://guides/../../package.json', 'file:///etc/passwd'])
    await expect(client.readResource({ uri })).rejects.toThrow(/not found/);
});

test('an assistant learns which events were dropped', async () => {
  const client = await assistant(await service.client());
  const asked = { url: hookUrl, events: ['tenant.created', 'tenant.craeted'] };
  expect(await call(client, 'create_webhook', asked)).toMatchObject({
    data: { events: ['tenant.created'] },
    warning: expect.stringContaining('tenant.craeted'),
  });
});

test('lists come 50 at a time and say how to continue', async () => {
  const owner = await service.client();
  await Promise.all(Array.from({ length: 53 }, () => make.tenant(owner)));
  const client = await assistant(owner);
  await toolsOf(client);
  const first = await call(client, 'list_tenants');
  expect(first.count).toBe(50);
  const last = await call(client, 'list_tenants', { cursor: first.next_cursor });
  expect(last).toMatchObject({ count: 3, next_cursor: null });
  const ids = [...first.data, ...last.data].map((tenant: { id: string }) => tenant.id);
  expect(ids).toEqual((await owner.get('/tenants')).body.data.map((tenant: { id: string }) => tenant.id));
  expect((await call(client, 'list_tenants', { limit: 2, q: null })).count).toBe(2);
  expect((await call(client, 'list_tenants', { limit: '200' })).count).toBe(53);
  for (const limit of [201, '1000'])
    expect(await call(client, 'list_tenants', { limit })).toEqual(
      wrong({ limit: ['Must be a whole number from 1 to 200.'] }),
    );
  // Empty values mean no filter, in every form that assistants use.
  for (const empty of [null, []])
    expect((await call(client, 'list_tenants', { lease_status: empty, limit: empty })).count).toBe(50);
  const filtered = await call(client, 'list_tenants', { lease_status: ['active', 'notice'] });
  expect(filtered).toEqual({ data: [], count: 0, next_cursor: null });
  expect((await call(client, 'list_tenants', { lease_status: 'none,active', limit: 1 })).count).toBe(1);
});

test('an argument that a tool does not have is refused, and the error lists those it has', async () => {
  const owner = await service.client();
  const client = await assistant(owner);
  const { id } = await make.tenant(owner);
  for (const [tool, args, known] of [
    ['list_tenants', { tenant_email: 'x' }, 'lease_status'],
    ['get_tenant', { id, fields: ['email'] }, 'id'],
    ['create_property', { name: 'Elm', colour: 'red' }, 'external_id'],
    ['search', { q: 'x', limit: 5 }, 'q'],
  ] as const) {
    const { error } = await call(client, tool, args);
    expect(error).toMatchObject({ code: 400, type: 'unknown_parameter' });
    const [unknown = ''] = Object.keys(args).slice(-1);
    expect(error.message.fieldErrors[unknown].join()).toContain(known);
  }
  const units = [{ name: '1A', colour: 'red' }];
  const nested = await call(client, 'create_property', { name: 'Elm', units });
  expect(nested.error).toMatchObject({ code: 400, type: 'unknown_field' });
  expect(nested.error.message.fieldErrors.units).toEqual([
    expect.stringMatching(/^\[0\]\.colour: Is not known/),
  ]);
  expect((await owner.get('/properties')).body.count).toBe(0);
});

test('a wrong call gets the error of the API', async () => {
  const owner = await service.client();
  const client = await assistant(owner);
  const asApi = async (path: string, args: Record<string, unknown>, tool: string) => {
    const { body } = await owner.post(path, args);
    const { code, message, type } = body.error;
    expect(await call(client, tool, args)).toEqual({ isError: true, ...envelope(code, message, { type }) });
  };
  await asApi('/payments', { amount_cents: 'a lot' }, 'create_payment');
  await asApi('/payments', { tenant_id: unknownId('ten'), amount_cents: 1 }, 'create_payment');
  await asApi('/properties', { name: 'x', units: [{ name: 'A' }, { name: 'A' }] }, 'create_property');
  await asApi('/webhooks', { url: 'https://localhost/x', events: ['tenant.created'] }, 'create_webhook');
  await asApi('/webhooks', { url: hookUrl, events: ['no.event'] }, 'create_webhook');

  expect(await call(client, 'list_tenants', { limit: 0, lease_status: ['gone'] })).toEqual(
    wrong({ limit: [expect.any(String)], lease_status: [expect.stringContaining('upcoming')] }),
  );
  expect(await call(client, 'list_tenants', { cursor: 'abc' })).toEqual(wrong({ cursor: expect.any(Array) }));
  expect(await call(client, 'get_rent_collected', { to: '2026-01-01' })).toEqual(
    wrong({ from: ['Required.'] }),
  );
  expect(await call(client, 'get_payment')).toEqual(wrong({ id: ['Required.'] }));
  expect(await call(client, 'get_payment', { id: 7 })).toEqual(wrong({ id: ['Required.'] }));

  const payment = await make.payment(owner, { status: 'voided' });
  expect(await call(client, 'update_payment', { id: payment.id, status: 'paid' })).toEqual(
    refused(409, expect.stringContaining('final')),
  );
});

test('ids that are malformed, unknown or of another account are not found', async () => {
  const payment = await make.payment(await service.client());
  const client = await assistant(await service.client());
  for (const id of [payment.id, unknownId('pay'), unknownId('ten'), 'x', '']) {
    expect(await call(client, 'get_payment', { id })).toEqual(refused(404, 'Not found'));
    expect(await call(client, 'update_payment', { id, memo: 'x' })).toEqual(refused(404, 'Not found'));
  }
  expect((await call(client, 'list_payments', { tenant_id: payment.tenant_id })).data).toEqual([]);
  expect(await call(client, 'create_payment', { tenant_id: payment.tenant_id, amount_cents: 1 })).toEqual(
    wrong({ tenant_id: expect.any(Array) }),
  );
});

test('an unknown tool is an error of the protocol', async () => {
  const client = await assistant(await service.client());
  await expect(client.callTool({ name: 'drop_tables', arguments: {} })).rejects.toThrow(
    /Unknown tool: drop_tables/,
  );
  await expect(client.callTool({ name: 'constructor', arguments: {} })).rejects.toThrow(/Unknown tool/);
});

test('an internal error reveals nothing', async () => {
  const client = await assistant(await service.client());
  const { db } = service.app;
  service.app.db = { ...db, query: () => Promise.reject(new Error('password=hunter2')) };
  try {
    expect(await call(client, 'list_payments')).toEqual(refused(500, 'Internal server error'));
  } finally {
    service.app.db = db;
  }
});

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const post = (client: Partial<Client>, headers: Record<string, string> = {}, body: unknown = initialize) =>
  service.request('POST', `${service.url}/mcp`, {
    body,
    headers,
    ...(client.key ? { key: client.key } : {}),
  });

test('without a valid key there is only a 401, in the envelope of the API', async () => {
  const expired = await service.client({ expiresAt: new Date(Date.now() - 1000) });
  for (const key of [undefined, 'nonsense', `svc_live_${'x'.repeat(43)}`, expired.key]) {
    const answer = await post(key === undefined ? {} : { key });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(envelope(401, 'Unauthorized'));
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  }
  await expect(assistant({ key: 'nonsense' })).rejects.toThrow(/401|Unauthorized/);
});

test('there is no other way to sign in, and clients that look for one learn so', async () => {
  for (const path of [
    'oauth-protected-resource',
    'oauth-protected-resource/mcp',
    'oauth-authorization-server',
  ]) {
    const answer = await service.request('GET', `${service.url}/.well-known/${path}`);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(envelope(404, 'Not found'));
  }
});

test('a revoked key ends within a second, in the middle of a conversation', async () => {
  const owner = await service.client();
  const client = await assistant(owner);
  await client.ping();
  await service.database.db.query(
    sql`update api_keys set revoked_at = now() where account_id = ${owner.accountId}`,
  );
  await withinASecond(() =>
    client.ping().then(
      () => false,
      (error) => /401/.test(String(error)),
    ),
  );
});

test('the API and its tools share one rate limit per key', async () => {
  const limited = await testService({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '8' });
  try {
    const owner = await limited.client();
    const client = await assistant(owner, limited);
    let refusal: unknown;
    for (let count = 0; count < 10 && !refusal; count++)
      await client.callTool({ name: 'list_payments', arguments: {} }).catch((error) => {
        refusal = error;
      });
    expect(String(refusal)).toMatch(/Too many requests/);
    expect((await owner.get('/payments')).status).toBe(429);
    await client.close();
  } finally {
    await limited.close();
  }
});

test('a body that is not a protocol message is refused', async () => {
  const client = await service.client();
  for (const raw of ['', '{', '[]', '"x"', '{"method":"tools/list"}', JSON.stringify([initialize])]) {
    const answer = await service.request('POST', `${service.url}/mcp`, { key: client.key, raw });
    expect(answer.status, raw).toBe(400);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 }, id: null });
  }
  const unknown = await post(client, {}, { jsonrpc: '2.0', id: 2, method: 'no/such' });
  expect(unknown.body).toMatchObject({ id: 2, error: { code: -32601 } });
  expect(
    (await post(client, { 'mcp-protocol-version': '1999-01-01' }, { ...initialize, method: 'ping' })).status,
  ).toBe(400);
  expect((await post(client, {}, { jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
  expect(
    (await service.request('POST', `${service.url}/mcp`, { key: client.key, raw: 'x'.repeat(2 ** 20 + 1) }))
      .status,
  ).toBe(413);
});

test('an answer is uncached JSON, with the headers of the API and no session', async () => {
  const answer = await post(await service.client());
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  expect(answer.headers.get('ratelimit')).not.toBeNull();
  expect(answer.headers.get('mcp-session-id')).toBeNull();
  expect(answer.body.result).toMatchObject({
    protocolVersion: '2025-06-18',
    serverInfo: { name: 'tenure' },
  });
  // The server offers nothing that needs a stream, such as a message that the tools have changed.
  expect(answer.body.result.capabilities).toEqual({ tools: {}, resources: {} });
});

test('there is no stream to listen to and no session to end', async () => {
  const { key } = await service.client();
  for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
    const answer = await service.request(method, `${service.url}/mcp`, { key });
    expect(answer.status, method).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect(answer.body).toEqual(envelope(405, 'Method not allowed'));
  }
});
