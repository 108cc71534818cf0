import { expect, test } from 'vitest';
import { importAll } from '../../test/support/csv.ts';
import { countLockWaits } from '../../test/support/database.ts';
import { nounTests } from '../../test/support/noun.ts';
import { until } from '../../test/support/process.ts';
import {
  day,
  eventsOf,
  eventsOfNoun,
  expectError,
  expectInvalid,
  expectSameBytes,
  type Fields,
  keepsValues,
  make,
  refusesValues,
  unknownId,
  wrongCents,
  wrongDates,
} from '../../test/support/records.ts';
import { parseId } from '../ids.ts';

const {
  client,
  eventNames,
  eventsDuring,
  expectCreated,
  expectPatchRules,
  ids: leaseIds,
  service,
} = await nounTests('/leases', 'lease', 'lease');
const tenantId = (await make.tenant(client)).id;

const terms = { tenant_ids: [tenantId], start_date: '2026-01-01', rent_cents: 125_000 };
/** Makes a lease, on a unit of its own where none is given, so that nothing overlaps. */
const post = async (fields: object) =>
  client.post('/leases', {
    ...('unit_id' in fields ? {} : { unit_id: (await make.unit(client)).id }),
    ...terms,
    ...fields,
  });

test('a lease needs a unit, tenants, a start and a rent', async () => {
  const unit = await make.unit(client);
  await expectCreated(
    { unit_id: unit.id, ...terms },
    {
      unit_id: unit.id,
      property_id: unit.property_id,
      tenant_ids: [tenantId],
      start_date: '2026-01-01',
      end_date: null,
      rent_cents: 125_000,
      rent: '1250.00',
      current_rent_cents: 125_000,
      current_rent: '1250.00',
      deposit_cents: null,
      deposit: null,
      currency: 'USD',
      due_day: 1,
      notice_given_on: null,
      ended_on: null,
      status: 'active',
      rent_changes: [],
      proration: 'actual_days',
      ledger_from: `${day(0).slice(0, 7)}-01`,
      opening_balance_cents: 0,
      opening_balance: '0.00',
      late_fees: 'inherit',
      external_id: null,
    },
  );
});

test('every field of a lease is kept, tenants in their order', async () => {
  const others = [await make.tenant(client), await make.tenant(client)];
  const fields = {
    tenant_ids: [others[1].id, tenantId, others[0].id],
    start_date: '2025-02-28',
    end_date: '2026-02-28',
    rent_cents: 99_999,
    deposit_cents: 1,
    currency: 'EUR',
    due_day: 28,
    notice_given_on: '2025-12-01',
    ended_on: '2026-01-31',
  };
  const { body } = await post(fields);
  expect(body.data).toMatchObject({ ...fields, rent: '999.99', deposit: '0.01', status: 'ended' });
});

test('wrong values are refused by the name of their field', async () => {
  const strangers = Array.from({ length: 21 }, (_, n) => `ten_${n.toString(16).padStart(32, '0')}`);
  await refusesValues(post, {
    unit_id: [undefined, null, '', 7, 'unit_1', tenantId, unknownId('unit')],
    tenant_ids: [
      undefined,
      null,
      [],
      tenantId,
      ['x'],
      [null],
      [unknownId('ten')],
      [tenantId, unknownId('ten')],
      [tenantId, tenantId],
      strangers,
    ],
    start_date: [undefined, null, '', ...wrongDates],
    end_date: ['2025-12-31', ...wrongDates],
    ended_on: ['2025-12-31', ...wrongDates],
    notice_given_on: wrongDates,
    rent_cents: [undefined, null, ...wrongCents],
    deposit_cents: wrongCents,
    currency: ['usd dollars', 'XQZ', '', 3, null],
    due_day: [0, 29, 1.5, '1', null],
  });
  await keepsValues(post, {
    currency: [[' eur ', 'EUR']],
    end_date: [
      ['2026-01-01', '2026-01-01'],
      ['', null],
    ],
    ended_on: [
      ['2026-01-01', '2026-01-01'],
      ['', null],
    ],
    notice_given_on: [[' ', null]],
    due_day: [[28, 28]],
  });
});

test('decimals follow the currency', async () => {
  for (const [currency, rent] of [
    ['JPY', '125000'],
    ['KWD', '125.000'],
    ['CLF', '12.5000'],
    ['EUR', '1250.00'],
  ]) {
    expect((await post({ currency })).body.data).toMatchObject({ currency, rent });
  }
});

