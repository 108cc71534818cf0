import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp, signUpAs } from '../../test/support/browser.ts';
import { expectError, expectInvalid, keepsValues, refusesValues } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { keyScopes } from '../api-keys/api-keys.schema.ts';
import { days, startOfDay, todayIn } from '../clock.ts';
import { sql } from '../db/sql.ts';
import { formatId, parseId } from '../ids.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  client = await service.client();
});
afterAll(() => service.close());

const policy = {
  grace_days: 3,
  first: { fixed_cents: 5_000 },
  daily: { percent_of_open: 1.5 },
  cap_cents: 20_000,
  min_open_cents: 1_000,
};
const change = (fields: object) => client.patch('/account', fields);
const accountOf = async (person: Person): Promise<string> =>
  parseId('acct', (await person.get('/session')).body.data.account.id) ?? '';
const clockOf = async (accountId: string) => {
  const [row] = await service.database.db.query<{ through: string; next: Date }>(sql`
    select through_day::text as through, next_turn_at as next from account_clocks where account_id = ${accountId}`);
  return row;
};

test('an account has a time zone and rules for its rent from the start', async () => {
  const other = await service.client();
  const { status, body } = await other.get('/account');
  expect(status).toBe(200);
  expect(body.data).toEqual({
    id: formatId('acct', other.accountId),
    name: 'Test',
    currency: 'USD',
    time_zone: 'UTC',
    post_days_before_due: 5,
    late_fees: null,
    lease_expiring_days: [90, 60, 30],
    created_at: expect.any(String),
    updated_at: expect.any(String),
    key: expect.objectContaining({ mode: 'live', permission: 'write' }),
  });
});

test('a program can find out what its key may do', async () => {
  const expiresAt = new Date(Date.now() + days(30));
  const limits = { accountId: client.accountId, permission: 'read', name: 'Reports', expiresAt } as const;
  const limited = await service.client({ ...limits, scopes: ['account', 'payments'] });
  const { key } = (await limited.get('/account')).body.data;
  expect(key).toEqual({
    id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
    name: 'Reports',
    mode: 'live',
    permission: 'read',
    scopes: ['payments', 'account'],
    expires_at: expiresAt.toISOString(),
  });

  const whole = await service.client({ accountId: client.accountId, scopes: null });
  const answer = await whole.patch('/account', { post_days_before_due: 4 });
  expect(answer.body.data.key).toMatchObject({ permission: 'write', expires_at: null });
  // It lacks the scopes that only an owner can give by name, and the one that exists only in test mode.
  const others = keyScopes.filter((scope) => scope !== 'audit-log' && scope !== 'test');
  expect(answer.body.data.key.scopes).toEqual(others);

  const person = await signUp(service);
  expect((await person.get('/account')).body.data.key).toBeNull();
});

test('each setting is changed and kept, and a change that changes nothing leaves no trace', async () => {
  await keepsValues(change, {
    name: [['  Casa Verde ', 'Casa Verde']],
    currency: [['eur', 'EUR']],
    time_zone: [
      ['Asia/Kolkata', 'Asia/Kolkata'],
      ['europe/berlin', 'Europe/Berlin'],
      [' America/New_York ', 'America/New_York'],
      ['utc', 'UTC'],
      ['Etc/GMT+5', 'Etc/GMT+5'],
    ],
    post_days_before_due: [
      [0, 0],
      [60, 60],
    ],
    late_fees: [
      [policy, policy],
      [
        { grace_days: 0, first: { percent_of_rent: 5 } },
        { grace_days: 0, first: { percent_of_rent: 5 }, daily: null, cap_cents: null, min_open_cents: 0 },
      ],
      [null, null],
    ],
    lease_expiring_days: [
      [
        [1, 730, 30],
        [730, 30, 1],
      ],
    ],
  });
  const before = (await client.get('/account')).text;
  expect((await change({ lease_expiring_days: [730, 1, 30], currency: 'EUR', late_fees: null })).text).toBe(
    before,
  );
  expect((await client.get('/account')).text).toBe(before);
});

