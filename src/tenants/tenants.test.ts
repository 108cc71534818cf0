import { expect, test, vi } from 'vitest';
import { nounTests } from '../../test/support/noun.ts';
import {
  day,
  expectInvalid,
  keepsValues,
  make,
  refusesValues,
  unknownId,
  wrongTexts,
} from '../../test/support/records.ts';

const { client, expectCreated, expectPatchRules, refusesChanges, service } = await nounTests(
  '/tenants',
  'tenant',
  'ten',
);

const post = (fields: object) =>
  client.post('/tenants', { first_name: 'Ada', last_name: 'Okafor', ...fields });

test('a tenant needs a first and a last name, and starts without a lease', async () => {
  await expectCreated(
    { first_name: ' Ada', last_name: 'Okafor ' },
    {
      first_name: 'Ada',
      last_name: 'Okafor',
      email: null,
      phone: null,
      notes: null,
      external_id: null,
      property: null,
      unit: null,
      lease: null,
      lease_status: 'none',
    },
  );
});

test('every field of a tenant is kept', async () => {
  const fields = {
    email: 'ada@example.com',
    phone: '+1 217 555 0100',
    notes: 'Has a cat.',
    external_id: 'crm-1',
  };
  expect((await post(fields)).body.data).toMatchObject(fields);
});

test('wrong values are refused by the name of their field', async () => {
  await refusesValues(post, {
    first_name: [undefined, null, '', ' ', ...wrongTexts(200)],
    last_name: [undefined, null, '', ' ', ...wrongTexts(200)],
    email: [
      'ada',
      'ada@',
      '@example.com',
      'a b@example.com',
      `${'x'.repeat(320)}@example.com`,
      ...wrongTexts(320),
    ],
    phone: wrongTexts(50),
    notes: wrongTexts(10_000),
    external_id: wrongTexts(200),
  });
  await keepsValues(post, {
    email: [
      [' ada@example.com ', 'ada@example.com'],
      ['', null],
      ['  ', null],
      [null, null],
      ["o'neil+rent@mail.example.co.uk", "o'neil+rent@mail.example.co.uk"],
    ],
    phone: [
      ['', null],
      [null, null],
    ],
  });
});

test('a change is answered with the whole tenant and has one event; without a change there is none', async () => {
  const { id } = await make.tenant(client, { email: 'ada@example.com' });
  await expectPatchRules(id, { last_name: 'Byron', email: null });
  const lease = await make.lease(client, { tenant_ids: [id] });
  const { data } = (await client.patch(`/tenants/${id}`, { notes: 'moved in' })).body;
  expect(data).toMatchObject({ notes: 'moved in', lease: { id: lease.id } });
  await refusesChanges(id, {
    first_name: [null, ''],
    email: ['x'],
  });
});

/** Leases of the same tenant, in the order in which one of them is chosen. */
const leases = {
  current: {
    start_date: day(-100),
    end_date: day(100),
    rent_cents: 100,
    rent_changes: [
      { from: day(-10), rent_cents: 150 },
      { from: day(1), rent_cents: 170 },
    ],
  },
  next: { start_date: day(10), end_date: day(20), rent_cents: 200 },
  later: { start_date: day(30), rent_cents: 300 },
  lastEnded: { start_date: day(-300), end_date: day(-101), rent_cents: 400 },
  endedBefore: { start_date: day(-900), end_date: day(-500), rent_cents: 500 },
};

test.each<[shown: keyof typeof leases, of: (keyof typeof leases)[], status: string]>([
  ['current', ['next', 'endedBefore', 'current', 'later', 'lastEnded'], 'active'],
  ['next', ['later', 'next', 'lastEnded'], 'upcoming'],
  ['lastEnded', ['lastEnded', 'endedBefore'], 'ended'],
  ['lastEnded', ['endedBefore', 'lastEnded'], 'ended'],
])('a tenant is shown with the %s lease of %j', async (shown, names, status) => {
  const tenant = await make.tenant(client);
  const made: Record<string, { id: string; unit_id: string; property_id: string }> = {};
  for (const name of names)
    made[name] = await make.lease(client, { tenant_ids: [tenant.id], ...leases[name] });
  const { data } = (await client.get(`/tenants/${tenant.id}`)).body;
  expect(data.lease_status).toBe(status);
  expect(data.lease).toEqual({
    id: made[shown]?.id,
    status,
    start_date: leases[shown].start_date,
    end_date: 'end_date' in leases[shown] ? leases[shown].end_date : null,
    rent_cents: leases[shown].rent_cents,
    current_rent_cents: shown === 'current' ? 150 : leases[shown].rent_cents,
    currency: 'USD',
  });
  expect(data.unit).toEqual({ id: made[shown]?.unit_id, name: expect.any(String) });
  expect(data.property).toEqual({ id: made[shown]?.property_id, name: 'Maple Court' });
});

