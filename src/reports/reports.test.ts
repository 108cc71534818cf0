import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scheduledCharges } from '../../test/support/ledger-model.ts';
import {
  monthsBetween,
  nextDay,
  plainRentCollected,
  plainRentRoll,
  type Records,
} from '../../test/support/plain-reports.ts';
import { expectInvalid, make, unknownId } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { thorough } from '../../test/support/thorough.ts';
import { operator } from '../caller.ts';
import { fillWithDemo } from '../demo/demo.ts';
import { createDice } from '../demo/dice.ts';
import { decimalsOf } from '../money.ts';
import { AgingRow, RentCollectedRow, RentRollRow } from './reports.schema.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
  service.app.now = () => new Date('2026-11-15T12:00:00Z');
});
afterAll(() => service.close());

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Row = any;

async function report(client: Client, path: string): Promise<Row[]> {
  const { status, text, body } = await client.get(`/reports/${path}`);
  expect(status, text).toBe(200);
  expect(Object.keys(body)).toEqual(['data', 'count']);
  expect(body.count).toBe(body.data.length);
  return body.data;
}

/** Reads all records of the account, page after page. */
async function everything(client: Client): Promise<Records> {
  const names = ['properties', 'units', 'tenants', 'leases', 'payments', 'charges', 'credits'] as const;
  const lists = await Promise.all(
    names.map(async (name) => {
      const rows: unknown[] = [];
      let next: string | undefined = `/${name}`;
      while (next) {
        const answer = await client.get(next);
        rows.push(...answer.body.data);
        next = /<[^>]*\/api\/v1([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      return [name, rows];
    }),
  );
  return Object.fromEntries(lists) as unknown as Records;
}

/** The amount as a decimal string, without the arithmetic that SQL does. */
function decimal(cents: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(cents)).padStart(decimals + 1, '0');
  const point = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return cents < 0 ? `-${point}` : point;
}

async function expectRollAsPlain(client: Client, records: Records, day: string): Promise<void> {
  const rows = await report(client, `rent-roll?as_of=${day}`);
  const withoutDecimals = rows.map(({ rent, paid_this_month, balance, owed, credit, ...row }) => {
    RentRollRow.parse({ ...row, rent, paid_this_month, balance, owed, credit });
    expect(owed).toBe(decimal(row.owed_cents, row.currency));
    expect(credit).toBe(decimal(row.credit_cents, row.currency));
    expect(rent).toBe(row.rent_cents === null ? null : decimal(row.rent_cents, row.currency));
    expect(paid_this_month).toBe(decimal(row.paid_this_month_cents, row.currency));
    expect(balance).toBe(decimal(row.balance_cents, row.currency));
    return row;
  });
  expect(withoutDecimals, day).toEqual(plainRentRoll(records, day, 'USD'));
}

/** Adds the rents of this month that are posted only later. */
function withUnposted(records: Records): Records {
  const unposted = records.leases.flatMap((lease) =>
    scheduledCharges(lease, '2026-11-30')
      .filter(({ kind, period }) => kind === 'rent' && period === '2026-11')
      .filter(
        ({ period }) => !records.charges.some((each) => each.lease_id === lease.id && each.period === period),
      )
      .map((charge) => ({
        ...charge,
        lease_id: lease.id,
        property_id: lease.property_id,
        currency: lease.currency,
        open_cents: charge.amount_cents,
        voided_on: null,
      })),
  );
  return { ...records, charges: [...records.charges, ...unposted] };
}

async function expectCollectedAsPlain(
  client: Client,
  records: Records,
  from: string,
  to: string,
): Promise<void> {
  for (const by of ['month', 'property'] as const) {
    const rows = await report(client, `rent-collected?from=${from}&to=${to}&by=${by}`);
    const plain = plainRentCollected(withUnposted(records), from, to, by);
    const seen = new Set<string>();
    for (const row of rows) {
      RentCollectedRow.parse(row);
      const group = `${by === 'month' ? row.period : (row.property?.id ?? null)} ${row.currency}`;
      expect(seen.has(group), group).toBe(false);
      seen.add(group);
      const { expected_cents, collected_cents, owed_cents, received_cents, payment_count } = row;
      const cents = { expected_cents, collected_cents, owed_cents, received_cents, payment_count };
      const none = Object.fromEntries(Object.keys(cents).map((name) => [name, 0]));
      expect(cents, `${from} ${to} ${group}`).toEqual(plain.get(group) ?? none);
      expect(expected_cents).toBe(collected_cents + owed_cents);
      for (const name of ['expected', 'collected', 'owed', 'received'])
        expect(row[name]).toBe(decimal(row[`${name}_cents`], row.currency));
    }
    expect([...plain.keys()].filter((group) => !seen.has(group))).toEqual([]);
    const everyGroup =
      by === 'month' ? monthsBetween(from, to) : records.properties.map((property) => property.id);
    const groups = rows.map((row) => (by === 'month' ? row.period : (row.property?.id ?? null)));
    expect([...new Set(groups)].filter((group) => group !== null).sort()).toEqual(everyGroup.sort());
  }
}

/**
 * Makes leases one after the other in four years, in three currencies, some ended early, with payments of every kind.
 */
async function fillAtRandom(client: Client, seed: number): Promise<void> {
  const dice = createDice(seed);
  const tenants = await Promise.all(
    Array.from({ length: 12 }, (_, at) => make.tenant(client, { last_name: `No ${at}` })),
  );
  const payments: object[] = [];
  for (const name of ['Éden', 'alder', 'Zinnia', 'Alder', 'Alder']) {
    const property = await make.property(client, { name });
    for (let at = 0; at < 5; at++) {
      const unit = await make.unit(client, {
        property_id: property.id,
        name: `${dice.between(1, 99)}${at}`,
        offline: dice.happens(0.1),
      });
      let start = nextDay('2023-11-28', dice.between(0, 400));
      while (start < '2027-06-01' && dice.happens(0.85)) {
        const tenant_ids = [...new Set([dice.pick(tenants).id, dice.pick(tenants).id])];
        const end_date = dice.happens(0.15) ? null : nextDay(start, dice.between(0, 700));
        const early = nextDay(start, dice.between(0, 200));
        const ended_on = end_date !== null && dice.happens(0.3) ? early : null;
        const currency = dice.pick(['USD', 'USD', 'EUR', 'JPY', 'KWD']);
        const rent_cents = dice.between(1, 300_000);
        await make.lease(client, {
          unit_id: unit.id,
          tenant_ids,
          start_date: start,
          end_date,
          ended_on,
          rent_cents,
          currency,
          due_day: dice.pick([1, 1, 15, 27, 28]),
          ledger_from: start,
          opening_balance_cents: dice.pick([0, 0, 5_000, -5_000]),
          notice_given_on: dice.happens(0.3) ? nextDay(start, dice.between(0, 300)) : null,
        });
        for (let count = dice.between(0, 12); count > 0; count--) {
          payments.push({
            tenant_id: dice.pick(tenant_ids),
            paid_on: nextDay(start, dice.between(-20, 500)),
            amount_cents: dice.happens(0.7) ? rent_cents : dice.between(1, 500_000),
            status: dice.pick(['paid', 'paid', 'paid', 'paid', 'pending', 'returned', 'voided']),
            ...(dice.happens(0.3) ? { period: nextDay(start, dice.between(-60, 60)).slice(0, 7) } : {}),
            ...(dice.happens(0.2) ? { currency: dice.pick(['USD', 'EUR']) } : {}),
          });
        }
        const over = ended_on ?? (end_date === null ? null : nextDay(end_date));
        if (over === null) break;
        start = nextDay(over, dice.pick([0, 0, 1, 20, 90]));
      }
    }
  }
  for (let at = 0; at < payments.length; at += 20)
    await Promise.all(payments.slice(at, at + 20).map((each) => make.payment(client, { ...each })));
}

test('both reports agree with plain loops over the records, whatever the days and currencies', async () => {
  const client = await service.client();
  await fillAtRandom(client, 6);
  const records = await everything(client);
  expect(records.leases.length).toBeGreaterThan(40);
  expect(records.payments.length).toBeGreaterThan(200);

  const dice = createDice(7);
  const days =
    '2020-01-01 2023-12-01 2024-02-28 2024-02-29 2024-03-01 2024-12-31 2025-01-01 2025-02-28 2025-03-31'
      .split(' ')
      .concat('2026-11-15', '2027-07-28', '2031-05-31')
      .concat(Array.from({ length: 15 }, () => nextDay('2024-01-01', dice.between(0, 1200))));
  for (const day of days) await expectRollAsPlain(client, records, day);

  const ranges = [
    ['2024-02-29', '2024-02-29'],
    ['2024-01-31', '2024-03-01'],
    ['2023-01-01', '2028-12-31'],
    ['2019-05-05', '2019-07-01'],
    ...Array.from({ length: 8 }, () => {
      const from = nextDay('2024-01-01', dice.between(0, 1000));
      return [from, nextDay(from, dice.between(0, 500))];
    }),
  ] as [string, string][];
  for (const [from, to] of ranges) await expectCollectedAsPlain(client, records, from, to);
});

test.runIf(thorough)('both reports agree with plain loops over two years of demo data', async () => {
  const client = await service.client();
  const caller = {
    accountId: client.accountId,
    currency: 'USD',
    timeZone: 'UTC',
    permission: 'write',
    source: 'dashboard',
    actor: operator,
  } as const;
  await fillWithDemo(service.database.db, caller, new Date('2026-11-15T09:30:00Z'));
  const records = await everything(client);
  for (const day of ['2024-12-01', '2026-11-15', '2027-01-01']) await expectRollAsPlain(client, records, day);
  await expectCollectedAsPlain(client, records, '2025-01-01', '2026-12-31');
});

/** A rent of 1,000.00 on one unit, and a function that returns what the rent roll shows for it on a day. */
async function rented(fields: object) {
  const client = await service.client();
  const { start_date } = fields as { start_date: string };
  const lease = await make.lease(client, { rent_cents: 100_000, ledger_from: start_date, ...fields });
  const pay = (paid_on: string, amount_cents: number, more: object = {}) =>
    make.payment(client, { tenant_id: lease.tenant_ids[0], paid_on, amount_cents, ...more });
  const on = async (day: string) => (await report(client, `rent-roll?as_of=${day}`))[0];
  return { client, lease, pay, on };
}

test('the balance is the one of the ledger: a part month is charged in part', async () => {
  const { on } = await rented({ start_date: '2024-01-31', due_day: 28 });
  const owed = async (day: string) => (await on(day)).balance_cents;
  expect(await owed('2024-01-31')).toBe(3_226);
  expect(await owed('2024-02-27')).toBe(3_226);
  expect(await owed('2024-02-28')).toBe(103_226);
  expect(await owed('2025-01-31')).toBe(1_203_226);

  const onTheDay = await rented({ start_date: '2024-02-01', due_day: 1 });
  expect((await onTheDay.on('2024-02-01')).balance_cents).toBe(100_000);
});

test('the rent is the one in force that day', async () => {
  const { on } = await rented({
    start_date: '2026-01-01',
    rent_changes: [
      { from: '2026-03-01', rent_cents: 110_000 },
      { from: '2026-06-01', rent_cents: 120_000 },
    ],
  });
  const rents = { '2026-02-28': 100_000, '2026-03-01': 110_000, '2026-09-09': 120_000 };
  for (const [day, rent_cents] of Object.entries(rents))
    expect(await on(day), day).toMatchObject({ rent_cents });
});

test('debts and overpayments are never one figure', async () => {
  const { client, pay } = await rented({ start_date: '2026-10-01' });
  await pay('2026-10-01', 900_000);
  await make.lease(client, { start_date: '2026-10-01', ledger_from: '2026-10-01', rent_cents: 70_000 });
  const rows = await report(client, 'rent-roll?as_of=2026-10-31');
  const sum = (name: string) => rows.reduce((total, row) => total + row[name], 0);
  expect([sum('owed_cents'), sum('credit_cents')]).toEqual([70_000, 800_000]);
});

test('paid this month counts from the first up to the day; the balance takes all, and more is a credit', async () => {
  const { pay, on } = await rented({ start_date: '2026-01-01' });
  await pay('2026-01-01', 100_000);
  await pay('2026-02-28', 150_000);
  await pay('2026-03-01', 7);
  await pay('2026-03-31', 70_000);
  await pay('2026-03-10', 5_000, { status: 'pending' });
  await pay('2026-03-10', 5_000, { currency: 'EUR' });
  expect(await on('2026-03-30')).toMatchObject({
    paid_this_month_cents: 7,
    paid_this_month: '0.07',
    balance_cents: 49_993,
    balance: '499.93',
    owed_cents: 49_993,
    credit_cents: 0,
    rent: '1000.00',
    currency: 'USD',
    status: 'occupied',
  });
  expect(await on('2026-03-31')).toMatchObject({
    paid_this_month_cents: 70_007,
    balance_cents: -20_007,
    owed_cents: 0,
    credit_cents: 20_007,
    credit: '200.07',
  });
  expect((await on('2026-03-31')).balance).toBe('-200.07');
  expect(await on('2026-04-01')).toMatchObject({ paid_this_month_cents: 0, balance_cents: 79_993 });
});

test('a lease that ended early is on the roll until the day before, and vacant after', async () => {
  const { lease, on } = await rented({
    start_date: '2026-01-01',
    end_date: '2026-12-31',
    notice_given_on: '2026-04-10',
    ended_on: '2026-05-01',
  });
  expect(await on('2025-12-31')).toMatchObject({ status: 'vacant', lease: null });
  expect(await on('2026-04-09')).toMatchObject({ status: 'occupied', lease: { status: 'active' } });
  expect(await on('2026-04-30')).toMatchObject({
    status: 'notice',
    lease: {
      id: lease.id,
      status: 'notice',
      start_date: '2026-01-01',
      end_date: '2026-12-31',
      ended_on: '2026-05-01',
    },
    tenants: [{ id: lease.tenant_ids[0], name: 'Ada Okafor' }],
    balance_cents: 400_000,
  });
  expect(await on('2026-05-01')).toMatchObject({
    status: 'vacant',
    lease: null,
    tenants: [],
    rent_cents: null,
    rent: null,
    currency: 'USD',
    paid_this_month_cents: 0,
    balance_cents: 0,
    balance: '0.00',
  });
});

test('without as_of the roll is of today', async () => {
  const { client } = await rented({ start_date: '2026-01-01' });
  expect(await report(client, 'rent-roll')).toEqual(await report(client, 'rent-roll?as_of=2026-11-15'));
});

test('the roll can be of one property', async () => {
  const { client, lease } = await rented({ start_date: '2026-01-01' });
  await make.unit(client);
  expect(await report(client, 'rent-roll')).toHaveLength(2);
  const rows = await report(client, `rent-roll?property_id=${lease.property_id}`);
  expect(rows.map((row) => row.property.id)).toEqual([lease.property_id]);
  expect(await report(client, `rent-roll?property_id=${unknownId('prop')}`)).toEqual([]);
  expectInvalid(await client.get('/reports/rent-roll?property_id=x'), 'property_id');
});

test('months without payments are listed with 0, in the currency of the account', async () => {
  const client = await service.client();
  const empty = { currency: 'USD', expected_cents: 0, collected_cents: 0, owed_cents: 0, received_cents: 0 };
  const rows = await report(client, 'rent-collected?from=2026-01-31&to=2026-03-01');
  expect(rows).toMatchObject(['2026-01', '2026-02', '2026-03'].map((period) => ({ period, ...empty })));
  expect(rows.every((row) => !('property' in row))).toBe(true);
  expect(await report(client, 'rent-collected?from=2026-01-31&to=2026-03-01&by=property')).toEqual([]);
});

test('payments of people without a lease are a row of their own, without a property', async () => {
  const { client, pay, lease } = await rented({ start_date: '2026-01-01', end_date: '2026-03-31' });
  await pay('2026-02-01', 100_000);
  await pay('2026-06-01', 300);
  await make.payment(client, { paid_on: '2026-06-01', amount_cents: 7 });
  const rows = await report(client, 'rent-collected?from=2026-01-01&to=2026-12-31&by=property');
  expect(rows).toMatchObject([
    {
      property: { id: lease.property_id },
      expected_cents: 300_000,
      collected_cents: 100_300,
      owed_cents: 199_700,
      received_cents: 100_300,
      payment_count: 2,
    },
    { property: null, expected_cents: 0, collected_cents: 0, owed_cents: 0, received_cents: 7 },
  ]);
});

test('collected is what is paid of a month, received is what came in', async () => {
  const { client, pay } = await rented({ start_date: '2026-08-01', deposit_cents: 50_000 });
  await pay('2026-10-20', 250_000);
  const rows = await report(client, 'rent-collected?from=2026-08-01&to=2026-11-30');
  const amounts = ['expected_cents', 'collected_cents', 'owed_cents', 'received_cents'];
  expect(rows.map((row) => [row.period, ...amounts.map((name) => row[name])])).toEqual([
    ['2026-08', 100_000, 100_000, 0, 0],
    ['2026-09', 100_000, 100_000, 0, 0],
    ['2026-10', 100_000, 50_000, 50_000, 250_000],
    ['2026-11', 100_000, 0, 100_000, 0],
  ]);
});

test('what is not posted yet of this month is expected, once', async () => {
  const { client, lease } = await rented({ start_date: '2026-11-01', due_day: 28 });
  const ofLease = { lease_id: lease.id };
  const parking = {
    ...ofLease,
    kind: 'parking',
    amount_cents: 1_000,
    every: 'week',
    starts_on: '2026-11-10',
  };
  expect((await client.post('/recurring-charges', parking)).status).toBe(201);
  const november = async () => (await report(client, 'rent-collected?from=2026-11-01&to=2026-12-31'))[0];
  expect(await november()).toMatchObject({ period: '2026-11', expected_cents: 103_000, owed_cents: 103_000 });
  const byHand = { ...ofLease, kind: 'rent', period: '2026-11', amount_cents: 90_000, due_on: '2026-11-28' };
  expect((await client.post('/charges', byHand)).status).toBe(201);
  expect(await november()).toMatchObject({ expected_cents: 93_000 });
  const [, december] = await report(client, 'rent-collected?from=2026-11-01&to=2026-12-31');
  expect(december).toMatchObject({ period: '2026-12', expected_cents: 0 });
});

test('what a person took back is not expected, on whichever day the lease would have it charged since', async () => {
  const client = await service.client();
  const lease = await make.lease(client, { start_date: '2026-11-18', rent_cents: 60_000 });
  const november = async () => (await report(client, 'rent-collected?from=2026-11-01&to=2026-11-30'))[0];
  expect(await november()).toMatchObject({ expected_cents: 26_000 });
  const [rent] = (await client.get(`/charges?lease_id=${lease.id}`)).body.data;
  await client.post(`/charges/${rent.id}/void`, { reason: 'Free until December' });
  expect(await november()).toMatchObject({ expected_cents: 0 });
  expect((await client.patch(`/leases/${lease.id}`, { start_date: '2026-11-25' })).status).toBe(200);
  expect(await november()).toMatchObject({ expected_cents: 0 });
});

test('what is owed is sorted by age, and credits are separate', async () => {
  const { client, lease, pay } = await rented({ start_date: '2026-08-01', ended_on: '2026-11-01' });
  await pay('2026-08-01', 40_000);
  const { property_id } = lease;
  const dates = { start_date: '2026-10-01', ledger_from: '2026-10-01' };
  const others = async (name: string, fields: object) => {
    const unit = await make.unit(client, { property_id, name });
    return make.lease(client, { unit_id: unit.id, ...dates, ...fields });
  };
  const paidAhead = await others('2', { opening_balance_cents: -300_000, rent_cents: 100_000 });
  const euros = await others('3', { rent_cents: 70_000, currency: 'EUR' });
  const rows = await report(client, 'aging?as_of=2026-10-30');
  for (const row of rows) AgingRow.parse(row);
  const dollars = {
    property: { id: property_id, name: 'Maple Court' },
    currency: 'USD',
    leases: 1,
    owed_cents: 260_000,
    owed: '2600.00',
    overdue_cents: 260_000,
    days_91_cents: 0,
  };
  expect(rows).toMatchObject([
    { currency: 'EUR', owed_cents: 70_000, credit_cents: 0 },
    {
      ...dollars,
      credit_cents: 200_000,
      credit: '2000.00',
      days_0_30_cents: 100_000,
      days_31_60_cents: 100_000,
      days_61_90_cents: 60_000,
    },
  ]);
  expect(await report(client, 'aging?as_of=2026-11-15')).toMatchObject([
    { currency: 'EUR', owed_cents: 140_000 },
    {
      ...dollars,
      credit_cents: 100_000,
      days_0_30_cents: 0,
      days_31_60_cents: 100_000,
      days_61_90_cents: 100_000,
      days_91_cents: 60_000,
    },
  ]);
  const leases = await report(client, 'aging?as_of=2026-10-30&by=lease');
  for (const row of leases) AgingRow.parse(row);
  expect(leases.map((row) => [row.lease_id, row.leases, row.owed_cents, row.credit_cents])).toEqual([
    [lease.id, 1, 260_000, 0],
    [euros.id, 1, 70_000, 0],
    [paidAhead.id, 0, 0, 200_000],
  ]);
  expect(leases[0]).toMatchObject({ lease: { status: 'active' }, tenants: [{ name: 'Ada Okafor' }] });
  expect(await report(await service.client(), 'aging')).toEqual([]);
});

/** The cells of a CSV answer, row by row. */
async function csv(client: Client, path: string): Promise<string[][]> {
  const { status, text, headers } = await client.get(`/reports/${path}`, { accept: 'text/csv' });
  expect(status, text).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/csv/);
  return parse(text);
}

test('both reports come as CSV too', async () => {
  const client = await service.client();
  const property = await make.property(client, { name: '=1+1' });
  const unit = await make.unit(client, { property_id: property.id, name: '2B' });
  await make.unit(client, { property_id: property.id, name: '3C' });
  const tenants = [await make.tenant(client), await make.tenant(client, { first_name: 'Bo' })];
  const tenant_ids = tenants.map((tenant) => tenant.id);
  const dates = { start_date: '2026-01-01', ledger_from: '2026-01-01' };
  const lease = await make.lease(client, { unit_id: unit.id, tenant_ids, ...dates });
  await make.payment(client, { tenant_id: tenant_ids[0], paid_on: '2026-01-02', amount_cents: 125_001 });

  expect(await csv(client, 'rent-roll?as_of=2026-01-31')).toEqual([
    'property_id property_name unit_id unit_name status tenants_id tenants_name lease_id lease_status lease_start_date'
      .split(' ')
      .concat('lease_end_date lease_ended_on rent_cents rent currency paid_this_month_cents'.split(' '))
      .concat('paid_this_month balance_cents balance owed_cents owed credit_cents credit'.split(' ')),
    [
      property.id,
      "'=1+1",
      unit.id,
      '2B',
      'occupied',
      tenant_ids.join(';'),
      'Ada Okafor;Bo Okafor',
      lease.id,
    ].concat(
      'active',
      '2026-01-01',
      '',
      '',
      '125000',
      '1250.00',
      'USD',
      '125001',
      '1250.01',
      '-1',
      '-0.01',
      '0',
      '0.00',
      '1',
      '0.01',
    ),
    [
      property.id,
      "'=1+1",
      expect.any(String),
      '3C',
      'vacant',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      'USD',
    ].concat(...['0', '0.00', '0', '0.00', '0', '0.00', '0', '0.00']),
  ]);
  expect(await csv(client, 'rent-collected?from=2026-01-01&to=2026-01-31')).toEqual([
    'period property_id property_name currency expected_cents expected collected_cents collected owed_cents owed'
      .split(' ')
      .concat('received_cents', 'received', 'payment_count'),
    [
      '2026-01',
      '',
      '',
      'USD',
      '125000',
      '1250.00',
      '125000',
      '1250.00',
      '0',
      '0.00',
      '125001',
      '1250.01',
      '1',
    ],
  ]);
});

test('another account sees nothing of it', async () => {
  const { client } = await rented({ start_date: '2026-01-01' });
  await make.payment(client, { paid_on: '2026-02-01' });
  const other = await service.client();
  expect(await report(other, 'rent-roll?as_of=2026-02-01')).toEqual([]);
  const [row] = await report(other, 'rent-collected?from=2026-02-01&to=2026-02-28');
  expect(row).toMatchObject({ collected_cents: 0, expected_cents: 0, payment_count: 0 });
  const reader = await service.client({ permission: 'read', accountId: client.accountId });
  expect(await report(reader, 'rent-roll?as_of=2026-02-01')).toHaveLength(1);
});

test('wrong filters are refused by name', async () => {
  const client = await service.client();
  for (const day of ['2026-02-29', 'today', '', '2026-1-1', '20260101'])
    expectInvalid(await client.get(`/reports/rent-roll?as_of=${day}`), 'as_of');
  expectInvalid(await client.get('/reports/rent-collected?to=2026-01-01'), 'from', /Required/);
  expectInvalid(await client.get('/reports/rent-collected?from=2026-01-01'), 'to', /Required/);
  expectInvalid(await client.get('/reports/rent-collected?from=2026-01-02&to=2026-01-01'), 'from', /after/);
  expectInvalid(
    await client.get('/reports/rent-collected?from=2026-01-02&to=2026-02-01&by=year'),
    'by',
    /month, property/,
  );
  expect((await service.request('GET', '/reports/rent-roll')).status).toBe(401);
  expect((await client.post('/reports/rent-roll', {})).status).toBe(405);
});
