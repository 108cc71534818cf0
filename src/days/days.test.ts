import { afterAll, beforeEach, expect, test } from 'vitest';
import { chargesOf, itIs } from '../../test/support/ledger.ts';
import { until } from '../../test/support/process.ts';
import { eventsOf, expectSameBytes, type Fields, make } from '../../test/support/records.ts';
import { type Client, testService } from '../../test/support/service.ts';
import { startOfDay } from '../clock.ts';
import { sql } from '../db/sql.ts';
import { newId } from '../ids.ts';
import { addDays } from '../ledger/rules/calendar.ts';
import { createDayClock } from './day-clock.ts';
import { workloadOf } from './days.store.ts';
import { turnNextDay } from './turn-day.ts';

const service = await testService();
afterAll(() => service.close());
const { db } = service.database;

const today = '2026-11-17';
let client: Client;
beforeEach(async () => {
  itIs(service, today);
  client = await service.client();
  await setClock(client, today, addDays(today, 1));
});

const setClock = (of: Client, through: string, next: string) =>
  db.query(sql`
    update account_clocks set through_day = ${through}, next_turn_at = ${startOfDay(next, 'UTC')}
    where account_id = ${of.accountId}`);

/** Moves the clock to this day and turns every day before it. */
async function turnTo(day: string, of = client): Promise<void> {
  itIs(service, day);
  while ((await turnNextDay(service.app.db, of.accountId, service.app.now())) !== null);
}

/** Sets the account's policy from today on. */
const fine = (of: Client, policy: object) =>
  db.query(sql`
    insert into late_fee_policies (account_id, id, policy, set_on)
    values (${of.accountId}, ${newId()}, ${JSON.stringify({ cap_cents: null, min_open_cents: 0, ...policy })}, ${today})`);

interface Told {
  event: string;
  record: Fields;
}

async function toldBy(work: () => Promise<unknown>, of = client): Promise<Told[]> {
  const before = (await eventsOf(service, of)).length;
  await work();
  return (await eventsOf(service, of)).slice(before).map(({ event, body }) => ({
    event,
    record: Object.values<Fields>(JSON.parse(body).data)[0] ?? {},
  }));
}

const names = (told: Told[]) => told.map(({ event }) => event);

/** The events of each day, one line a day, leaving out days without any. */
async function toldDaily(from: string, to: string, wanted: RegExp, of = client): Promise<string[]> {
  const lines: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const told = names(await toldBy(() => turnTo(day, of), of)).filter((event) => wanted.test(event));
    if (told.length > 0) lines.push(`${day} ${told.join(' ')}`);
  }
  return lines;
}

test('rent is posted five days ahead, due on its day, and overdue the day after if it is open', async () => {
  const lease = await make.lease(client, { start_date: '2026-11-20', due_day: 1 });
  expect(await toldDaily('2026-11-18', '2027-01-03', /^charge/)).toEqual([
    '2026-11-20 charge.due',
    '2026-11-21 charge.overdue',
    '2026-11-26 charge.created',
    '2026-12-01 charge.due',
    '2026-12-02 charge.overdue',
    '2026-12-27 charge.created',
    '2027-01-01 charge.due',
    '2027-01-02 charge.overdue',
  ]);
  expect(await chargesOf(client, lease.id)).toEqual([
    '2026-11-20 rent 458.33 open 458.33',
    '2026-12-01 rent 1250.00 open 1250.00',
    '2027-01-01 rent 1250.00 open 1250.00',
  ]);
});

test('what is paid is neither due nor overdue', async () => {
  const lease = await make.lease(client, { start_date: '2026-11-01', rent_cents: 100_000 });
  const pay = (amount_cents: number, paid_on: string) =>
    client.post('/payments', { tenant_id: lease.tenant_ids[0], amount_cents, paid_on });
  await pay(200_000, '2026-11-17');
  expect(await toldDaily('2026-11-18', '2026-12-05', /^charge/)).toEqual(['2026-11-26 charge.created']);
  await pay(60_000, '2027-01-01');
  const told = await toldBy(() => turnTo('2027-01-02'));
  expect(names(told)).toEqual(['charge.created', 'charge.due', 'charge.overdue']);
  expect(told.map(({ record }) => [record.status, record.open_cents])).toEqual([
    ['upcoming', 100_000],
    ['partial', 40_000],
    ['partial', 40_000],
  ]);
});