test('tenants are filtered by lease status, by the property of the lease shown, and by text', async () => {
  const own = await service.client();
  const tenants: Record<string, { id: string }> = {};
  const dates: Record<string, object | null> = {
    none: null,
    upcoming: { start_date: day(1) },
    active: { start_date: day(-5) },
    notice: { start_date: day(-5), notice_given_on: day(-1) },
    ended: { start_date: day(-5), ended_on: day(-1) },
  };
  const property = await make.property(own);
  const former = await make.property(own);
  for (const [status, lease] of Object.entries(dates)) {
    const tenant = await make.tenant(own, {
      last_name: `Is_${status}`,
      phone: '555',
      email: `${status}@example.com`,
    });
    const unit = await make.unit(own, { property_id: property.id });
    if (lease) await make.lease(own, { unit_id: unit.id, tenant_ids: [tenant.id], ...lease });
    tenants[status] = tenant;
  }
  const old = await make.unit(own, { property_id: former.id });
  await make.lease(own, {
    unit_id: old.id,
    tenant_ids: [tenants.active?.id],
    start_date: day(-50),
    end_date: day(-40),
  });

  const found = async (query: string) => {
    const { headers, body } = await own.get(`/tenants?${query}&total=true`);
    const { data, count } = body;
    expect(count).toBe(data.length);
    expect(headers.get('x-total-count')).toBe(String(data.length));
    return data.map((tenant: { lease_status: string }) => tenant.lease_status).sort();
  };
  for (const status of Object.keys(dates)) expect(await found(`lease_status=${status}`)).toEqual([status]);
  expect(await found('lease_status=none,ended')).toEqual(['ended', 'none']);
  expect(await found('')).toEqual(['active', 'ended', 'none', 'notice', 'upcoming']);
  expect(await found(`property_id=${property.id}`)).toEqual(['active', 'ended', 'notice', 'upcoming']);
  expect(await found(`property_id=${property.id}&lease_status=active,none`)).toEqual(['active']);
  expect(await found(`property_id=${former.id}`)).toEqual([]);
  expect(await found(`property_id=${unknownId('prop')}`)).toEqual([]);
  expect(await found('q=is_NOT')).toEqual(['notice']);
  expect(await found('q=ada%20is_none')).toEqual(['none']);
  expect(await found('q=ended@')).toEqual(['ended']);
  expect(await found('q=555&lease_status=upcoming')).toEqual(['upcoming']);
  expectInvalid(
    await own.get('/tenants?lease_status=happy'),
    'lease_status',
    /none, upcoming, active, notice, ended/,
  );
  expectInvalid(await own.get('/tenants?property_id=1'), 'property_id');
  expectInvalid(await own.get('/tenants?q=%00'), 'q');
});

test('tenants are found by exactly their e-mail address, phone number or external_id, and by nothing like it', async () => {
  const client = await service.client();
  const other = await service.client();
  const known = { email: 'Ada.Okafor@example.com', phone: '+1 (503) 555-0142', external_id: 'T-1042' };
  const { id } = await make.tenant(client, known);
  await make.tenant(client, {
    email: 'a-ada.okafor@example.com',
    phone: '+1 503 555 01420',
    external_id: 'T-10420',
  });
  await make.tenant(other, known);
  const found = async (query: string) =>
    (await client.get(`/tenants?${query}`)).body.data.map((each: { id: string }) => each.id);
  for (const query of [
    'email=ada.okafor@EXAMPLE.com',
    'phone=1-503-555-0142',
    'external_id=T-1042',
    'external_id=T-1042&q=okafor&phone=15035550142&updated_since=2026-01-01',
  ])
    await vi.waitFor(async () => expect(await found(query)).toEqual([id]), { timeout: 60_000 });
  for (const query of ['email=ada', 'email=%25', 'phone=5550142', 'external_id=t-1042'])
    expect(await found(query)).toEqual([]);
  expectInvalid(await client.get('/tenants?phone=none'), 'phone');
  expectInvalid(await client.get('/tenants?email='), 'email');
});
