import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Person, signUp } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { startClock, turnDays } from '../../test/support/turn-days.ts';
import { parseId } from '../ids.ts';
import { Home } from './home.schema.ts';

let service: Service;
let person: Person;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  november();
});
afterAll(() => service.close());
function november() {
  service.app.now = () => new Date('2026-11-15T12:00:00.000Z');
}
beforeEach(async () => {
  person = await signUp(service);
});

async function home(): Promise<Home> {
  const { status, body } = await person.get('/home');
  expect(status).toBe(200);
  return Home.parse(body.data);
}
const setTimeZone = async (time_zone: string) =>
  expect((await person.patch('/account', { time_zone })).status).toBe(200);
const make = async (path: string, body: object): Promise<string> => {
  const answer = await person.post(path, body);
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body.data.id;
};
const lease = (unit: string, tenants: string[], more: object) =>
  make('/leases', {
    unit_id: unit,
    tenant_ids: tenants,
    start_date: '2026-01-01',
    rent_cents: 100_000,
    ...more,
  });
const unitsOf = async (property: string): Promise<string[]> => {
  const { body } = await person.get(`/units?property_id=${property}`);
  return body.data.map(({ id }: { id: string }) => id).reverse();
};

test('an empty account has zeros, twelve months and no step done', async () => {
  const { months, month, activity, ...rest } = await home();
  expect(months.map((each) => each.month)).toEqual([
    ...['2025-12', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05'],
    ...['2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'],
  ]);
  expect(month).toEqual({ month: '2026-11', expected_cents: 0, collected_cents: 0, owed_cents: 0 });
  expect(activity).toEqual([]);
  expect(rest).toEqual({
    currency: 'USD',
    other_currencies: [],
    overdue: { currency: 'USD', total_cents: 0, leases: 0, other_currencies: [] },
    occupancy: { units: 0, occupied: 0, vacant: 0, offline: 0 },
    open_repairs: { total: 0, by_priority: { low: 0, medium: 0, high: 0, emergency: 0 } },
    leases_ending: { total: 0, leases: [] },
    setup: { property: false, unit: false, tenant: false, lease: false, payment: false, complete: false },
  });
});

test('expected is collected plus owed, month by month as in the report, and overdue is what the list shows', async () => {
  const property = await make('/properties', {
    name: 'Maple',
    units: ['1', '2', '3', '4', '5'].map((name) => ({ name })),
  });
  const [one = '', two = '', three = '', four = ''] = await unitsOf(property);
  const ada = await make('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const ben = await make('/tenants', { first_name: 'Ben', last_name: 'Ito' });
  const since = (start_date: string) => ({ start_date, ledger_from: start_date });
  // 22 days of October are charged. The rest of what was paid goes to November.
  const first = await lease(one, [ada], { ...since('2026-10-10'), rent_cents: 100_000, deposit_cents: 500 });
  await make('/payments', { tenant_id: ada, lease_id: first, amount_cents: 100_000, paid_on: '2026-10-10' });
  await make('/payments', { tenant_id: ada, lease_id: first, amount_cents: 1, status: 'pending' });
  // One tenant moved out with debts, one moves in later this month, and one pays in another currency.
  await lease(two, [ben], { ...since('2026-08-01'), end_date: '2026-10-31', rent_cents: 70_000 });
  await lease(three, [ben], { ...since('2026-11-20'), rent_cents: 5_000, due_day: 28 });
  await lease(four, [ben], { ...since('2026-11-02'), rent_cents: 80_000, currency: 'EUR', due_day: 2 });

  const { month, months, other_currencies, overdue } = await home();
  const of = (expected_cents: number, collected_cents: number, owed_cents: number) => ({
    expected_cents,
    collected_cents,
    owed_cents,
  });
  expect(month).toEqual({ month: '2026-11', ...of(101_833, 29_032, 72_801) });
  expect(months.at(-1)).toEqual(month);
  expect(months.at(-2)).toEqual({ month: '2026-10', ...of(140_968, 70_968, 70_000) });
  expect(months.at(-3)).toEqual({ month: '2026-09', ...of(70_000, 0, 70_000) });
  expect(months[0]).toEqual({ month: '2025-12', ...of(0, 0, 0) });
  expect(other_currencies).toEqual([{ currency: 'EUR', ...of(77_333, 0, 77_333) }]);
  const report = await person.get('/reports/rent-collected?from=2025-12-01&to=2026-11-30');
  const dollars = report.body.data.filter(({ currency }: { currency: string }) => currency === 'USD');
  expect(months).toEqual(
    dollars.map((row: { period: string } & ReturnType<typeof of>) => ({
      month: row.period,
      ...of(row.expected_cents, row.collected_cents, row.owed_cents),
    })),
  );

  // The deposit is overdue too.
  const euros = { currency: 'EUR', total_cents: 77_333, leases: 1 };
  expect(overdue).toEqual({ currency: 'USD', total_cents: 281_468, leases: 2, other_currencies: [euros] });
  const listed: { currency: string; overdue_cents: number }[] = (await person.get('/balances?overdue=true'))
    .body.data;
  expect(listed).toHaveLength(3);
  const inDollars = listed.filter(({ currency }) => currency === 'USD');
  expect(inDollars.reduce((sum, { overdue_cents }) => sum + overdue_cents, 0)).toBe(overdue.total_cents);
});

test("the page is for today in the account's time zone", async () => {
  const property = await make('/properties', { name: 'Maple', units: [{ name: '1' }] });
  const [unit = ''] = await unitsOf(property);
  const ada = await make('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  await lease(unit, [ada], { end_date: '2027-01-31' });
  service.app.now = () => new Date('2026-12-01T10:00:00Z');
  onTestFinished(november);
  await setTimeZone('Pacific/Kiritimati');
  const { month, months, leases_ending } = await home();
  expect(month).toEqual({
    month: '2026-12',
    expected_cents: 100_000,
    collected_cents: 0,
    owed_cents: 100_000,
  });
  expect([months[0]?.month, months.length]).toEqual(['2026-01', 12]);
  expect(leases_ending.leases).toMatchObject([{ days_left: 60 }]);
  await setTimeZone('Pacific/Niue');
  expect((await home()).month.month).toBe('2026-11');
});

test('open amounts of an archived property count as in the lists; only its units are no longer for rent', async () => {
  const property = await make('/properties', { name: 'Maple', units: [{ name: '1' }] });
  const [unit = ''] = await unitsOf(property);
  const ada = await make('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  await lease(unit, [ada], { end_date: '2026-12-31' });
  await make('/maintenance', { property_id: property, title: 'Tap' });
  await make('/payments', { tenant_id: ada, amount_cents: 40_000, paid_on: '2026-11-02' });
  const ben = await make('/tenants', { first_name: 'Ben', last_name: 'Ito' });
  await make('/payments', { tenant_id: ben, amount_cents: 7, paid_on: '2026-11-02' });
  const figures = async () => {
    const { month, occupancy, open_repairs, leases_ending } = await home();
    return [
      month.expected_cents,
      month.collected_cents,
      occupancy.units,
      open_repairs.total,
      leases_ending.total,
    ];
  };
  expect(await figures()).toEqual([100_000, 40_000, 1, 1, 1]);
  await person.patch(`/properties/${property}`, { status: 'archived' });
  expect(await figures()).toEqual([100_000, 40_000, 0, 1, 1]);
  expect((await person.get('/maintenance?status=open')).body.count).toBe(1);
  expect((await person.get('/leases?status=active&ends_by=2027-01-14')).body.count).toBe(1);
  await person.patch(`/properties/${property}`, { status: 'active' });
  expect(await figures()).toEqual([100_000, 40_000, 1, 1, 1]);
});

test('units are occupied, vacant or offline; those of archived properties do not count', async () => {
  const property = await make('/properties', {
    name: 'Maple',
    units: [{ name: '1' }, { name: '2' }, { name: '3', offline: true }],
  });
  const [one = ''] = await unitsOf(property);
  const ada = await make('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  await lease(one, [ada], {});
  const old = await make('/properties', { name: 'Old', units: [{ name: '1' }] });
  await person.patch(`/properties/${old}`, { status: 'archived' });
  expect((await home()).occupancy).toEqual({ units: 3, occupied: 1, vacant: 1, offline: 1 });
});

test('open repairs are counted by priority', async () => {
  const property_id = await make('/properties', { name: 'Maple' });
  const request = (more: object) => make('/maintenance', { property_id, title: 'Tap', ...more });
  await request({ priority: 'high' });
  await request({ priority: 'high', status: 'on_hold' });
  await request({ priority: 'emergency', status: 'in_progress' });
  const done = await request({ priority: 'low' });
  await person.patch(`/maintenance/${done}`, { status: 'completed' });
  expect((await home()).open_repairs).toEqual({
    total: 3,
    by_priority: { low: 0, medium: 0, high: 2, emergency: 1 },
  });
});

test('leases that end within 60 days are listed, the nearest first', async () => {
  const property = await make('/properties', {
    name: 'Maple',
    units: ['1', '2', '3', '4', '5', '6', '7', '8'].map((name) => ({ name })),
  });
  const [one = '', two = '', three = '', four = '', five = '', six = '', seven = '', eight = ''] =
    await unitsOf(property);
  const ada = await make('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const ben = await make('/tenants', { first_name: 'Ben', last_name: 'Ito' });
  const last = await lease(one, [ada, ben], { end_date: '2027-01-14' });
  const today = await lease(two, [ben], { end_date: '2026-11-15', notice_given_on: '2026-10-01' });
  await lease(three, [ben], { end_date: '2027-01-15' });
  await lease(four, [ben], {});
  await lease(five, [ben], { end_date: '2026-11-14' });
  const leaving = await lease(six, [ben], { ended_on: '2026-11-20' });
  const leavingLast = await lease(seven, [ben], { ended_on: '2027-01-14' });
  await lease(eight, [ben], { ended_on: '2027-01-15' });

  const { leases_ending } = await home();
  expect(leases_ending.total).toBe(4);
  expect(leases_ending.leases.map(({ id, days_left }) => [id, days_left])).toEqual([
    [today, 0],
    [leaving, 5],
    [last, 60],
    [leavingLast, 60],
  ]);
  expect(leases_ending.leases[2]).toMatchObject({
    ends_on: '2027-01-14',
    rent_cents: 100_000,
    tenants: [
      { id: ada, name: 'Ada Okafor' },
      { id: ben, name: 'Ben Ito' },
    ],
    unit: { id: one, name: '1' },
    property: { id: property, name: 'Maple' },
  });
});

test('the latest activity is shown in words, newest first, and links to its record', async () => {
  const property = await make('/properties', { name: 'Maple Court', units: [{ name: '2B' }] });
  const [unit = ''] = await unitsOf(property);
  const ada = await make('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const rented = await lease(unit, [ada], {});
  const payment = await make('/payments', { tenant_id: ada, amount_cents: 125_000 });
  await person.patch(`/payments/${payment}`, { status: 'refunded' });
  const repair = await make('/maintenance', { property_id: property, unit_id: unit, title: 'Tap drips' });

  const { activity, setup } = await home();
  expect(setup.complete).toBe(true);
  expect(
    activity.filter(({ event }) => event === 'unit.updated' || event === 'tenant.updated'),
  ).toMatchObject([
    { title: 'Tenant changed', detail: 'Ada Okafor', link: { type: 'tenant', id: ada } },
    { title: 'Unit changed', detail: 'Maple Court, 2B', link: { type: 'unit', id: unit } },
  ]);
  for (const charge of activity.filter(({ event }) => event === 'charge.created'))
    expect(charge).toMatchObject({
      title: 'Charge posted',
      detail: 'Ada Okafor · Maple Court, 2B',
      currency: 'USD',
      link: { type: 'lease', id: rented },
    });
  const own = activity.filter(({ event }) => !/^charge\.|^(unit|tenant)\.updated$/.test(event));
  expect(own.map(({ title, detail, link }) => [title, detail, link.type, link.id])).toEqual([
    ['Repair requested', '#1 Tap drips · Maple Court, 2B', 'maintenance_request', repair],
    ['Payment refunded', 'Ada Okafor · Maple Court, 2B', 'payment', payment],
    ['Payment recorded', 'Ada Okafor · Maple Court, 2B', 'payment', payment],
    ['Lease made', 'Ada Okafor · Maple Court, 2B', 'lease', rented],
    ['Tenant added', 'Ada Okafor', 'tenant', ada],
    ['Unit added', 'Maple Court, 2B', 'unit', unit],
    ['Property added', 'Maple Court', 'property', property],
  ]);
  expect(own[1]).toMatchObject({ amount_cents: 125_000, currency: 'USD', event: 'payment.updated' });
  for (let count = 0; count < 12; count++) await make('/properties', { name: `P${count}` });
  expect((await home()).activity).toHaveLength(15);
});

test('charges that fall due together are one line of the activity, with their sum', async () => {
  const accountId = parseId('acct', (await person.get('/session')).body.data.account.id) ?? '';
  await startClock(service, accountId);
  const names = Array.from({ length: 20 }, (_, number) => String(number));
  const property = await make('/properties', { name: 'Maple', units: names.map((name) => ({ name })) });
  const ada = await make('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  for (const [at, unit] of (await unitsOf(property)).entries())
    await lease(unit, [ada], { currency: at === 0 ? 'EUR' : 'USD' });
  await make('/payments', { tenant_id: ada, amount_cents: 1, paid_on: '2026-11-15' });
  service.app.now = () => new Date('2026-12-01T12:00:00Z');
  onTestFinished(november);
  await turnDays(service, accountId);
  await make('/properties', { name: 'Oak' });
  const { activity } = await home();
  expect(activity).toHaveLength(15);
  expect(activity.slice(0, 7).map(({ title, count, currency }) => [title, count, currency])).toEqual([
    ['Property added', 1, null],
    ['19 charges due', 19, 'USD'],
    ['Charge due', 1, 'EUR'],
    ['19 charges posted', 19, 'USD'],
    ['Charge posted', 1, 'EUR'],
    ['19 charges overdue', 19, 'USD'],
    ['Charge overdue', 1, 'EUR'],
  ]);
  expect(activity[1]).toMatchObject({
    amount_cents: 1_900_000,
    detail: null,
    link: { type: 'charge', id: null },
  });
  expect(activity[2]?.link).toEqual({ type: 'lease', id: expect.stringMatching(/^lease_/) });
});