test.each<[status: string, dates: object]>([
  ['upcoming', { start_date: day(1) }],
  ['upcoming', { start_date: day(1), notice_given_on: day(-1) }],
  ['active', { start_date: day(0) }],
  ['active', { start_date: day(-400), end_date: day(0) }],
  ['ended', { start_date: day(-400), end_date: day(-1) }],
  ['notice', { start_date: day(-400), notice_given_on: day(0) }],
  ['active', { start_date: day(-400), notice_given_on: day(1) }],
  ['ended', { start_date: day(-400), notice_given_on: day(-9), end_date: day(-1) }],
  ['ended', { start_date: day(-400), ended_on: day(0) }],
  ['active', { start_date: day(-400), ended_on: day(1) }],
  ['active', { start_date: day(-400), end_date: day(-10), ended_on: day(1) }],
  ['ended', { start_date: day(-400), end_date: day(10), ended_on: day(-1) }],
  ['ended', { start_date: day(5), ended_on: day(5) }],
])('a lease is %s with %j', async (status, dates) => {
  const { body } = await post(dates);
  expect(body.data.status).toBe(status);
  const { data } = (await client.get(`/leases?status=${status}&unit_id=${body.data.unit_id}`)).body;
  expect(data).toEqual([body.data]);
  const others = ['upcoming', 'active', 'notice', 'ended'].filter((other) => other !== status).join(',');
  expect((await client.get(`/leases?status=${others}&unit_id=${body.data.unit_id}`)).body.count).toBe(0);
});

const taken = { start_date: '2026-03-01', end_date: '2026-03-31' };
test.each<[free: boolean, dates: object]>([
  [false, { start_date: '2026-03-31' }],
  [false, { start_date: '2026-01-01' }],
  [false, { start_date: '2026-01-01', end_date: '2026-03-01' }],
  [false, { start_date: '2026-03-10', end_date: '2026-03-10' }],
  [false, { start_date: '2026-01-01', end_date: '2027-01-01' }],
  [false, { start_date: '2026-01-01', end_date: '2026-02-01', ended_on: '2026-03-02' }],
  [true, { start_date: '2026-01-01', end_date: '2026-02-28' }],
  [true, { start_date: '2026-04-01' }],
  [true, { start_date: '2026-01-01', end_date: '2026-12-31', ended_on: '2026-03-01' }],
  [true, { start_date: '2026-03-10', ended_on: '2026-03-10' }],
])('beside a lease of March, free is %s for %j', async (free, dates) => {
  const unit = await make.unit(client);
  await make.lease(client, { unit_id: unit.id, ...taken });
  const events = await eventsDuring(async () => {
    const answer = await post({ unit_id: unit.id, ...dates });
    if (free) expect(answer.status, answer.text).toBe(201);
    else expectError(answer, 409, /already has a lease during this time/);
  });
  if (!free) expect(events).toEqual([]);
});

// Without the lock on the unit, these sometimes deadlock: seconds of waiting, then 503.
test('of twenty leases requested at once for a unit, one is made', async () => {
  for (let round = 0; round < 5; round++) {
    const unit = await make.unit(client);
    const events = await eventsDuring(async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          post({ unit_id: unit.id, start_date: day(n % 3), rent_cents: n + 1 }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    });
    expect((await client.get(`/leases?unit_id=${unit.id}`)).body.count).toBe(1);
    expect(events.filter(({ event }) => event === 'lease.created')).toHaveLength(1);
  }
});

test('a change that would overlap is refused and changes nothing', async () => {
  const unit = await make.unit(client);
  const early = await make.lease(client, {
    unit_id: unit.id,
    start_date: '2026-01-01',
    end_date: '2026-02-28',
  });
  await make.lease(client, { unit_id: unit.id, start_date: '2026-03-01' });
  const { text } = await client.get(`/leases/${early.id}`);
  const other = await make.tenant(client);
  const events = await eventsDuring(async () => {
    for (const change of [
      { end_date: '2026-03-01' },
      { end_date: null },
      { ended_on: '2026-03-02', tenant_ids: [other.id] },
    ])
      expectError(await client.patch(`/leases/${early.id}`, change), 409, /already has a lease/);
    for (const [field, change] of [
      ['end_date', { end_date: '2025-12-31' }],
      ['end_date', { start_date: '2026-03-01' }],
      ['ended_on', { ended_on: '2025-12-31' }],
      ['tenant_ids', { tenant_ids: [unknownId('ten')] }],
      ['tenant_ids', { tenant_ids: [] }],
      ['rent_cents', { rent_cents: null }],
    ] as const)
      expectInvalid(await client.patch(`/leases/${early.id}`, change), field);
    // The answer says what is wrong with the body before it says whether there is such a lease.
    for (const field of ['end_date', 'ended_on'])
      expectInvalid(
        await client.patch(`/leases/${unknownId('lease')}`, {
          start_date: '2026-05-02',
          [field]: '2026-05-01',
        }),
        field,
      );
  });
  expect(events).toEqual([]);
  expect((await client.get(`/leases/${early.id}`)).text).toBe(text);
});

