import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../../test/abuse/fuzz/settings.ts';
import { until } from '../../test/support/process.ts';
import { eventsOf, expectError, expectInvalid, type Fields, make } from '../../test/support/records.ts';
import { type Answer, type Client, type Service, testService } from '../../test/support/service.ts';
import { thorough } from '../../test/support/thorough.ts';
import { yearOfDays, yearOfEverything, yearOfTest } from '../../test/support/year.ts';
import { createDayClock } from '../days/day-clock.ts';
import { sql } from '../db/sql.ts';
import { idTime, parseId } from '../ids.ts';
import { addDays } from '../ledger/rules/calendar.ts';
import { advanceClock } from './advance.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const trial = async (live?: Client): Promise<Client> => service.trialOf(live ?? (await service.client()));

const nowOf = async (client: Client): Promise<Date> =>
  new Date((await client.get('/test/clock')).body.data.now);
const inDays = (from: Date, days: number) => new Date(from.getTime() + days * 86_400_000).toISOString();
const advance = async (client: Client, days: number) =>
  client.post('/test/clock/advance', { to: inDays(await nowOf(client), days) });

test('the clock is real until it is moved, and then everything has its time', async () => {
  const client = await trial();
  const before = Date.now();
  const real = await nowOf(client);
  expect(real.getTime()).toBeGreaterThanOrEqual(before);
  expect(real.getTime()).toBeLessThanOrEqual(Date.now());
  const lease = await make.lease(client, { start_date: addDays(real.toISOString().slice(0, 10), 3) });
  expect(lease.status).toBe('upcoming');
  const to = inDays(real, 100);
  const moved = await client.post('/test/clock/advance', { to });
  expect(moved.status, moved.text).toBe(200);
  expect(moved.body.data.days).toBe(100);
  expect(moved.body.data.posted.rent).toBeGreaterThanOrEqual(3);
  expect(moved.body.data.told['charge.created']).toBe(moved.body.data.posted.rent);
  expect(moved.body.data.told['lease.started']).toBe(1);
  expect((await nowOf(client)).getTime()).toBeGreaterThanOrEqual(Date.parse(to));

  const day = to.slice(0, 10);
  const paid = (
    await client.post('/payments', { tenant_id: lease.tenant_ids[0], amount_cents: 5, method: 'cash' })
  ).body.data;
  expect(paid.paid_on).toBe(day);
  expect(paid.created_at.slice(0, 10)).toBe(day);
  expect(idTime(parseId('pay', paid.id) ?? '').toISOString()).toBe(paid.created_at);
  expect((await client.get(`/leases/${lease.id}`)).body.data.status).toBe('active');
  expect((await client.get('/payments')).body.data[0].id).toBe(paid.id);
  const told = await eventsOf(service, client);
  expect(JSON.parse(told.at(-1)?.body ?? '{}').created_at.slice(0, 10)).toBe(day);
  const created = told.map(({ body }) => JSON.parse(body).created_at as string);
  expect(created).toEqual(created.toSorted());
});

test('nobody else has its time', async () => {
  const live = await service.client();
  const client = await trial(live);
  expect((await advance(client, 400)).status).toBe(200);
  const property = await make.property(live);
  expect(Math.abs(Date.parse(property.created_at) - Date.now())).toBeLessThan(600_000);
  expect((await live.get(`/properties/${property.id}`)).status).toBe(200);
});

test('moved to the past, to the present, too far, to nothing, or with a live key, it stays where it is', async () => {
  const live = await service.client();
  const client = await trial(live);
  const now = await nowOf(client);
  for (const to of [
    inDays(now, -1),
    now.toISOString(),
    inDays(now, 732),
    'tomorrow',
    null,
    '2026-13-01T00:00:00Z',
  ])
    expectInvalid(await client.post('/test/clock/advance', { to }), 'to');
  expectInvalid(await client.post('/test/clock/advance', {}), 'to');
  for (const [method, path] of [
    ['GET', '/test/clock'],
    ['POST', '/test/clock/advance'],
    ['POST', '/test/reset'],
  ] as const)
    expectError(
      await service.request(method, path, { key: live.key, ...(method === 'POST' && { body: {} }) }),
      404,
      'Not found',
    );
  const reader = await service.client({ accountId: client.accountId, permission: 'read' });
  expect((await advance(reader, 1)).status).toBe(403);
  expect((await nowOf(client)).getTime() - now.getTime()).toBeLessThan(600_000);
});

test('while an advance is under way another is refused, and so is a reset; it continues undisturbed', async () => {
  const client = await trial();
  await make.lease(client, { start_date: '2026-01-01' });
  const now = await nowOf(client);
  const [to, further] = [new Date(inDays(now, 400)), inDays(now, 700)];
  let refusals: Promise<Answer[]> | undefined;
  let answers: Answer[] | undefined;
  const { days } = await advanceClock(service.app.db, client.accountId, to, {
    now: service.app.now,
    async onDays() {
      refusals ??= Promise.all([
        client.post('/test/clock/advance', { to: further }),
        client.post('/test/reset', {}),
      ]);
      // It continues until both have seen it under way.
      answers ??= await Promise.race([refusals, sleep(500, undefined)]);
    },
  });
  expect(answers).toHaveLength(2);
  for (const answer of answers ?? []) {
    expectError(answer, 409, /being moved/);
    expect(answer.body.error.type).toBe('advance_in_progress');
  }
  expect(days).toBeGreaterThanOrEqual(399);
  expect((await nowOf(client)).toISOString().slice(0, 10)).toBe(to.toISOString().slice(0, 10));
  expect((await client.get('/leases')).body.count).toBe(1);
});

