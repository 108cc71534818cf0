import { expect, test } from 'vitest';
import { nounTests } from '../../test/support/noun.ts';
import {
  day,
  expectError,
  expectInvalid,
  keepsValues,
  make,
  refusesValues,
  unknownId,
  wrongCents,
  wrongTexts,
} from '../../test/support/records.ts';

const { client, eventsDuring, expectCreated, expectPatchRules, ids, refusesChanges, service } =
  await nounTests('/units', 'unit', 'unit');
const propertyId = (await make.property(client)).id;

let made = 0;
const post = (fields: object) =>
  client.post('/units', { property_id: propertyId, name: `No. ${++made}`, ...fields });

test('a unit needs its property and a name', async () => {
  await expectCreated(
    { property_id: propertyId, name: ' 2B ' },
    {
      property_id: propertyId,
      name: '2B',
      bedrooms: null,
      bathrooms: null,
      area_sqft: null,
      market_rent_cents: null,
      market_rent: null,
      currency: 'USD',
      external_id: null,
      offline: false,
      status: 'vacant',
    },
  );
});

test('every field of a unit is kept', async () => {
  const fields = {
    name: '3C',
    bedrooms: 0,
    bathrooms: 1.5,
    area_sqft: 640,
    market_rent_cents: 120_050,
    offline: true,
  };
  const { body } = await post(fields);
  expect(body.data).toMatchObject({ ...fields, market_rent: '1200.50', status: 'offline' });
});

test('wrong values are refused by the name of their field', async () => {
  await refusesValues(post, {
    property_id: [
      undefined,
      null,
      '',
      5,
      'prop_1',
      unknownId('unit'),
      unknownId('prop'),
      unknownId('prop').toUpperCase(),
    ],
    name: [undefined, null, '', ' ', ...wrongTexts(200)],
    bedrooms: [-1, 1.5, '2', 1001, true],
    bathrooms: [-0.5, 0.25, 1e-9, '1', 1000, 1e308],
    area_sqft: [0, -5, 1.5, '640', 10_000_001],
    market_rent_cents: wrongCents,
    offline: ['true', 1, null],
  });
  await keepsValues(post, {
    bedrooms: [
      [0, 0],
      [null, null],
    ],
    bathrooms: [
      [0, 0],
      [999, 999],
      [2.5, 2.5],
    ],
    market_rent_cents: [[1_000_000_000_000, 1_000_000_000_000]],
  });
});

test('a name is unique in its property, even if many request it at once', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => post({ name: 'Penthouse' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  expectError(await post({ name: ' Penthouse ' }), 409, /already has a unit with this name/);
  const elsewhere = await make.property(client);
  expect((await post({ property_id: elsewhere.id, name: 'Penthouse' })).status).toBe(201);
  const other = await make.unit(client, { property_id: propertyId });
  expectError(await client.patch(`/units/${other.id}`, { name: 'Penthouse' }), 409, /this name/);
});

test('a failed creation leaves no row and no event', async () => {
  const events = await eventsDuring(async () => {
    const { count } = (await client.get('/units')).body;
    await post({ name: 'Penthouse' });
    await post({ property_id: unknownId('prop') });
    expect((await client.get('/units')).body.count).toBe(count);
  });
  expect(events).toEqual([]);
});

test('a change is answered with the whole unit and has one event; without a change there is none', async () => {
  const { id } = await make.unit(client, { bathrooms: 1.5, market_rent_cents: 100_000, bedrooms: 2 });
  await expectPatchRules(id, { name: 'Loft', bathrooms: 2, bedrooms: null });
  await expectPatchRules(id, {
    market_rent_cents: null,
    market_rent: null,
    offline: true,
    status: 'offline',
  });
  await refusesChanges(id, {
    name: [null, ''],
    offline: [null],
  });
});

test('the status of a unit follows its lease of today', async () => {
  const cases: [expected: string, lease: object | null, offline?: boolean][] = [
    ['vacant', null],
    ['offline', null, true],
    ['occupied', { start_date: day(0) }],
    ['occupied', { start_date: day(-9), end_date: day(0) }],
    ['vacant', { start_date: day(-9), end_date: day(-1) }],
    ['vacant', { start_date: day(1) }],
    ['vacant', { start_date: day(-9), ended_on: day(0) }],
    ['occupied', { start_date: day(-9), end_date: day(-3), ended_on: day(1) }],
    ['notice', { start_date: day(-9), notice_given_on: day(0) }],
    ['occupied', { start_date: day(-9), notice_given_on: day(1) }],
    ['offline', { start_date: day(-9) }, true],
  ];
  const own = await service.client();
  const property = await make.property(own);
  const expected: Record<string, string> = {};
  for (const [status, lease, offline = false] of cases) {
    const unit = await make.unit(own, { property_id: property.id, offline });
    if (lease) await make.lease(own, { unit_id: unit.id, ...lease });
    expected[unit.id] = status;
    expect((await own.get(`/units/${unit.id}`)).body.data.status, JSON.stringify(lease)).toBe(status);
  }
  for (const wanted of ['vacant', 'occupied', 'notice', 'offline', 'notice,offline']) {
    const of = Object.keys(expected).filter((id) => wanted.split(',').includes(expected[id] ?? ''));
    expect((await ids(`status=${wanted}`, own)).sort(), wanted).toEqual(of.sort());
  }
});

test('units are filtered by property and status', async () => {
  const own = await service.client();
  const unit = await make.unit(own);
  await make.unit(own);
  const list = async (query: string) => (await own.get(`/units?${query}`)).body;
  expect(await list(`property_id=${unit.property_id}&status=vacant`)).toEqual({ data: [unit], count: 1 });
  expect(await list(`property_id=${unit.property_id}&status=occupied`)).toEqual({ data: [], count: 0 });
  expect(await list(`property_id=${unknownId('prop')}`)).toEqual({ data: [], count: 0 });
  expectInvalid(await own.get('/units?property_id=prop_1'), 'property_id');
  expectInvalid(await own.get(`/units?property_id=${unit.id}`), 'property_id');
  expectInvalid(await own.get('/units?status=empty'), 'status', /occupied, notice, vacant, offline/);
});
