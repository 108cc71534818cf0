import { expect, test } from 'vitest';
import { nounTests } from '../../test/support/noun.ts';
import {
  expectError,
  expectInvalid,
  expectSameBytes,
  keepsValues,
  make,
  refusesValues,
  unknownId,
  wrongCents,
  wrongDates,
  wrongTexts,
} from '../../test/support/records.ts';
import { maintenancePriorities, maintenanceStatuses } from './maintenance.schema.ts';

const { client, eventNames, eventsDuring, expectCreated, expectPatchRules, service } = await nounTests(
  '/maintenance',
  'maintenance_request',
  'mnt',
);
const propertyId = (await make.property(client)).id;

const post = (fields: object) =>
  client.post('/maintenance', { property_id: propertyId, title: 'Tap drips', ...fields });

test('a request needs a property and a title, and gets the next number', async () => {
  const own = await service.client();
  const property = await make.property(own);
  await expectCreated(
    { property_id: property.id, title: ' Tap drips ' },
    {
      number: 1,
      property_id: property.id,
      unit_id: null,
      tenant_id: null,
      title: 'Tap drips',
      description: null,
      category: 'other',
      priority: 'medium',
      status: 'open',
      assigned_to: null,
      scheduled_for: null,
      due_on: null,
      cost_cents: null,
      cost: null,
      currency: 'USD',
      resolution: null,
      completed_at: null,
      external_id: null,
      source: 'api',
    },
    own,
  );
  expect((await make.maintenance(own, { property_id: property.id })).number).toBe(2);
});

test('every field of a request is kept', async () => {
  const unit = await make.unit(client, { property_id: propertyId });
  const tenant = await make.tenant(client);
  const fields = {
    unit_id: unit.id,
    tenant_id: tenant.id,
    description: 'Since Monday',
    category: 'plumbing',
    priority: 'emergency',
    status: 'scheduled',
    assigned_to: 'Joe',
    scheduled_for: '2026-11-16T08:00:00.000Z',
    due_on: '2026-11-20',
    cost_cents: 8_500,
    resolution: 'New washer',
  };
  expect((await post(fields)).body.data).toMatchObject({ ...fields, cost: '85.00', completed_at: null });
});