test('nobody waits for one that died: the next continues', async () => {
  const client = await trial();
  await service.database.db.query(sql`
    update account_clocks set advance_id = gen_random_uuid(), advancing_until = now() + interval '1 second'
    where account_id = ${client.accountId}`);
  expect((await advance(client, 2)).body.data.days).toBe(2);
});

test.each(thorough || isLong ? [true, false] : [true])(
  'many days in one go give the same as single days, entry for entry and event for event (daily fees: %s)',
  async (daily) => {
    const lived = await service.client();
    const extent = { daily, ...(isLong ? { units: 150, days: 365 } : { units: 6, days: 100 }) };
    const year = await yearOfDays(service, lived, extent);
    expect(year.events.length).toBeGreaterThan(50);
    expect(await yearOfTest(service, await trial(), extent)).toEqual(year);
    expect(await yearOfEverything(service, await service.client(), extent)).toEqual(year);
    service.app.now = () => new Date();
  },
  isLong ? 3_600_000 : 600_000,
);

test('what many days in one go bring has the times of its days, as if each had been turned alone', async () => {
  const byDays: string[][] = [];
  for (const steps of [[45], Array.from({ length: 45 }, () => 1)]) {
    const client = await trial();
    const today = (await nowOf(client)).toISOString().slice(0, 10);
    const late_fees = { grace_days: 2, first: { fixed_cents: 500 }, daily: null, cap_cents: null };
    await client.patch('/account', { late_fees, post_days_before_due: 3 });
    // Its rent falls due where the first days have begun already, and once more on the way.
    const lease = await make.lease(client, {
      start_date: addDays(today, -20),
      ledger_from: addDays(today, -20),
      due_day: Math.min(28, Number(addDays(today, 10).slice(8))),
    });
    const [tenant_id] = lease.tenant_ids;
    await make.payment(client, { tenant_id, amount_cents: 10_000, paid_on: addDays(today, 12) });
    for (const days of steps) expect((await advance(client, days)).status).toBe(200);
    const charges: Fields[] = (await client.get('/charges?limit=100')).body.data;
    const dayOf = (time: unknown) => `${time}`.slice(0, 10);
    byDays.push([
      ...charges
        .map((of) => `${of.kind} ${of.due_on} ${dayOf(of.created_at)} ${dayOf(of.updated_at)}`)
        .sort(),
      ...(await eventsOf(service, client)).map(({ event, body }) => {
        const { data, created_at } = JSON.parse(body);
        const [record] = Object.values<Fields>(data);
        return `${dayOf(created_at)} ${event} ${record?.due_on} ${record?.status} ${dayOf(record?.updated_at)}`;
      }),
    ]);
  }
  const [together, apart] = byDays;
  expect(together?.length).toBeGreaterThan(15);
  expect(together).toEqual(apart);
});

test('the worker continues where the clock was moved to', async () => {
  const client = await trial();
  const now = await nowOf(client);
  const midnight = new Date(`${inDays(now, 40).slice(0, 10)}T23:59:59.500Z`);
  await client.post('/test/clock/advance', { to: midnight.toISOString() });
  const clock = createDayClock(service.app);
  clock.start();
  const next = addDays(midnight.toISOString().slice(0, 10), 1);
  await until(async () => {
    const [row] = await service.database.db.query<{ through: string }>(
      sql`select through_day::text as through from account_clocks where account_id = ${client.accountId}`,
    );
    return row?.through === next;
  });
  await clock.stop();
});

test('with an Idempotency-Key, the clock is moved once and test mode emptied once', async () => {
  const client = await trial();
  await make.lease(client, { start_date: (await nowOf(client)).toISOString().slice(0, 10) });
  const to = inDays(await nowOf(client), 40);
  const key = { 'idempotency-key': 'forty-days' };
  const move = (headers: Record<string, string>, day = to) =>
    client.post('/test/clock/advance', { to: day }, headers);
  const moved = await move(key);
  expect(moved.body.data).toMatchObject({ now: to, days: 40 });
  for (const _ of [1, 2]) {
    const again = await move(key);
    expect([again.status, again.text]).toEqual([200, moved.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  }
  expectInvalid(await move({}), 'to');
  expect((await move(key, inDays(new Date(to), 1))).status).toBe(422);
  expect((await nowOf(client)).getTime()).toBeLessThan(Date.parse(to) + 60_000);

  const empty = () => client.post('/test/reset', {}, { 'idempotency-key': 'empty' });
  const emptied = await empty();
  const { id } = await make.property(client);
  const again = await empty();
  expect([again.status, again.text]).toEqual([200, emptied.text]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect((await client.get(`/properties/${id}`)).status).toBe(200);
});

test('a reset empties all of it, in real time, and the key keeps working', async () => {
  const live = await service.client();
  const client = await trial(live);
  const kept = await make.property(live);
  await make.lease(client, { start_date: '2026-01-01' });
  await client.post('/webhooks', { url: 'https://example.com/hook', events: ['*'] });
  await advance(client, 60);
  const { body } = await client.post('/test/reset', {});
  expect(body.data.made).toEqual({});
  expect((await nowOf(client)).getTime()).toBeLessThanOrEqual(Date.now());
  for (const list of ['properties', 'leases', 'payments', 'charges', 'tenants', 'webhooks', 'events'])
    expect([list, (await client.get(`/${list}`)).body.count]).toEqual([list, 0]);
  expect((await live.get(`/properties/${kept.id}`)).status).toBe(200);
  expect((await client.post('/test/reset', { demo: true })).body.data.made.units).toBeGreaterThan(100);
  expect((await client.get('/leases')).body.count).toBeGreaterThan(10);
});
