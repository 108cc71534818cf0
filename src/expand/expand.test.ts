import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsOf, expectError, expectInvalid, make } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import type { Database } from '../db/connect.ts';
import { type Sql, toStatement } from '../db/sql.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Made = any;

let service: Service;
let client: Client;
let stranger: Client;
let lease: Made;
let brief: Record<string, Made>;
/** By the list's path: the record's id, and the fields that it gets with all of its expansions. */
let known: Record<string, { id: string; all: string; fields: Record<string, Made> }>;

beforeAll(async () => {
  service = await testService();
  client = await service.client();
  stranger = await service.client();
  const property = await make.property(client, { name: 'Maple "Court"', city: 'Riverton', country: 'US' });
  const unit = await make.unit(client, { property_id: property.id, name: '2B' });
  const ada = await make.tenant(client, { email: 'ada@example.com', external_id: 'crm-7' });
  const ben = await make.tenant(client, { first_name: 'Ben', last_name: 'Ito', phone: '+1 555 0100' });
  lease = await make.lease(client, { unit_id: unit.id, tenant_ids: [ben.id, ada.id] });
  const payment = await make.payment(client, { tenant_id: ada.id });
  const request = await make.maintenance(client, {
    property_id: property.id,
    unit_id: unit.id,
    tenant_id: ada.id,
  });
  const charge = await client.post('/charges', {
    lease_id: lease.id,
    kind: 'fee',
    amount_cents: 500,
    due_on: '2026-12-01',
  });
  expect(charge.status, charge.text).toBe(201);
  const tenant = ({ id, first_name, last_name, email, phone, external_id }: Made) => ({
    id,
    name: `${first_name} ${last_name}`,
    first_name,
    last_name,
    email,
    phone,
    external_id,
  });
  const {
    type: _,
    year_built,
    notes,
    late_fees,
    status,
    unit_count,
    occupied_unit_count,
    ...rest
  } = property;
  const { created_at, updated_at, ...shared } = rest;
  brief = {
    tenant: tenant(ada),
    tenants: [tenant(ben), tenant(ada)],
    unit: { id: unit.id, property_id: property.id, name: '2B' },
    property: shared,
    lease: {
      id: lease.id,
      status: lease.status,
      start_date: '2026-01-01',
      end_date: null,
      ended_on: null,
      rent_cents: 125_000,
      rent: '1250.00',
      currency: 'USD',
    },
  };
  const of = (...names: string[]) => Object.fromEntries(names.map((name) => [name, brief[name]]));
  known = {
    '/payments': {
      id: payment.id,
      all: 'tenant,lease,unit,property',
      fields: of('tenant', 'lease', 'unit', 'property'),
    },
    '/leases': { id: lease.id, all: 'tenant,unit,property', fields: of('tenants', 'unit', 'property') },
    '/maintenance': { id: request.id, all: 'tenant,unit,property', fields: of('tenant', 'unit', 'property') },
    '/units': { id: unit.id, all: 'property', fields: of('property') },
    '/charges': {
      id: charge.body.data.id,
      all: 'tenant,lease,unit,property',
      fields: of('tenants', 'lease', 'unit', 'property'),
    },
  };
});
afterAll(() => service.close());

test.each(['/payments', '/leases', '/maintenance', '/charges', '/units'])(
  '%s shows what is asked for beside its ids, in a list and alone, and nothing else changes',
  async (path) => {
    const { id, all, fields } = known[path] as (typeof known)[string];
    const plain = (await client.get(`${path}/${id}`)).body.data;
    expect(Object.keys(plain).filter((name) => name in fields)).toEqual([]);
    const expected = { ...plain, ...fields };
    expect((await client.get(`${path}/${id}?expand=${all}`)).body.data).toEqual(expected);
    const list = (await client.get(`${path}?expand=${all}`)).body.data;
    expect(list.find((record: Made) => record.id === id)).toEqual(expected);
    expect((await client.get(`${path}/${id}?expand=property`)).body.data).toEqual({
      ...plain,
      property: brief.property,
    });
    expect((await client.get(`${path}/${id}`)).body.data).toEqual(plain);
  },
);

test('what a record does not have is null', async () => {
  const lone = await make.payment(client);
  const { body } = await client.get(`/payments/${lone.id}?expand=lease,unit,property`);
  expect(body.data).toMatchObject({ lease_id: null, lease: null, unit: null, property: null });
});

test('other names are refused, and the answer says which there are', async () => {
  for (const [path, { id, all }] of Object.entries(known))
    for (const address of [`${path}?expand=tenant,account`, `${path}/${id}?expand=events`, `${path}?expand=`])
      expectInvalid(await client.get(address), 'expand', new RegExp(all.replaceAll(',', ', ')));
});

test('a key sees beside an id only what it could read by itself', async () => {
  const limited = await service.client({
    accountId: client.accountId,
    permission: 'read',
    scopes: ['payments', 'units'],
  });
  expect((await limited.get('/payments?expand=unit')).status).toBe(200);
  for (const path of ['/payments?expand=unit,tenant', `/payments/${known['/payments']?.id}?expand=tenant`])
    expectError(await limited.get(path), 403, 'This key lacks the scope tenants.');
});

test('another account is shown none of it', async () => {
  for (const [path, { id, all }] of Object.entries(known)) {
    expectError(await stranger.get(`${path}/${id}?expand=${all}`), 404, 'Not found');
    expect((await stranger.get(`${path}?expand=${all}`)).body.data).toEqual([]);
  }
});

test('the names come with the statement that reads the page', async () => {
  const { db } = service.app;
  const asked: string[] = [];
  service.app.db = new Proxy(db, {
    get: (target: Database, name) =>
      name === 'query'
        ? (query: Sql, ...account: []) => {
            asked.push(toStatement(query).text);
            return target.query(query, ...account);
          }
        : Reflect.get(target, name),
  });
  await client.get('/payments?expand=tenant,lease,unit,property&total=true');
  service.app.db = db;
  expect(asked.filter((text) => /from (payments|tenants|leases|units|properties)\b/.test(text))).toHaveLength(
    1,
  );
});

test('events are never expanded', async () => {
  const events = await eventsOf(service, client);
  expect(events.length).toBeGreaterThan(5);
  for (const { body } of events) {
    const [record] = Object.values(JSON.parse(body).data) as [object];
    if (/^(pay|lease|mnt|chg)_/.test((record as Made).id))
      for (const name of ['tenant', 'tenants', 'lease', 'unit', 'property'])
        expect(record).not.toHaveProperty(name);
  }
});

test('a CSV file has columns for what is expanded, and without it those it always had', async () => {
  const columns = async (query: string) => {
    const { text } = await client.get(`/leases?format=csv${query}`);
    const [header = '', first = ''] = text.split('\r\n');
    return { header: header.split(','), first };
  };
  const plain = await columns('');
  expect(plain.header.filter((name) => name.endsWith('_name'))).toEqual([]);
  const expanded = await columns('&expand=tenant,unit');
  expect(expanded.header.slice(0, plain.header.length)).toEqual(plain.header);
  expect(expanded.header).toEqual(expect.arrayContaining(['tenants_name', 'tenants_email', 'unit_name']));
  expect(expanded.header).not.toContain('property_name');
  expect(expanded.first).toContain('Ben Ito;Ada Okafor');
});