test('numbers have no gaps and no duplicates, even if many ask at once and some fail', async () => {
  const own = await service.client();
  const property = await make.property(own);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      own.post('/maintenance', {
        property_id: n % 3 === 2 ? unknownId('prop') : property.id,
        title: `No. ${n}`,
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
  const numbers = (await own.get('/maintenance')).body.data.map(({ number }: { number: number }) => number);
  expect(numbers.sort((a: number, b: number) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
});

test('wrong values are refused by the name of their field', async () => {
  const elsewhere = await make.unit(client);
  await refusesValues(post, {
    property_id: [undefined, null, '', 1, 'prop_', unknownId('prop'), unknownId('unit')],
    unit_id: ['', 1, 'unit_1', unknownId('unit'), elsewhere.id],
    tenant_id: ['', 1, 'ten_1', unknownId('ten'), elsewhere.id],
    title: [undefined, null, '', ' ', ...wrongTexts(300)],
    description: wrongTexts(10_000),
    category: ['roof', '', null],
    priority: ['urgent', '', null, 1],
    status: ['new', '', null],
    assigned_to: wrongTexts(200),
    scheduled_for: ['tomorrow', '2026-11-16T08:00:00', '2026-02-30T08:00:00Z', '1800-01-01T00:00:00Z', 5],
    due_on: wrongDates,
    cost_cents: wrongCents,
    resolution: wrongTexts(10_000),
  });
  await keepsValues(post, {
    due_on: [['', null]],
    scheduled_for: [
      ['', null],
      ['2026-11-16T08:00:00Z', '2026-11-16T08:00:00.000Z'],
      ['2026-11-16T08:00:00.123456+02:00', '2026-11-16T06:00:00.123Z'],
      ['2026-11-16', '2026-11-16T00:00:00.000Z'],
      [null, null],
    ],
    unit_id: [[null, null]],
    tenant_id: [[null, null]],
  });
});

const unfinished = ['open', 'scheduled', 'in_progress', 'on_hold'];
const isAllowed = (from: string, to: string) =>
  from === to || unfinished.includes(from) || (from === 'completed' && to === 'open');
const moves = maintenanceStatuses.flatMap((from) =>
  maintenanceStatuses.map((to) => [from, to, isAllowed(from, to)] as const),
);
test.each(moves)('a request that is %s may become %s: %s', async (from, to, may) => {
  const { id } = await make.maintenance(client, { property_id: propertyId, status: from });
  const events = await eventsDuring(async () => {
    const answer = await client.patch(`/maintenance/${id}`, { status: to });
    if (!may) expectError(answer, 409, from === 'cancelled' ? /final/ : /can become open/);
    const { data } = (await client.get(`/maintenance/${id}`)).body;
    expect(data.status).toBe(may ? to : from);
    if (data.status === 'completed') expect(data.completed_at).toMatch(/Z$/);
    else expect(data.completed_at).toBeNull();
  });
  const updated = may && from !== to ? ['maintenance_request.updated'] : [];
  const completed = updated.length > 0 && to === 'completed' ? ['maintenance_request.completed'] : [];
  expect(events.map(({ event }) => event)).toEqual([...updated, ...completed]);
  for (const event of events) await expectSameBytes(client, event, `/maintenance/${id}`);
});

test('a request made as completed says so, and a later change keeps when it was', async () => {
  const events = await eventNames(async () => {
    const { data } = (await post({ status: 'completed' })).body;
    expect(data.completed_at).toMatch(/Z$/);
    const { body } = await client.patch(`/maintenance/${data.id}`, { resolution: 'done' });
    expect(body.data).toMatchObject({
      status: 'completed',
      completed_at: data.completed_at,
      resolution: 'done',
    });
  });
  expect(events).toEqual([
    'maintenance_request.created',
    'maintenance_request.completed',
    'maintenance_request.updated',
  ]);
});

test('a change is answered with the whole request and has one event; without a change there is none', async () => {
  const unit = await make.unit(client, { property_id: propertyId });
  const { id } = await make.maintenance(client, {
    property_id: propertyId,
    unit_id: unit.id,
    cost_cents: 5,
    due_on: '2026-11-20',
  });
  const path = `/maintenance/${id}`;
  await expectPatchRules(id, { title: 'Roof', unit_id: null, cost_cents: null, cost: null, due_on: null });
  await expectPatchRules(id, {
    priority: 'low',
    scheduled_for: '2026-11-16T08:00:00.000Z',
    assigned_to: 'Joe',
  });
  const { number } = (await client.get(path)).body.data;
  expect((await client.patch(path, { number: 99, title: 'Gutter' })).body.data).toMatchObject({
    number,
    title: 'Gutter',
  });
});

test('a change keeps unit and property together', async () => {
  const unit = await make.unit(client);
  const { id } = await make.maintenance(client, { property_id: unit.property_id, unit_id: unit.id });
  const path = `/maintenance/${id}`;
  const events = await eventsDuring(async () => {
    expectInvalid(await client.patch(path, { property_id: propertyId }), 'unit_id');
    expectInvalid(await client.patch(path, { property_id: unknownId('prop'), unit_id: null }), 'property_id');
    expectInvalid(await client.patch(path, { tenant_id: unknownId('ten') }), 'tenant_id');
    expectInvalid(await client.patch(path, { property_id: null }), 'property_id');
    expectInvalid(await client.patch(path, { title: ' ' }), 'title');
  });
  expect(events).toEqual([]);
  const { data } = (await client.patch(path, { property_id: propertyId, unit_id: null })).body;
  expect(data).toMatchObject({ property_id: propertyId, unit_id: null });
});

test('a tenant of another property does not fit; one of this property, or of none yet, does', async () => {
  const unit = await make.unit(client);
  const tenant = await make.tenant(client);
  expect((await post({ tenant_id: tenant.id })).status).toBe(201);
  await make.lease(client, { unit_id: unit.id, tenant_ids: [tenant.id] });
  expectInvalid(await post({ tenant_id: tenant.id }), 'tenant_id');
  const fitting = await post({ property_id: unit.property_id, tenant_id: tenant.id });
  expect(fitting.status).toBe(201);
  const moved = await client.patch(`/maintenance/${fitting.body.data.id}`, { property_id: propertyId });
  expectInvalid(moved, 'tenant_id');
});

test('a tenant who has moved since is no reason to refuse another change, even if ids are sent along', async () => {
  const tenant = await make.tenant(client);
  const request = (await post({ tenant_id: tenant.id })).body.data;
  await make.lease(client, { tenant_ids: [tenant.id] });
  const { status, body } = await client.patch(`/maintenance/${request.id}`, { ...request, title: 'Again' });
  expect([status, body.data?.title]).toEqual([200, 'Again']);
});

test('requests are filtered by status, priority, property and tenant, together too', async () => {
  const own = await service.client();
  const [first, second] = [await make.property(own), await make.property(own)];
  const tenant = await make.tenant(own);
  const rows: {
    id: string;
    number: number;
    status: string;
    priority: string;
    property_id: string;
    tenant_id: string | null;
  }[] = [];
  for (const [n, status] of maintenanceStatuses.entries()) {
    for (const priority of maintenancePriorities) {
      const property_id = (rows.length % 3 === 0 ? first : second).id;
      const tenant_id = n % 2 === 0 ? tenant.id : null;
      rows.unshift(await make.maintenance(own, { property_id, status, priority, tenant_id }));
    }
  }
  const choices = {
    status: [undefined, 'open', 'open,completed', 'cancelled,on_hold,scheduled'],
    priority: [undefined, 'low', 'high,emergency'],
    property_id: [undefined, first.id, unknownId('prop')],
    tenant_id: [undefined, tenant.id],
  };
  for (const status of choices.status)
    for (const priority of choices.priority)
      for (const property_id of choices.property_id)
        for (const tenant_id of choices.tenant_id) {
          const filter = Object.entries({ status, priority, property_id, tenant_id }).filter(
            ([, value]) => value,
          );
          const query = filter.map(([name, value]) => `${name}=${value}`).join('&');
          const wanted = rows.filter((row) =>
            filter.every(([name, value]) =>
              value?.split(',').includes(String(row[name as keyof typeof row])),
            ),
          );
          const { data, count } = (await own.get(`/maintenance?${query}`)).body;
          expect(
            data.map((row: { number: number }) => row.number),
            query,
          ).toEqual(wanted.map((row) => row.number));
          expect(count).toBe(wanted.length);
        }
  expectInvalid(
    await own.get('/maintenance?status=new'),
    'status',
    /open, scheduled, in_progress, on_hold, completed, cancelled/,
  );
  expectInvalid(await own.get('/maintenance?priority=urgent'), 'priority', /low, medium, high, emergency/);
  expectInvalid(await own.get('/maintenance?property_id=x'), 'property_id');
});