test('wrong settings are refused by the name of their field', async () => {
  await refusesValues(change, {
    name: ['', 5, null, 'x'.repeat(201)],
    currency: ['XXY', null],
    time_zone: ['', 'Mars/Olympus', '+05:30', 'GMT+1', 5, null, 'x'.repeat(200)],
    post_days_before_due: [-1, 61, 1.5, '5', null],
    late_fees: ['none', 'inherit', {}, [], { ...policy, grace_days: 61 }, { ...policy, first: {} }],
    lease_expiring_days: [[], [0], [731], [30, 30], [1.5], 30, null, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
  });
  expect((await change({})).status).toBe(400);
  const both = { percent_of_rent: 1, fixed_cents: 1 };
  expectInvalid(await change({ late_fees: { ...policy, daily: both } }), 'late_fees');
  for (const percent_of_rent of [0, 100.01, 0.001, 5.0000001, 1e-7])
    expectInvalid(await change({ late_fees: { ...policy, daily: { percent_of_rent } } }), 'late_fees');
  expectInvalid(await change({ late_fees: 'none' }), 'late_fees', /^Must be a policy/);
});

test('a key that may read sees the settings, and only one that may write changes them', async () => {
  const reader = await service.client({ accountId: client.accountId, permission: 'read' });
  expect((await reader.get('/account')).status).toBe(200);
  expectError(await reader.patch('/account', { name: 'Mine' }), 403, 'Forbidden');
});

test('in the dashboard every member sees the settings, and only owners change them', async () => {
  const owner = await signUp(service);
  expect((await owner.patch('/account', { post_days_before_due: 7 })).status).toBe(200);
  for (const role of ['manager', 'viewer'] as const) {
    const member = await signUpAs(service, owner, role);
    expect((await member.get('/account')).body.data.post_days_before_due).toBe(7);
    expectError(await member.patch('/account', { post_days_before_due: 8 }), 403, 'Forbidden');
  }
});

test('a new time zone and currency apply to the very next request of the same key', async () => {
  const other = await service.client();
  const tenant = await other.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const tenant_id = tenant.body.data.id;
  for (const [time_zone, currency] of [
    ['Pacific/Kiritimati', 'AUD'],
    ['Pacific/Niue', 'NZD'],
  ] as const) {
    expect((await other.patch('/account', { time_zone, currency })).status).toBe(200);
    const { data } = (await other.post('/payments', { tenant_id, amount_cents: 1 })).body;
    expect(data).toMatchObject({ currency, paid_on: todayIn(time_zone, new Date()) });
  }
});

test("a new account has the browser's time zone, and its next day begins when it does there", async () => {
  const person = await signUp(service, { time_zone: 'Pacific/Kiritimati' });
  expect((await person.get('/session')).body.data.account.time_zone).toBe('Pacific/Kiritimati');
  expect((await person.get('/account')).body.data.time_zone).toBe('Pacific/Kiritimati');
  const first = await clockOf(await accountOf(person));
  const today = todayIn('Pacific/Kiritimati', new Date());
  expect(first?.through).toBe(today);
  expect(first?.next.getTime()).toBe(startOfDay(today, 'Pacific/Kiritimati').getTime() + days(1));

  await person.post('/accounts', { name: 'Second', time_zone: 'Asia/Tokyo' });
  expect((await person.get('/account')).body.data.time_zone).toBe('Asia/Tokyo');
  expect(await clockOf(await accountOf(person))).toBeDefined();
});

test('nobody is turned away because of a time zone that is not known here', async () => {
  for (const time_zone of ['Mars/Olympus', 5, null, undefined]) {
    const person = await signUp(service, { time_zone });
    expect((await person.get('/account')).body.data.time_zone).toBe('UTC');
  }
});

test('in another time zone the next day begins at another time, and no day comes again', async () => {
  const other = await service.client();
  const through = async (day: string) =>
    service.database.db.query(
      sql`update account_clocks set through_day = ${day} where account_id = ${other.accountId}`,
    );
  await through('2026-11-17');
  for (const time_zone of ['Pacific/Kiritimati', 'Pacific/Niue', 'Asia/Kolkata']) {
    await other.patch('/account', { time_zone });
    expect(await clockOf(other.accountId)).toEqual({
      through: '2026-11-17',
      next: startOfDay('2026-11-18', time_zone),
    });
  }
});