test('a change is answered with the whole lease and has one event; without a change there is none', async () => {
  const { id } = await make.lease(client, { start_date: day(-50), end_date: day(300), deposit_cents: 5 });
  const other = await make.tenant(client);
  const path = `/leases/${id}`;
  await expectPatchRules(id, {
    rent_cents: 130_000,
    rent: '1300.00',
    current_rent_cents: 130_000,
    current_rent: '1300.00',
    end_date: null,
  });
  await expectPatchRules(id, { tenant_ids: [other.id, tenantId], deposit_cents: null, deposit: null });
  await expectPatchRules(id, { notice_given_on: day(-1), status: 'notice' });
  const { unit_id } = (await client.get(path)).body.data;
  const elsewhere = await make.unit(client);
  const { data } = (await client.patch(path, { unit_id: elsewhere.id, due_day: 5 })).body;
  expect(data).toMatchObject({ unit_id, due_day: 5 });
});

test('of two simultaneous changes of the tenants, the second counts, even if it restores the earlier ones', async () => {
  const [{ id: other }, lease] = [await make.tenant(client), (await post({})).body.data];
  const first = await service.app.db.connect();
  await first.query('begin');
  const own = [client.accountId, parseId('lease', lease.id)];
  await first.query('select from leases where account_id = $1 and id = $2 for no key update', own);
  await first.query('update lease_tenants set tenant_id = $3 where account_id = $1 and lease_id = $2', [
    ...own,
    parseId('ten', other),
  ]);
  const second = client.patch(`/leases/${lease.id}`, { tenant_ids: [tenantId] });
  await until(async () => (await countLockWaits(service.app.db)) === 1);
  await first.query('commit');
  first.release();
  expect((await second).body.data.tenant_ids).toEqual([tenantId]);
  expect((await client.get(`/leases/${lease.id}`)).body.data.tenant_ids).toEqual([tenantId]);
});

test('setting the end of a lease makes the events lease.updated and lease.ended', async () => {
  const lease = await make.lease(client, { start_date: day(-50) });
  const names = (change: object) => eventNames(() => client.patch(`/leases/${lease.id}`, change));
  const told = await eventsDuring(() => client.patch(`/leases/${lease.id}`, { ended_on: day(-1) }));
  const events = eventsOfNoun('lease', told);
  expect(events.map(({ event }) => event)).toEqual(['lease.updated', 'lease.ended']);
  for (const event of events) await expectSameBytes(client, event, `/leases/${lease.id}`);
  expect((await client.get(`/leases/${lease.id}`)).body.data.status).toBe('ended');

  expect(await names({ ended_on: day(-1) })).toEqual([]);
  expect(await names({ due_day: 2 })).toEqual(['lease.updated']);
  expect(await names({ ended_on: day(5) })).toEqual(['lease.updated', 'lease.ended']);
  expect(await names({ ended_on: null })).toEqual(['lease.updated']);
  expect((await client.get(`/leases/${lease.id}`)).body.data.status).toBe('active');
  const created = await eventNames(() => post({ ended_on: '2026-02-01' }));
  expect(created.slice(-2)).toEqual(['lease.created', 'lease.ended']);
});

