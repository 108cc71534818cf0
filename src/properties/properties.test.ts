import { expect, test } from 'vitest';
import { nounTests } from '../../test/support/noun.ts';
import {
  day,
  expectError,
  expectInvalid,
  expectSameBytes,
  keepsValues,
  make,
  refusesValues,
  unknownId,
  wrongTexts,
} from '../../test/support/records.ts';

const {
  client,
  eventsDuring,
  expectCreated,
  expectPatchRules,
  ids: propertyIds,
  refusesChanges,
  service,
} = await nounTests('/properties', 'property', 'prop');

const post = (fields: object) => client.post('/properties', { name: 'Maple Court', ...fields });

test('a property needs no more than a name', async () => {
  await expectCreated(
    { name: '  Maple Court ' },
    {
      name: 'Maple Court',
      type: 'other',
      address: null,
      address_line2: null,
      city: null,
      state: null,
      postal_code: null,
      country: null,
      year_built: null,
      notes: null,
      external_id: null,
      late_fees: 'inherit',
      status: 'active',
      unit_count: 0,
      occupied_unit_count: 0,
    },
  );
});

test('every field of a property is kept', async () => {
  const fields = {
    name: 'Lindenhof 🏠',
    type: 'multi_family',
    address: '12 Elm St',
    address_line2: 'Rear',
    city: 'Springfield',
    state: 'IL',
    postal_code: '62701',
    country: 'US',
    year_built: 1925,
    notes: 'Line one\nline two',
    external_id: 'crm-77',
    late_fees: {
      grace_days: 3,
      first: { percent_of_rent: 5 },
      daily: { fixed_cents: 500 },
      cap_cents: 10_000,
      min_open_cents: 100,
    },
    status: 'archived',
  };
  const { body } = await post(fields);
  expect(body.data).toMatchObject(fields);
  expect((await client.get(`/properties/${body.data.id}`)).body).toEqual(body);
});

test('wrong values are refused by the name of their field', async () => {
  await refusesValues(post, {
    name: [undefined, null, '', '  \t ', ...wrongTexts(200)],
    type: ['castle', 3, null, ['condo'], 'Condo'],
    address: wrongTexts(300),
    address_line2: wrongTexts(300),
    city: wrongTexts(200),
    state: wrongTexts(200),
    postal_code: [62701, ...wrongTexts(30)],
    country: ['USA', 'U', 'XX', 'ZZ', 1, 'U1'],
    year_built: [999, 3000, 1925.5, '1925', true],
    notes: wrongTexts(10_000),
    external_id: wrongTexts(200),
    late_fees: [null, 'off', 5, {}, { grace_days: 3 }, { grace_days: 3, first: {} }],
    status: ['gone', '', null, 0],
    units: ['A', {}, [{}], [null], [5], Array.from({ length: 501 }, (_, n) => ({ name: `${n}` }))],
  });
});

test('texts are trimmed, empty ones are null, codes are upper case, lengths count to the limit', async () => {
  await keepsValues(post, {
    name: [
      ['x'.repeat(200), 'x'.repeat(200)],
      [`${' '.repeat(500)}x`, 'x'],
    ],
    notes: [
      ['x'.repeat(10_000), 'x'.repeat(10_000)],
      ['', null],
      ['   ', null],
      [null, null],
    ],
    country: [
      [' us ', 'US'],
      ['', null],
      [null, null],
    ],
    year_built: [
      [1000, 1000],
      [2999, 2999],
      [null, null],
    ],
  });
});