test('with nothing posted ahead, a charge is made and due on the same day, with one event each', async () => {
  await db.query(sql`update accounts set post_days_before_due = 0 where id = ${client.accountId}`);
  await make.lease(client, { start_date: '2026-11-18' });
  expect(await toldDaily('2026-11-18', '2026-12-02', /^charge/)).toEqual([
    '2026-11-18 charge.created charge.due',
    '2026-11-19 charge.overdue',
    '2026-12-01 charge.created charge.due',
    '2026-12-02 charge.overdue',
  ]);
});

test('a charge made on its due day has one due event, whether made before or after the clock turned the day', async () => {
  const lease = await make.lease(client, { start_date: '2026-12-01', ledger_from: today });
  const charge = (due_on: string) =>
    client.post('/charges', { lease_id: lease.id, kind: 'fee', amount_cents: 500, due_on });
  expect(names(await toldBy(() => charge(today)))).toEqual(['charge.created', 'charge.due']);
  itIs(service, '2026-11-18');
  expect(names(await toldBy(() => charge('2026-11-18')))).toEqual(['charge.created']);
  expect(names(await toldBy(() => turnTo('2026-11-18')))).toEqual(['charge.due', 'charge.overdue']);
  expect(names(await toldBy(() => charge('2026-11-18')))).toEqual(['charge.created', 'charge.due']);
});

test('late fees are charged day by day, as far as the clock is', async () => {
  const lease = await make.lease(client, { start_date: '2026-12-01', rent_cents: 30_000 });
  await fine(client, { grace_days: 2, first: { fixed_cents: 5_000 }, daily: { fixed_cents: 100 } });
  expect(await toldDaily('2026-11-18', '2026-12-06', /^charge/)).toEqual([
    '2026-11-26 charge.created',
    '2026-12-01 charge.due',
    '2026-12-02 charge.overdue',
    '2026-12-04 charge.created charge.due',
    '2026-12-05 charge.created charge.due charge.overdue',
    '2026-12-06 charge.created charge.due charge.overdue',
  ]);
  // Days that the clock has not turned yet bring no fee, whoever calculates the lease.
  itIs(service, '2026-12-09');
  await client.patch(`/leases/${lease.id}`, { due_day: 2 });
  await client.patch(`/leases/${lease.id}`, { due_day: 1 });
  const fees = async () =>
    (await chargesOf(client, lease.id)).filter((line) => /late_fee/.test(line) && !/voided/.test(line));
  expect((await fees()).map((line) => line.slice(0, 10))).toEqual(['2026-12-04', '2026-12-05', '2026-12-06']);
  await turnTo('2026-12-09');
  expect(await fees()).toHaveLength(6);
});

test('a lease starts on its first day, with its unit and tenants', async () => {
  const lease = await make.lease(client, { start_date: '2026-11-20' });
  const off = await make.lease(client, { start_date: '2026-11-20', ended_on: '2026-11-20' });
  expect(await toldDaily('2026-11-18', '2026-11-22', /^(lease|unit|tenant)/)).toEqual([
    '2026-11-20 lease.started unit.updated tenant.updated',
  ]);
  const events = await eventsOf(service, client);
  const last = (event: string) => events.findLast((each) => each.event === event);
  await expectSameBytes(client, last('lease.started'), `/leases/${lease.id}`);
  await expectSameBytes(client, last('unit.updated'), `/units/${lease.unit_id}`);
  await expectSameBytes(client, last('tenant.updated'), `/tenants/${lease.tenant_ids[0]}`);
  expect((await client.get(`/units/${lease.unit_id}`)).body.data).toMatchObject({ status: 'occupied' });
  expect((await client.get(`/units/${off.unit_id}`)).body.data).toMatchObject({ status: 'vacant' });
});

test('units and tenants have events on the day of notice, of the end and of the next start', async () => {
  const lease = await make.lease(client, {
    start_date: '2026-01-01',
    end_date: '2026-11-30',
    notice_given_on: '2026-11-19',
  });
  const [tenantId] = lease.tenant_ids;
  await make.lease(client, { unit_id: lease.unit_id, tenant_ids: [tenantId], start_date: '2026-12-03' });
  const shown = async () =>
    [
      (await client.get(`/units/${lease.unit_id}`)).body.data.status,
      (await client.get(`/tenants/${tenantId}`)).body.data.lease_status,
    ].join(' ');
  const changes: string[] = [];
  for (let day = '2026-11-18'; day <= '2026-12-05'; day = addDays(day, 1)) {
    const told = (await toldBy(() => turnTo(day))).filter(({ event }) => /^(unit|tenant)/.test(event));
    if (told.length > 0) changes.push(`${day} ${names(told).join(' ')}: ${await shown()}`);
  }
  expect(changes).toEqual([
    '2026-11-19 unit.updated tenant.updated: notice notice',
    '2026-12-01 unit.updated tenant.updated: vacant upcoming',
    '2026-12-03 unit.updated tenant.updated: occupied active',
  ]);
});