test('a lease that turns out to begin earlier is charged from there, and no year before it was recorded', async () => {
  const charged = async (id: string) =>
    (await client.get(`/charges?lease_id=${id}&status=upcoming,open`)).body.data.map(
      ({ kind, due_on }: Fields) => `${kind} ${due_on}`,
    );
  const { id, ledger_from } = (await post({ start_date: day(20), deposit_cents: 90_000 })).body.data;
  expect([ledger_from, await charged(id)]).toEqual([day(20), []]);
  const earlier = await client.patch(`/leases/${id}`, { start_date: day(3) });
  expect(earlier.body.data.ledger_from).toBe(day(3));
  expect((await charged(id)).sort()).toEqual([`deposit ${day(3)}`, `rent ${day(3)}`]);
  const old = await client.patch(`/leases/${id}`, { start_date: '2020-01-01' });
  expect(old.body.data.ledger_from).toBe(`${day(0).slice(0, 7)}-01`);
  const said = await client.patch(`/leases/${id}`, { start_date: '2019-01-01', ledger_from: '2019-01-01' });
  expect(said.body.data.ledger_from).toBe('2019-01-01');
});

test('a lease that was to be charged for its whole term still is if it turns out to begin earlier', async () => {
  const whole = { start_date: '2025-10-10', ledger_from: '2025-10-10', ended_on: '2025-11-15' };
  const { id } = (await post(whole)).body.data;
  const earlier = await client.patch(`/leases/${id}`, { start_date: '2025-09-20' });
  expect(earlier.body.data.ledger_from).toBe('2025-09-20');
  const { body } = await client.get(`/charges?lease_id=${id}&status=open`);
  const dueDays = body.data.map(({ due_on }: Fields) => due_on).sort();
  expect(dueDays).toEqual(['2025-09-20', '2025-10-01', '2025-11-01']);
  // What was owed on the day on which the ledger begins was entered for that day.
  await client.patch(`/leases/${id}`, { opening_balance_cents: 5_000 });
  const { ledger_from } = (await client.patch(`/leases/${id}`, { start_date: '2025-09-01' })).body.data;
  expect(ledger_from).toBe('2025-09-20');
});

test('a first day that is moved later and then far back brings no debts of the years between', async () => {
  const { id } = (await post({ start_date: day(20) })).body.data;
  await client.patch(`/leases/${id}`, { start_date: day(30) });
  const { ledger_from } = (await client.patch(`/leases/${id}`, { start_date: '2023-11-15' })).body.data;
  expect(ledger_from).toBe(`${day(0).slice(0, 7)}-01`);
});

test('a day on which the ledger begins that is sent stays, even if it is the same as before', async () => {
  const unit_id = (await make.unit(client)).id;
  const sent = { ...terms, unit_id, ledger_from: day(3) };
  const put = async (start_date: string) => {
    const answer = await client.put('/leases/by-external-id/begin-1', { ...sent, start_date });
    return [answer.status, answer.body.data.ledger_from];
  };
  expect(await put(day(3))).toEqual([201, day(3)]);
  expect(await put('2026-01-15')).toEqual([200, day(3)]);
  const events = await eventsDuring(async () => expect(await put('2026-01-15')).toEqual([200, day(3)]));
  expect(events).toEqual([]);

  const leases = `Lease ID,Unit ID,Tenant ID,Start,Rent,Ledger Start
begin-1,${unit_id},${tenantId},2026-01-10,1250.00,${day(3)}\n`;
  for (const counted of [{ update: 1 }, { update: 0, unchanged: 1 }]) {
    expect((await importAll(service, client, { leases })).files).toMatchObject([counted]);
    const { body } = await client.get('/leases/by-external-id/begin-1');
    expect([body.data.start_date, body.data.ledger_from]).toEqual(['2026-01-10', day(3)]);
  }
});

test('a ledger that begins later than its lease stays so when the lease begins earlier', async () => {
  const { id } = (await post({ start_date: day(3), ledger_from: day(40) })).body.data;
  const earlier = await client.patch(`/leases/${id}`, { start_date: day(1) });
  expect(earlier.body.data.ledger_from).toBe(day(40));
});

test('a renewal that does not fit is refused at the field that was sent, in the preview and when it is done', async () => {
  const { id } = (await post({ start_date: '2026-01-01', end_date: '2026-12-31' })).body.data;
  const terms = { end_date: '2027-12-31', rent_cents: 130_000, from: '2026-01-01' };
  expectInvalid(await client.post(`/leases/${id}/renew`, terms), 'from');
  const tried = new URLSearchParams({ ...terms, rent_cents: '130000' });
  expectInvalid(await client.get(`/leases/${id}/renew?${tried}`), 'from');
  const { body } = await client.post(`/leases/${id}/renew`, { end_date: '2026-11-30' });
  expect(body.error.message.fieldErrors).toEqual({ end_date: [expect.stringContaining('2027-01-01')] });
});

