import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { clock } from '../src/caller.ts';
import { leasesThatDisagree } from '../src/cli/doctor/ledger.ts';
import { adoptWrites } from '../src/days/adopt.ts';
import { turnNextDay } from '../src/days/turn-day.ts';
import { migrate } from '../src/db/migrate.ts';
import { raw, sql } from '../src/db/sql.ts';
import { formatId, newId, parseId } from '../src/ids.ts';
import { freshen } from '../src/ledger/freshen.ts';
import { firstOfMonth, monthOf } from '../src/ledger/rules/calendar.ts';
import { testDatabase } from './support/database.ts';
import { octoberLease } from './support/ledger.ts';
import { day, make } from './support/records.ts';
import { testService } from './support/service.ts';

test('leases of a database from before the ledger are charged from the current month on, each month once', async () => {
  const database = await testDatabase('empty');
  const { db } = database;
  await migrate(db, 7);
  const [account, property, unit, other, tenant, lease, ended, returned] = Array.from({ length: 8 }, newId);
  const times = sql`now() - interval '400 days', now() - interval '20 days'`;
  await db.query(sql`insert into accounts (id, name, slug) values (${account}, 'Old', 'old')`);
  await db.query(sql`
    insert into properties (account_id, id, name, type, status, created_at, updated_at)
    values (${account}, ${property}, 'Maple Court', 'other', 'active', ${times})`);
  await db.query(sql`
    insert into units (account_id, id, property_id, name, offline, created_at, updated_at)
    values (${account}, ${unit}, ${property}, '1A', false, ${times}),
      (${account}, ${other}, ${property}, '1B', false, ${times})`);
  await db.query(sql`
    insert into tenants (account_id, id, first_name, last_name, created_at, updated_at)
    values (${account}, ${tenant}, 'Ada', 'Okafor', ${times})`);
  await db.query(sql`
    insert into leases (account_id, id, unit_id, property_id, start_date, end_date, rent_cents, deposit_cents, currency,
      due_day, created_at, updated_at)
    values (${account}, ${lease}, ${unit}, ${property}, '2020-01-10', null, 100000, 50000, 'USD', 1, ${times}),
      (${account}, ${ended}, ${other}, ${property}, '2020-01-10', '2021-01-09', 90000, null, 'USD', 1, ${times})`);
  await db.query(sql`
    insert into lease_tenants (account_id, lease_id, tenant_id, position) values (${account}, ${lease}, ${tenant}, 1)`);
  await db.query(sql`
    insert into payments (account_id, id, tenant_id, lease_id, unit_id, property_id, amount_cents, currency, paid_on,
      method, status, source, created_at, updated_at)
    values
      (${account}, ${returned}, ${tenant}, ${lease}, ${unit}, ${property}, 7, 'USD', '2020-02-01', 'check', 'returned',
        'api', ${times}),
      (${account}, ${newId()}, ${tenant}, ${lease}, ${unit}, ${property}, 5, 'USD', '2020-02-01', 'check', 'paid', 'api',
        ${times})`);

  await migrate(db);

  const today = day(0);
  const leases = await db.query(sql`
    select ledger_from::text, opening_balance_cents::integer, proration, late_fees, rent_changes from leases
    where account_id = ${account}`);
  const unchanged = {
    opening_balance_cents: 0,
    proration: 'actual_days',
    late_fees: 'inherit',
    rent_changes: [],
  };
  expect(leases).toEqual(Array(2).fill({ ledger_from: firstOfMonth(today), ...unchanged }));
  const payments = await db.query(sql`
    select status, reversed_on::text, lease_given from payments where account_id = ${account} order by status`);
  expect(payments).toEqual([
    { status: 'paid', reversed_on: null, lease_given: false },
    { status: 'returned', reversed_on: day(-20), lease_given: false },
  ]);
  const clocks = await db.query(
    sql`select through_day::text from account_clocks where account_id = ${account}`,
  );
  expect(clocks).toEqual([{ through_day: day(-1) }]);

  // The clock's first run charges the month, and a second run finds nothing to do.
  const now = new Date();
  expect(await turnNextDay(db, account ?? '', now)).toBe(today);
  expect(await turnNextDay(db, account ?? '', now)).toBeNull();
  await freshen(db, { accountId: account ?? '', actor: clock, now, today, events: true });
  const charges = await db.query(sql`
    select lease_id, kind, period, amount_cents::integer, source from charges
    where account_id = ${account} and due_on <= ${today}::date`);
  const rent = { kind: 'rent', period: monthOf(today), amount_cents: 100_000, source: 'schedule' };
  expect(charges).toEqual([{ lease_id: lease, ...rent }]);
  const open = await db.query(sql`
    select lease_id, kind, amount_cents::integer, to_day from open_spans where account_id = ${account} and from_day <= ${today}::date`);
  expect(open).toEqual([{ lease_id: lease, kind: 'charge', amount_cents: 100_000, to_day: null }]);
  await database.drop();
});