test('if one lease follows another in a unit, the unit looks the same, but its tenants do not', async () => {
  const first = await make.lease(client, { start_date: '2026-01-01', end_date: '2026-11-30' });
  const second = await make.lease(client, { unit_id: first.unit_id, start_date: '2026-12-01' });
  const told = await toldBy(() => turnTo('2026-12-01'));
  expect(names(told).filter((event) => event === 'unit.updated')).toEqual([]);
  const tenants = told.filter(({ event }) => event === 'tenant.updated').map(({ record }) => record);
  expect(tenants.map(({ id, lease_status }) => [id, lease_status]).sort()).toEqual(
    [
      [first.tenant_ids[0], 'ended'],
      [second.tenant_ids[0], 'active'],
    ].sort(),
  );
});

test('the end of a lease is announced on the days the account has chosen, unless notice is given or the tenant stays', async () => {
  await db.query(sql`update accounts set lease_expiring_days = '{60,14,1}' where id = ${client.accountId}`);
  const ends = { start_date: '2026-01-01', end_date: '2026-12-31' };
  const lease = await make.lease(client, ends);
  await make.lease(client, { ...ends, notice_given_on: '2026-11-18' });
  await make.lease(client, { ...ends, ended_on: '2026-12-31' });
  const renewed = await make.lease(client, ends);
  await make.lease(client, {
    unit_id: renewed.unit_id,
    tenant_ids: renewed.tenant_ids,
    start_date: '2027-01-01',
  });
  const calledOff = await make.lease(client, ends);
  await make.lease(client, {
    unit_id: calledOff.unit_id,
    tenant_ids: calledOff.tenant_ids,
    start_date: '2027-01-01',
    ended_on: '2027-01-01',
  });
  const successor = await make.lease(client, ends);
  await make.lease(client, { unit_id: successor.unit_id, start_date: '2027-01-01' });
  const expiring: string[] = [];
  for (let day = '2026-11-18'; day <= '2027-01-01'; day = addDays(day, 1))
    for (const { event, record } of await toldBy(() => turnTo(day)))
      if (event === 'lease.expiring') expiring.push(`${day} ${record.id}`);
  expect(expiring.sort()).toEqual(
    ['2026-12-17', '2026-12-30']
      .flatMap((day) => [lease, calledOff, successor].map(({ id }) => `${day} ${id}`))
      .sort(),
  );
});

test('after an outage the missed days are turned in order', async () => {
  const calm = await service.client();
  const outage = client;
  const told: string[][] = [];
  for (const of of [calm, outage]) {
    itIs(service, today);
    await setClock(of, today, addDays(today, 1));
    await fine(of, { grace_days: 5, first: { percent_of_open: 10 }, daily: null });
    await make.lease(of, { start_date: '2026-11-20', end_date: '2027-02-10', due_day: 5 });
    await make.lease(of, { start_date: '2026-11-01', notice_given_on: '2026-12-24', due_day: 31 - 3 });
    const events = await toldBy(async () => {
      for (let day = today; of === calm && day < '2027-03-01'; day = addDays(day, 1)) await turnTo(day, of);
      await turnTo('2027-03-01', of);
    }, of);
    told.push(
      events.map(({ event, record }) =>
        [event, record.kind, record.due_on, record.status, record.open_cents, record.start_date].join(' '),
      ),
    );
  }
  expect(told[0]?.length).toBeGreaterThan(20);
  expect(told[1]).toEqual(told[0]);
});