test('a renewal never shortens a lease, nor begins before it', async () => {
  const { id } = (await post({ start_date: '2025-12-15', end_date: '2026-11-14' })).body.data;
  const renew = (terms: object) => client.post(`/leases/${id}/renew`, terms);
  expectInvalid(await renew({ end_date: '2026-11-13', from: '2025-12-20' }), 'end_date', /before 2026-11-14/);
  expectInvalid(
    await client.get(`/leases/${id}/renew?end_date=2026-01-31&from=2025-12-20`),
    'end_date',
    /before 2026-11-14/,
  );
  expectInvalid(await renew({ end_date: '2027-11-14', from: '2025-12-15' }), 'from');
  expect((await client.get(`/leases/${id}`)).body.data.end_date).toBe('2026-11-14');
});

test('a renewal or an end that would overlap with the next lease is refused in the preview too', async () => {
  const { id, unit_id } = (await post({ start_date: '2026-01-01', end_date: '2026-06-30' })).body.data;
  await post({ unit_id, start_date: '2026-08-01' });
  const message = /already has a lease/;
  expectError(await client.get(`/leases/${id}/renew?end_date=2026-12-31`), 409, message);
  expectError(await client.post(`/leases/${id}/renew`, { end_date: '2026-12-31' }), 409, message);
  expect((await client.get(`/leases/${id}/renew?end_date=2026-07-31`)).status).toBe(200);
  expectError(await client.get(`/leases/${id}/end?ended_on=2026-08-02`), 409, message);
  expectError(await client.patch(`/leases/${id}`, { ended_on: '2026-08-02' }), 409, message);
  expect((await client.get(`/leases/${id}/end?ended_on=2026-08-01`)).status).toBe(200);
  const early = '/renew?from=2020-01-01&end_date=2020-02-01';
  expectInvalid(await client.get(`/leases/${id}${early}`), 'end_date');
});

test('leases are filtered by when they end, as agreed or in fact', async () => {
  const own = await service.client();
  await make.lease(own);
  const agreed = await make.lease(own, { end_date: '2027-03-31' });
  const early = await make.lease(own, { end_date: '2028-03-31', ended_on: '2027-02-01' });
  const ids = (query: string) => leaseIds(query, own);
  expect(await ids('ends_by=2027-03-31')).toEqual([early.id, agreed.id]);
  expect(await ids('ends_by=2027-03-30')).toEqual([early.id]);
  expect(await ids('ends_by=2027-01-31')).toEqual([]);
  expectInvalid(await own.get('/leases?ends_by=soon'), 'ends_by');
});

test('leases are filtered by property, unit and tenant', async () => {
  const own = await service.client();
  const lease = await make.lease(own);
  const second = await make.lease(own, { tenant_ids: [lease.tenant_ids[0], (await make.tenant(own)).id] });
  const ids = (query: string) => leaseIds(query, own);
  expect(await ids('')).toEqual([second.id, lease.id]);
  expect(await ids(`property_id=${lease.property_id}`)).toEqual([lease.id]);
  expect(await ids(`unit_id=${second.unit_id}`)).toEqual([second.id]);
  expect(await ids(`tenant_id=${lease.tenant_ids[0]}`)).toEqual([second.id, lease.id]);
  expect(await ids(`tenant_id=${second.tenant_ids[1]}&status=active`)).toEqual([second.id]);
  expect(await ids(`tenant_id=${lease.tenant_ids[0]}&property_id=${lease.property_id}`)).toEqual([lease.id]);
  for (const [field, prefix] of [
    ['property_id', 'prop'],
    ['unit_id', 'unit'],
    ['tenant_id', 'ten'],
  ] as const) {
    expect(await ids(`${field}=${unknownId(prefix)}`)).toEqual([]);
    expectInvalid(await own.get(`/leases?${field}=${prefix}_1`), field);
    expectInvalid(
      await own.get(`/leases?${field}=${unknownId(prefix)}&${field}=${unknownId(prefix)}`),
      field,
    );
  }
  expectInvalid(await own.get('/leases?status=active,over'), 'status', /upcoming, active, notice, ended/);
});