test('what processes of the previous release write beside it is charged and counted all the same', async () => {
  const service = await testService();
  const { db } = service.database;
  const client = await service.client();
  const { accountId: account } = client;
  const [now, today] = [new Date(), day(0)];
  // The account looks like one that existed before the migration.
  await db.query(sql`update account_clocks set adopts_until = ${now} where account_id = ${account}`);
  const adoptBefore = new Date(now.getTime() - 1_000);
  const untouched = await service.client();

  // The statement names only the columns that the previous release knows.
  const columns = await db.query(sql`
    select table_name, column_name from information_schema.columns c
    where table_schema = 'public' and is_nullable = 'NO' and column_default is null and is_generated = 'NEVER'
      and table_name in ('accounts', 'properties', 'leases', 'payments')
      and column_name in ('time_zone', 'post_days_before_due', 'lease_expiring_days', 'late_fees', 'rent_changes',
        'proration', 'ledger_from', 'opening_balance_cents', 'lease_given')`);
  expect(columns).toEqual([]);
  const [unit, tenant] = [await make.unit(client), await make.tenant(client)];
  const [unitId, propertyId] = [parseId('unit', unit.id), parseId('prop', unit.property_id)];
  const [tenantId, lease, payment] = [parseId('ten', tenant.id), newId(), newId()];
  await db.query(sql`
    insert into payments (account_id, id, tenant_id, amount_cents, currency, paid_on, method, status, source, created_at,
      updated_at)
    values (${account}, ${payment}, ${tenantId}, 100000, 'USD', ${today}, 'check', 'paid', 'api', now(), now())`);
  await db.query(sql`
    insert into leases (account_id, id, unit_id, property_id, start_date, end_date, rent_cents, deposit_cents, currency,
      due_day, created_at, updated_at)
    values (${account}, ${lease}, ${unitId}, ${propertyId}, '2020-01-10', null, 100000, null, 'USD', 1, now(), now())`);
  await db.query(sql`
    insert into lease_tenants (account_id, lease_id, tenant_id, position) values (${account}, ${lease}, ${tenantId}, 1)`);
  await adoptWrites(db, adoptBefore);
  const due = async () => {
    const { body } = await client.get(`/charges?lease_id=${formatId('lease', lease)}&to=${today}`);
    return body.data.map(({ kind, period, amount_cents, open_cents, voided_on }: Record<string, unknown>) =>
      voided_on ? 'voided' : `${kind} ${period} ${amount_cents} ${open_cents}`,
    );
  };
  expect(await due()).toEqual([`rent ${monthOf(today)} 100000 0`]);
  expect(await leasesThatDisagree(db, account)).toEqual([]);

  // It marks the payment as returned.
  await db.query(sql`
    update payments set status = 'returned', updated_at = now() where account_id = ${account} and id = ${payment}`);
  await adoptWrites(db, adoptBefore);
  const reversed = (await client.get(`/payments/${formatId('pay', payment)}`)).body.data;
  expect(reversed).toMatchObject({ status: 'returned', reversed_on: today });
  expect(await due()).toEqual([`rent ${monthOf(today)} 100000 100000`]);

  // What it changed by then is corrected once, when it is gone.
  await db.query(sql`update leases set rent_cents = 90000 where account_id = ${account} and id = ${lease}`);
  await adoptWrites(db, adoptBefore);
  expect(await due()).toEqual([`rent ${monthOf(today)} 100000 100000`]);
  for (let times = 0; times < 2; times++) await adoptWrites(db, now);
  expect((await due()).toSorted()).toEqual([`rent ${monthOf(today)} 90000 90000`, 'voided']);
  expect(await leasesThatDisagree(db, account)).toEqual([]);
  const clocks = await db.query(sql`select account_id from account_clocks where adopts_until is not null`);
  expect(clocks).toEqual([]);
  expect((await untouched.get('/events')).body.data).toEqual([]);
  await service.close();
});

test('leases with money for a charge that was made again are recalculated', async () => {
  const service = await testService();
  const { db } = service.database;
  const client = await service.client();
  const [moved, other] = [await octoberLease(client, deposit), await octoberLease(client, deposit)];
  for (const lease of [moved, other]) {
    const [{ id }] = (await client.get(`/charges?lease_id=${lease.id}&kind=deposit`)).body.data;
    await make.payment(client, { tenant_id: lease.tenant_ids[0], charge_id: id, amount_cents: 50_000 });
  }
  await client.patch(`/leases/${moved.id}`, { start_date: '2026-10-11' });
  // The open amounts are deleted, to show which leases are recalculated.
  await client.get('/balances');
  await db.query(sql`delete from open_spans where account_id = ${client.accountId}`);

  await db.query(raw(await readFile('db/migrations/0036_in_place_of.sql', 'utf8')));
  const owed = async ({ tenant_ids }: { tenant_ids: string[] }) =>
    (await client.get(`/balances?tenant_id=${tenant_ids[0]}`)).body.data[0].owed_cents;
  expect(await owed(moved)).toBeGreaterThan(0);
  expect(await owed(other)).toBe(0);
  await service.close();
});

const deposit = { deposit_cents: 50_000 };