test('several workers turn the same day only once, and a failure in the middle leaves nothing of it', async () => {
  const lease = await make.lease(client, { start_date: '2026-11-20' });
  itIs(service, '2026-11-20');
  const broken = Object.assign(Object.create(service.app.db), {
    transaction: <Result>(work: (tx: typeof db) => Promise<Result>) =>
      db.transaction((tx) => {
        const failing: typeof db = Object.assign(Object.create(tx), {
          async query(query: Parameters<typeof tx.query>[0]) {
            if (query.strings.join('').includes('update tenants')) throw new Error('the power is out');
            return tx.query(query);
          },
          transaction: (inner: (of: typeof tx) => Promise<unknown>) => inner(failing),
        });
        return work(failing);
      }),
  });
  const turn = (of: typeof db) => turnNextDay(of, client.accountId, service.app.now());
  const nothing = await toldBy(() => expect(turn(broken)).rejects.toThrow('the power is out'));
  expect(nothing).toEqual([]);
  const told = await toldBy(async () => {
    const days = await Promise.all(Array.from({ length: 8 }, () => turn(service.app.db)));
    expect(days.filter((day) => day !== null)).toEqual(['2026-11-20']);
  });
  expect(names(told)).toEqual(['charge.due', 'lease.started', 'unit.updated', 'tenant.updated']);
  expect(told[1]?.record.id).toBe(lease.id);
});

test('days that bring nothing are skipped, up to the first that does or the one that has begun', async () => {
  await make.lease(client, { start_date: '2026-11-20' });
  const turn = () => turnNextDay(db, client.accountId, service.app.now());
  itIs(service, '2026-11-19');
  expect(await turn()).toBe('2026-11-19');
  expect(await turn()).toBeNull();
  itIs(service, '2026-12-20');
  const days: (string | null)[] = [];
  const told = await toldBy(async () => {
    for (let day = await turn(); day !== null; day = await turn()) days.push(day);
  });
  // Rent is posted five days ahead. Only what is due on the 20th and the 1st becomes overdue.
  expect(days).toEqual(['2026-11-20', '2026-11-21', '2026-11-26', '2026-12-01', '2026-12-02', '2026-12-20']);
  expect(names(told)).toContain('charge.overdue');
});

test('how much work days are follows from what they may bring', async () => {
  const { accountId } = client;
  expect(await workloadOf(db, accountId)).toEqual({ monthly: 0, finedDaily: null });
  const lease = await make.lease(client, { start_date: '2026-10-20', ledger_from: '2026-10-20' });
  const recurs = { lease_id: lease.id, kind: 'parking', amount_cents: 500, starts_on: '2027-01-01' };
  for (const every of ['week', 'two_weeks', 'month'])
    expect((await client.post('/recurring-charges', { ...recurs, every })).status).toBe(201);
  expect(await workloadOf(db, accountId)).toEqual({ monthly: 8, finedDaily: null });
  await fine(client, { grace_days: 2, first: { fixed_cents: 100 }, daily: { fixed_cents: 1 } });
  // The rent of October and that of November are open.
  expect(await workloadOf(db, accountId)).toEqual({ monthly: 8, finedDaily: 3 });
});

test('a clock that goes back does nothing twice and leaves nothing out', async () => {
  await make.lease(client, { start_date: '2026-11-20' });
  await turnTo('2026-11-21');
  expect(await toldBy(() => turnTo('2026-11-18'))).toEqual([]);
  expect(await toldBy(() => turnTo('2026-11-21'))).toEqual([]);
  expect(names(await toldBy(() => turnTo('2026-12-01')))).toEqual(['charge.created', 'charge.due']);
});

test('a day begins when it does in the time zone of the account', async () => {
  const turnedAt = async (at: string) =>
    turnNextDay(service.app.db, client.accountId, new Date(at)).then((day) => day ?? 'none');
  const move = async (time_zone: string) =>
    db.transaction(async (tx) => {
      const { moveClock } = await import('../ledger/account-clocks.ts');
      await tx.query(sql`update accounts set time_zone = ${time_zone} where id = ${client.accountId}`);
      await moveClock(tx, client.accountId, time_zone);
    });
  await move('Pacific/Kiritimati');
  expect(await turnedAt('2026-11-17T09:59:59.999Z')).toBe('none');
  expect(await turnedAt('2026-11-17T10:00:00.000Z')).toBe('2026-11-18');
  expect(await turnedAt('2026-11-18T09:59:59.999Z')).toBe('none');
  // A day that is done stays done, even where it has not begun yet.
  await move('Pacific/Pago_Pago');
  expect(await turnedAt('2026-11-19T10:59:59.999Z')).toBe('none');
  expect(await turnedAt('2026-11-19T11:00:00.000Z')).toBe('2026-11-19');
  await move('Asia/Kolkata');
  expect(await turnedAt('2026-11-19T18:29:59.999Z')).toBe('none');
  expect(await turnedAt('2026-11-19T18:30:00.000Z')).toBe('2026-11-20');
  expect(await turnedAt('2026-11-19T18:30:00.000Z')).toBe('none');
});