test('writing a lease makes events for its unit and tenants if these change', async () => {
  const own = await service.client();
  const unit = await make.unit(own);
  const [ada, ben] = [await make.tenant(own), await make.tenant(own)];
  const told = async (work: () => Promise<unknown>) =>
    (await eventsDuring(work, own))
      .filter(({ event }) => /^(lease|unit|tenant)\./.test(event))
      .map(({ event, body }) => [event, Object.values<{ id: string }>(JSON.parse(body).data)[0]?.id]);
  const terms = { unit_id: unit.id, tenant_ids: [ada.id], start_date: day(-40), rent_cents: 100_000 };
  let id = '';
  const made = await told(async () => {
    id = (await own.post('/leases', terms)).body.data.id;
  });
  expect(made).toEqual([
    ['lease.created', id],
    ['unit.updated', unit.id],
    ['tenant.updated', ada.id],
  ]);
  const change = (fields: object) => told(() => own.patch(`/leases/${id}`, fields));
  expect(await change({ due_day: 3 })).toEqual([['lease.updated', id]]);
  expect(await change({ rent_cents: 110_000 })).toEqual([
    ['lease.updated', id],
    ['tenant.updated', ada.id],
  ]);
  expect(await change({ tenant_ids: [ada.id, ben.id] })).toEqual([
    ['lease.updated', id],
    ['tenant.updated', ben.id],
  ]);
  expect(await change({ notice_given_on: day(0) })).toEqual([
    ['lease.updated', id],
    ['unit.updated', unit.id],
    ['tenant.updated', ada.id],
    ['tenant.updated', ben.id],
  ]);
  expect(await change({ notice_given_on: day(0) })).toEqual([]);
  expect(await change({ tenant_ids: [ben.id] })).toEqual([
    ['lease.updated', id],
    ['tenant.updated', ada.id],
  ]);
  expect((await own.get(`/tenants/${ada.id}`)).body.data).toMatchObject({ lease_status: 'none', unit: null });
  const later = (await own.get(`/units/${unit.id}`)).body.data;
  expect(later.updated_at > unit.updated_at).toBe(true);
  // A lease that begins later does not show at the unit.
  expect(await change({ ended_on: day(2) })).toEqual([
    ['lease.updated', id],
    ['lease.ended', id],
  ]);
  const next = await told(() => own.post('/leases', { ...terms, start_date: day(2) }));
  expect(next.map(([event]) => event)).toEqual(['lease.created', 'tenant.updated']);
  expect((await own.get(`/units/${unit.id}`)).body.data).toEqual(later);
  const events = await eventsDuring(() => own.patch(`/leases/${id}`, { ended_on: day(0) }), own);
  await expectSameBytes(
    own,
    events.find(({ event }) => event === 'unit.updated'),
    `/units/${unit.id}`,
  );
  await expectSameBytes(
    own,
    events.find(({ event }) => event === 'tenant.updated'),
    `/tenants/${ben.id}`,
  );
});

test('a lease made on its first day, or on a reminder day, has that event at once', async () => {
  const own = await service.client();
  const told = async (fields: Fields) =>
    (await eventsDuring(() => make.lease(own, fields), own))
      .map(({ event }) => event)
      .filter((event) => /^lease\./.test(event));
  expect(await told({ start_date: day(0) })).toEqual(['lease.created', 'lease.started']);
  expect(await told({ start_date: day(-1) })).toEqual(['lease.created']);
  expect(await told({ start_date: day(1) })).toEqual(['lease.created']);
  expect(await told({ start_date: day(0), ended_on: day(0) })).toEqual(['lease.created', 'lease.ended']);
  expect(await told({ start_date: day(-5), end_date: day(60) })).toEqual(['lease.created', 'lease.expiring']);
  expect(await told({ start_date: day(-5), end_date: day(61) })).toEqual(['lease.created']);
  expect(await told({ start_date: day(-5), end_date: day(60), notice_given_on: day(-1) })).toEqual([
    'lease.created',
  ]);
});

test('two leases of a tenant made at the same time both have true events', async () => {
  const own = await service.client();
  const tenant = await make.tenant(own);
  for (let round = 0; round < 5; round++) {
    const units = await Promise.all(Array.from({ length: 6 }, () => make.unit(own)));
    await Promise.all(
      units.map(({ id }, n) =>
        own.post('/leases', {
          unit_id: id,
          tenant_ids: [tenant.id],
          start_date: day(-n - 6 * round),
          rent_cents: 1,
        }),
      ),
    );
    const events = (await eventsOf(service, own)).filter(({ event }) => event === 'tenant.updated');
    await expectSameBytes(own, events.at(-1), `/tenants/${tenant.id}`);
  }
});