test('units come with the property, all or nothing, with an event for each', async () => {
  const webhook = await make.webhook(client, { events: ['unit.created', 'property.created'] });
  const events = await eventsDuring(async () => {
    const { status, body } = await post({
      units: [
        { name: 'A' },
        { name: ' B ', bedrooms: 2, bathrooms: 1.5, market_rent_cents: 99_900, offline: true },
      ],
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ unit_count: 2, occupied_unit_count: 0 });
    expect(body.data).not.toHaveProperty('units');
  });
  expect(events.map(({ event }) => event)).toEqual(['property.created', 'unit.created', 'unit.created']);
  const property = JSON.parse(events[0]?.body ?? '').data.property;
  expect(property.unit_count).toBe(2);
  await expectSameBytes(client, events[0], `/properties/${property.id}`);
  for (const event of events.slice(1))
    await expectSameBytes(client, event, `/units/${JSON.parse(event.body).data.unit.id}`);
  const units = (await client.get(`/units?property_id=${property.id}`)).body.data;
  expect(units.map((unit: { name: string }) => unit.name).sort()).toEqual(['A', 'B']);

  const nothing = await eventsDuring(async () => {
    const before = (await client.get('/properties')).body.count;
    expectInvalid(
      await post({ units: [{ name: 'A' }, { name: 'B', bedrooms: -1 }] }),
      'units',
      /\[1\]\.bedrooms/,
    );
    expectInvalid(await post({ units: [{ name: 'A' }, { name: ' A' }] }), 'units', /same name/);
    expect((await client.get('/properties')).body.count).toBe(before);
  });
  expect(nothing).toEqual([]);
  await client.delete(`/webhooks/${webhook.id}`);
});

test('a change is answered with the whole property and has one event; without a change there is none', async () => {
  const { id } = await make.property(client, { notes: 'old' });
  await expectPatchRules(id, { name: 'Elm', notes: null, status: 'archived' });
  await refusesChanges(id, {
    name: [null, '', 5],
    type: [null, 'castle'],
    status: [null, 'gone'],
    country: ['XX'],
  });
});

test('occupied units are those with a lease that runs today', async () => {
  const property = await make.property(client);
  const add = async (dates: object) => {
    const unit = await make.unit(client, { property_id: property.id });
    await make.lease(client, { unit_id: unit.id, ...dates });
  };
  await add({ start_date: day(-30) });
  await add({ start_date: day(0), end_date: day(0) });
  await add({ start_date: day(-30), notice_given_on: day(-1), end_date: day(20) });
  await add({ start_date: day(1) });
  await add({ start_date: day(-30), end_date: day(-1) });
  await add({ start_date: day(-30), ended_on: day(0) });
  await make.unit(client, { property_id: property.id });
  const { data } = (await client.get(`/properties/${property.id}`)).body;
  expect([data.unit_count, data.occupied_unit_count]).toEqual([7, 3]);
});

test('properties are listed newest first and filtered by status and text', async () => {
  const own = await service.client();
  const first = await make.property(own, { name: '100% Elm_Court', city: 'Springfield' });
  const second = await make.property(own, { name: 'Oak', status: 'archived', address: '1 Elm Street' });
  const ids = (query: string) => propertyIds(query, own);
  expect(await ids('')).toEqual([second.id, first.id]);
  expect(await ids('status=active')).toEqual([first.id]);
  expect(await ids('status=archived,active')).toEqual([second.id, first.id]);
  expect(await ids('status=archived&status=active')).toEqual([second.id, first.id]);
  expect(await ids('q=ELM')).toEqual([second.id, first.id]);
  expect(await ids('q=springfield')).toEqual([first.id]);
  expect(await ids('q=%25')).toEqual([first.id]);
  expect(await ids('q=m_C')).toEqual([first.id]);
  expect(await ids('q=m_S')).toEqual([]);
  const cafe = [await make.property(own, { name: 'Café' }), await make.property(own, { name: 'Cafe\u0301' })];
  for (const q of ['café', 'CAFE\u0301'])
    expect(await ids(`q=${encodeURIComponent(q)}`)).toEqual(cafe.map(({ id }) => id).reverse());
  expectInvalid(await own.get('/properties?status=gone'), 'status', /active, archived/);
  expectInvalid(await own.get('/properties?status=active,'), 'status');
  expectError(await own.get(`/properties/${unknownId('prop')}`), 404, 'Not found');
});