test('an account that fails does not keep the others from their days', async () => {
  const others = [await service.client(), await service.client()];
  for (const of of [client, ...others]) await setClock(of, addDays(today, -3), addDays(today, -2));
  // Its statements fail, because there is no such time zone.
  await db.query(sql`update accounts set time_zone = 'Nowhere/None' where id = ${client.accountId}`);
  itIs(service, today);
  const clock = createDayClock(service.app);
  clock.start();
  const through = async (of: Client) =>
    (
      await db.query<{ through: string }>(
        sql`select through_day::text as through from account_clocks where account_id = ${of.accountId}`,
      )
    )[0]?.through;
  await until(async () => (await Promise.all(others.map(through))).every((day) => day === today));
  expect(await through(client)).toBe(addDays(today, -3));
  await db.query(sql`update accounts set time_zone = 'UTC' where id = ${client.accountId}`);
  await until(async () => (await through(client)) === today);
  await clock.stop();
});

test('an account without a clock gets one', async () => {
  await db.query(sql`delete from account_clocks where account_id = ${client.accountId}`);
  itIs(service, today);
  const clock = createDayClock(service.app);
  clock.start();
  await until(async () => {
    const rows = await db.query(
      sql`select from account_clocks where account_id = ${client.accountId} and through_day = ${today}`,
    );
    return rows.length === 1;
  });
  await clock.stop();
});

test('a reader of updated charges sees a charge again whenever its open amount changes', async () => {
  const other = await service.client();
  let next = '/charges?updated_since=2026-01-01';
  /**
   * What has changed since the last look, with due day and status, once everything that was committed before is
   * visible.
   */
  const changed = async (count: number): Promise<string[]> => {
    const seen: string[] = [];
    await until(async () => {
      const page = await client.get(next);
      seen.push(...page.body.data.map((of: Fields) => `${of.due_on} ${of.status} ${of.open_cents}`));
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? next;
      return seen.length >= count;
    });
    return seen.sort();
  };
  const terms = { start_date: '2026-10-01', ledger_from: '2026-10-01', rent_cents: 100_000 };
  const lease = await make.lease(client, { ...terms, due_day: 1 });
  const [tenant_id] = lease.tenant_ids;
  const pay = (amount_cents: number, paid_on: string) =>
    make.payment(client, { tenant_id, amount_cents, paid_on });
  expect(await changed(2)).toEqual(['2026-10-01 open 100000', '2026-11-01 open 100000']);

  const payment = await pay(130_000, today);
  expect(await changed(2)).toEqual(['2026-10-01 paid 0', '2026-11-01 partial 70000']);
  const of = await client.get(`/charges?lease_id=${lease.id}`);
  expect(of.body.data.every((charge: Fields) => `${charge.updated_at}` > `${charge.created_at}`)).toBe(true);
  // Reading changes nothing, and neither does what others do.
  await make.lease(other, terms);
  expect((await client.get(`/charges?lease_id=${lease.id}`)).headers.get('etag')).toBe(
    of.headers.get('etag'),
  );
  expect((await client.get(next)).body.data).toEqual([]);

  await client.patch(`/payments/${payment.id}`, { status: 'returned' });
  expect(await changed(2)).toEqual(['2026-10-01 open 100000', '2026-11-01 open 100000']);

  // A payment that is entered before its day changes the charge on that day. So does the day on which a rent falls due.
  await pay(200_000, '2026-11-20');
  await make.payment(client, { tenant_id, amount_cents: 1, paid_on: '2026-10-02' });
  expect(await changed(1)).toEqual(['2026-10-01 partial 99999']);
  await turnTo('2026-11-20');
  expect(await changed(2)).toEqual(['2026-10-01 paid 0', '2026-11-01 paid 0']);
  await turnTo('2026-11-30');
  expect(await changed(1)).toEqual(['2026-12-01 upcoming 100000']);
  await pay(99_999, '2026-11-30');
  await turnTo('2026-12-01');
  expect(await changed(1)).toEqual(['2026-12-01 paid 0']);
  expect(
    await eventsOf(service, client).then((all) => all.filter(({ event }) => event === 'charge.updated')),
  ).toEqual([]);
});
