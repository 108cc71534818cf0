import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { days, hours, startOfDay, todayIn } from '../../src/clock.ts';
import { turnNextDay } from '../../src/days/turn-day.ts';
import type { Db } from '../../src/db/connect.ts';
import { sql } from '../../src/db/sql.ts';
import { addDays } from '../../src/ledger/rules/calendar.ts';
import { spawnServer, until } from '../support/process.ts';
import { eventsOf, make } from '../support/records.ts';
import { type Client, type Service, testService } from '../support/service.ts';
import { keepRunning } from './support/keep-running.ts';
import { randomFrom, scale, seed } from './support/scale.ts';

/**
 * Time zones with every length of a day, every way for a day to begin, and an hour's change in the middle of the night.
 */
const zones = [
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/New_York',
  'America/Santiago',
];
const kinds = scale(3, 1);
const accounts = scale(200, zones.length * kinds);
const workers = 3;

/** All days are in the past, because the clock trusts no machine that is ahead of the database. */
const begin = new Date('2025-09-01T00:00:00Z');
const stormDays = scale(20, 4);
const outageDays = scale(400, 125);
const end = new Date(begin.getTime() + days(stormDays + outageDays));

/**
 * Workers turn the days of many accounts while they are killed, while their clock goes back, and after an outage of
 * more than a year (in `npm test`, of four months into the next year). Each account must end up as the same account
 * does where nothing ever failed.
 */
test('whoever dies when, and whatever the clock does, every day is turned once, whole and in order', {
  timeout: scale(600_000, 300_000),
}, async () => {
  const random = randomFrom(seed);
  const calm = await serviceWithAccounts(zones.length * kinds);
  const troubled = await serviceWithAccounts(accounts);
  const expected = Promise.all(
    calm.clients.map(({ accountId }) => turnInTime(calm.service.database.db, accountId)),
  );

  const clock = shiftedClock();
  const names = Array.from({ length: workers }, (_, n) => `worker ${n + 1}`);
  clock.set(begin);
  const running = names.map((name) => {
    const kept = keepRunning(name, () => spawnServer(workerSettings(troubled.service, clock), 'worker'));
    onTestFinished(() => kept.stop());
    return kept;
  });
  await Promise.all(running.map((kept) => kept.ready()));
  const kill = () => running[Math.floor(random() * workers)]?.kill() ?? false;

  let [now, kills, stepsBack] = [begin.getTime(), 0, 0];
  while (now < begin.getTime() + days(stormDays)) {
    now += hours(3 + random() * 10);
    if (random() < 0.15) {
      clock.set(new Date(now - hours(1 + random() * 30)));
      stepsBack++;
      await sleep(random() * 300);
    }
    clock.set(new Date(now));
    await sleep(random() * scale(1_500, 400));
    if (random() < scale(0.4, 0.1) && kill()) kills++;
    if (random() < 0.5) await isDone(troubled.service.database.db, new Date(now));
  }
  for (const kept of running) if (kept.kill()) kills++;
  clock.set(end);
  const { db } = troubled.service.database;
  for (let more = scale(30, 1); more > 0; ) {
    await sleep(scale(2_000, 700) * random());
    if ((await behind(db, end)) === 0) break;
    if (kill()) more--;
  }
  await isDone(db, end);
  await Promise.all(running.map((kept) => kept.stop()));
  kills = running.reduce((sum, kept) => sum + kept.killed().times, 0);
  expect(kills).toBeGreaterThan(workers);

  await expected;
  const references = await Promise.all(calm.clients.map((client) => historyOf(calm.service, client)));
  let told = 0;
  for (const [n, client] of troubled.clients.entries()) {
    const history = await historyOf(troubled.service, client);
    expect(history, `seed ${seed}, account ${n}`).toEqual(references[n % references.length]);
    told += history.events.length;
  }
  expect(
    running.flatMap((kept) => kept.troubles()),
    `seed ${seed}`,
  ).toEqual([]);
  expect(references[0]?.charges.length).toBeGreaterThan(scale(30, 15));
  console.log(
    `seed ${seed}: ${accounts} accounts, ${stormDays + outageDays} days, ${kills} kills, ${stepsBack} steps back, ${told} events`,
  );
});

/** Accounts of every time zone and kind, as they are at the beginning. */
async function serviceWithAccounts(count: number): Promise<{ service: Service; clients: Client[] }> {
  const service = await testService();
  onTestFinished(() => service.close());
  // Ids contain the time.
  vi.useFakeTimers({ toFake: ['Date'], now: begin });
  onTestFinished(() => void vi.useRealTimers());
  const clients: Client[] = [];
  for (let n = 0; n < count; n++) clients.push(await accountOf(service, n));
  vi.useRealTimers();
  return { service, clients };
}

async function accountOf(service: Service, n: number): Promise<Client> {
  const client = await service.client();
  const zone = zones[n % zones.length] ?? '';
  const kind = Math.floor(n / zones.length) % kinds;
  const today = todayIn(zone, begin);
  await service.database.db.query(sql`
    update accounts set time_zone = ${zone}, post_days_before_due = ${[5, 0, 14][kind]}
    where id = ${client.accountId}`);
  await service.database.db.query(sql`
    update account_clocks set through_day = ${today}, next_turn_at = ${startOfDay(addDays(today, 1), zone)}
    where account_id = ${client.accountId}`);
  const { id } = await make.property(client, { units: [{ name: 'A' }, { name: 'B' }, { name: 'C' }] });
  const { body } = await client.get(`/units?property_id=${id}`);
  const unitId = (name: string) => body.data.find((unit: { name: string }) => unit.name === name).id;
  const lease = async (name: string, fields: object) => {
    const tenant = await make.tenant(client, { first_name: name });
    return make.lease(client, { unit_id: unitId(name), tenant_ids: [tenant.id], ...fields });
  };
  const pay = (lease: { tenant_ids: string[] }, amount_cents: number, paid_on: string) =>
    make.payment(client, { tenant_id: lease.tenant_ids[0], amount_cents, paid_on });
  // This lease runs, gets an additional charge every other week until winter, and is paid far ahead in the end.
  const first = await lease('A', { start_date: '2025-03-01', due_day: 1 + kind * 9, end_date: '2026-06-30' });
  const every = { every: 'two_weeks', starts_on: '2025-09-03', ends_on: '2025-12-31' };
  const parking = { lease_id: first.id, kind: 'parking', amount_cents: 2_500, ...every };
  expect((await client.post('/recurring-charges', parking)).status).toBe(201);
  await pay(first, 125_000, '2025-09-01');
  await pay(first, 3_000_000, '2025-09-20');
  // This lease begins soon, and the tenant moves out again.
  const second = await lease('B', {
    start_date: '2025-09-05',
    due_day: 28,
    deposit_cents: 50_000,
    notice_given_on: '2025-09-07',
    ended_on: '2026-02-14',
  });
  await pay(second, 2_000_000, '2025-10-28');
  // This tenant pays late for a while.
  const late = await lease('C', {
    start_date: '2025-08-15',
    due_day: 3,
    late_fees: {
      grace_days: 1,
      first: { fixed_cents: 2_000 },
      daily: { percent_of_open: 0.1 },
      cap_cents: 4_000,
    },
  });
  await pay(late, 100_000, '2025-09-06');
  await pay(late, 3_000_000, '2025-10-10');
  return client;
}

/** Turns each day at the moment when it begins. */
async function turnInTime(db: Db, accountId: string): Promise<void> {
  for (;;) {
    const [clock] = await db.query<{ next_turn_at: Date }>(
      sql`select next_turn_at from account_clocks where account_id = ${accountId}`,
    );
    if (clock === undefined || clock.next_turn_at > end) return;
    await turnNextDay(db, accountId, clock.next_turn_at);
  }
}

function workerSettings(service: Service, clock: { file: string }) {
  return {
    DATABASE_URL: service.database.url,
    SECRET_KEY: service.secretKey,
    CLOCK_FILE: clock.file,
    // Events of a year ago are compared, so they are kept.
    RETENTION_DAYS: '1000',
    NODE_OPTIONS: `--import ${pathToFileURL('test/faults/support/shifted-clock.mjs')}`,
  };
}

function shiftedClock() {
  const file = join(tmpdir(), `tenure-clock-${process.pid}-${process.hrtime.bigint()}`);
  onTestFinished(() => rmSync(file, { force: true }));
  return { file, set: (time: Date) => writeFileSync(file, `${time.getTime() - Date.now()}\n`) };
}

async function behind(db: Db, now: Date): Promise<number> {
  const rows = await db.query(sql`select from account_clocks where next_turn_at <= ${now}`);
  return rows.length;
}

const isDone = (db: Db, now: Date) => until(async () => (await behind(db, now)) === 0);

/** What has happened in an account, with names instead of ids: its charges, and its events in order. */
async function historyOf(service: Service, client: Client) {
  const { db } = service.database;
  const charges = await db.query<{ line: string }>(sql`
    select concat_ws(' ', u.name, c.due_on, c.kind, c.period, c.amount_cents, c.source, c.overdue_from, c.void_reason)
      as line
    from charges c join units u on u.account_id = ${client.accountId} and u.id = c.unit_id
    where c.account_id = ${client.accountId} order by 1`);
  const units = await db.query<{ id: string; name: string }>(
    sql`select 'unit_' || replace(id::text, '-', '') as id, name from units where account_id = ${client.accountId}`,
  );
  const unitNames = new Map(units.map(({ id, name }) => [id, name]));
  const events = (await eventsOf(service, client)).map(({ event, body }) => {
    const [record = {}] = Object.values<Record<string, string>>(JSON.parse(body).data);
    const whose = unitNames.get(record.unit_id ?? '') ?? record.name ?? record.first_name;
    const { kind, due_on, period, amount_cents, status, open_cents, lease_status, void_reason } = record;
    return [event, whose, kind, due_on, period, amount_cents, status, open_cents, lease_status, void_reason]
      .filter((value) => value !== null && value !== undefined)
      .join(' ');
  });
  const [clock] = await db.query<{ through: string }>(
    sql`select through_day::text as through from account_clocks where account_id = ${client.accountId}`,
  );
  return { through: clock?.through, charges: charges.map(({ line }) => line), events };
}
