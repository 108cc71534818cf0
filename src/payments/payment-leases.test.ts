import { expect, test } from 'vitest';
import { importAll, importCsv, readCsv } from '../../test/support/csv.ts';
import { nounTests } from '../../test/support/noun.ts';
import {
  day,
  dumpOf,
  expectInvalid,
  expectSameBytes,
  make,
  unknownId,
  wrongCents,
} from '../../test/support/records.ts';
import type { Client } from '../../test/support/service.ts';
import { type Caller, operator } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { newRow } from '../db/records/columns.ts';
import { sql } from '../db/sql.ts';
import { formatId, parseId } from '../ids.ts';
import { LeaseCreate } from '../leases/leases.schema.ts';
import { makeLease } from '../leases/leases.ts';
import { checkPayments } from './payment-leases.ts';
import { payments } from './payments.columns.ts';
import { paymentWriter } from './payments.ts';

const { client, eventsDuring, service } = await nounTests('/payments', 'payment', 'pay');
const { db } = service.database;

interface Lease {
  id: string;
  unit_id: string;
  property_id: string;
  tenant_ids: string[];
}

const post = (fields: object, by = client) => by.post('/payments', { amount_cents: 5, ...fields });
const paid = async (tenant_id: string, paid_on: string, more = {}) =>
  make.payment(client, { tenant_id, paid_on, amount_cents: 5, ...more });
const patch = (id: string, change: object) => client.patch(`/payments/${id}`, change);
const leaseOf = async ({ id }: { id: string }) => (await client.get(`/payments/${id}`)).body.data.lease_id;
const place = ({ id, unit_id, property_id }: Lease) => ({ lease_id: id, unit_id, property_id });

/** Makes a charge of the lease. */
async function charge({ id }: Lease, { voided = false } = {}): Promise<string> {
  const fields = { lease_id: id, kind: 'utility', amount_cents: 100, due_on: '2026-03-01' };
  const { body } = await client.post('/charges', fields);
  if (voided) await voidCharge(body.data.id);
  return body.data.id;
}

async function voidCharge(id: string): Promise<void> {
  expect((await client.post(`/charges/${id}/void`, { reason: 'by mistake' })).status).toBe(200);
}

/** The leases that the work marks, each with the first day to recalculate. */
async function marksOf(work: () => Promise<unknown>, by = client): Promise<Record<string, string>> {
  const taken = await db.query<{ mark: string }>(
    sql`select mark from ledger_changes where account_id = ${by.accountId}`,
  );
  await work();
  const rows = await db.query<{ lease_id: string; from_day: string }>(sql`
    select lease_id, min(from_day)::text as from_day from ledger_changes
    where account_id = ${by.accountId} and mark <> all(${taken.map(({ mark }) => mark)}::uuid[]) group by lease_id`);
  return Object.fromEntries(rows.map(({ lease_id, from_day }) => [formatId('lease', lease_id), from_day]));
}

test("a payment is for the lease that runs on its day, else the tenant's next one, else the last that ended", async () => {
  const [tenant, flatmate] = [await make.tenant(client), await make.tenant(client)];
  const lease = (start_date: string, more = {}) =>
    make.lease(client, { tenant_ids: [tenant.id], start_date, ...more });
  const short = await lease('2024-01-01', { end_date: '2024-03-31' });
  const long = await lease('2023-06-01', { end_date: '2024-12-31' });
  const ended = await lease('2025-03-01', {
    end_date: '2025-12-31',
    ended_on: '2025-08-10',
    currency: 'EUR',
  });
  const later = await lease('2026-01-01', { tenant_ids: [flatmate.id, tenant.id], end_date: '2026-06-30' });
  const calledOff = await lease('2025-10-01', { ended_on: '2025-10-01' });
  const cases: [paidOn: string, lease: Lease][] = [
    ['2020-01-01', long],
    ['2023-06-01', long],
    ['2024-02-01', short],
    ['2024-04-01', long],
    ['2024-12-31', long],
    ['2025-01-01', ended],
    ['2025-03-01', ended],
    // A payment on the day of moving out is still for that lease.
    ['2025-08-10', ended],
    ['2025-08-11', later],
    ['2025-10-01', later],
    ['2026-06-30', later],
    ['2026-07-01', later],
    ['2999-12-31', later],
  ];
  for (const [paidOn, found] of cases)
    expect(await paid(tenant.id, paidOn), paidOn).toMatchObject({
      ...place(found),
      currency: found === ended ? 'EUR' : 'USD',
    });
  expect(await paid(tenant.id, '2025-05-01', { currency: 'CHF' })).toMatchObject({
    ...place(ended),
    currency: 'CHF',
  });
  expect(await paid(flatmate.id, '2020-01-01')).toMatchObject(place(later));

  const payment = await paid(tenant.id, '2024-02-01');
  const moved = await patch(payment.id, { paid_on: '2025-03-01' });
  expect(moved.body.data).toMatchObject({ ...place(ended), currency: 'USD', paid_on: '2025-03-01' });
  // The payment goes there only when it is named.
  const named = await patch(payment.id, { lease_id: calledOff.id });
  expect(named.body.data).toMatchObject(place(calledOff));
});

test('of leases that start or end together, a payment is for the same one whatever was entered first', async () => {
  const units = [await make.unit(client), await make.unit(client)];
  for (const order of [units, units.toReversed()]) {
    const tenant = await make.tenant(client);
    for (const unit of order)
      await make.lease(client, {
        unit_id: unit.id,
        tenant_ids: [tenant.id],
        start_date: order === units ? '2025-01-01' : '2026-01-01',
        end_date: order === units ? '2025-12-31' : '2026-12-31',
      });
    for (const paidOn of ['2020-01-01', '2025-06-01', '2026-06-01', '2027-06-01'])
      expect((await paid(tenant.id, paidOn)).unit_id).toBe(units[0].id);
  }
});

test('money for a cancelled lease is owed back there, whether it came before or after', async () => {
  const lease = await make.lease(client, { start_date: '2026-03-01' });
  const [tenant] = lease.tenant_ids;
  const before = await paid(tenant, '2026-02-20');
  await client.patch(`/leases/${lease.id}`, { ended_on: '2026-03-01' });
  const after = await paid(tenant, '2026-02-20');
  expect([await leaseOf(before), await leaseOf(after)]).toEqual([lease.id, lease.id]);
  const other = await make.lease(client, {
    tenant_ids: [tenant],
    start_date: '2025-01-01',
    end_date: '2025-12-31',
  });
  expect([await leaseOf(before), await leaseOf(after)]).toEqual([other.id, other.id]);
});

test('a lease may be named: one of the tenant’s, which then stays', async () => {
  const lease = await make.lease(client, { start_date: '2025-01-01', ended_on: '2025-06-01' });
  const [tenant] = lease.tenant_ids;
  const now = await make.lease(client, { tenant_ids: [tenant], start_date: '2026-01-01' });
  const others = await make.lease(client);
  expect((await post({ tenant_id: tenant, lease_id: lease.id })).body.data).toMatchObject(place(lease));
  const strange = await make.lease(await service.client());
  for (const lease_id of [others.id, strange.id, unknownId('lease')])
    expectInvalid(await post({ tenant_id: tenant, lease_id }), 'lease_id', /tenant's leases/);
  expectInvalid(await post({ tenant_id: unknownId('ten'), lease_id: lease.id }), 'tenant_id');

  const payment = await paid(tenant, '2026-02-01');
  expect(payment.lease_id).toBe(now.id);
  for (const lease_id of [others.id, strange.id, unknownId('lease')])
    expectInvalid(await patch(payment.id, { lease_id }), 'lease_id', /tenant's leases/);
  expect((await patch(payment.id, { lease_id: lease.id })).body.data).toMatchObject(place(lease));
  expect((await patch(payment.id, { paid_on: '2026-03-01' })).body.data).toMatchObject(place(lease));
  // The rule decides again.
  expect((await patch(payment.id, { lease_id: null })).body.data).toMatchObject(place(now));
  expect(await eventsDuring(() => patch(payment.id, { lease_id: null }))).toEqual([]);
  expect((await patch(payment.id, { paid_on: '2025-02-01' })).body.data).toMatchObject(place(lease));
});

test('a lease that is named stays though the rule would choose another, even if it was chosen at first', async () => {
  const lease = await make.lease(client, { start_date: '2026-01-01' });
  const [tenant] = lease.tenant_ids;
  const [named, confirmed, left] = [
    await paid(tenant, '2026-02-01', { lease_id: lease.id }),
    await paid(tenant, '2026-02-01'),
    await paid(tenant, '2026-02-01'),
  ];
  const events = await eventsDuring(async () => {
    const { body } = await patch(confirmed.id, { lease_id: lease.id });
    expect(body.data).toEqual(confirmed);
    await patch(confirmed.id, { lease_id: lease.id });
  });
  // No field that is shown has changed.
  expect(events).toEqual([]);
  await client.patch(`/leases/${lease.id}`, { ended_on: '2026-01-15' });
  const next = await make.lease(client, { tenant_ids: [tenant], start_date: '2026-01-20' });
  expect(await Promise.all([named, confirmed, left].map(leaseOf))).toEqual([lease.id, lease.id, next.id]);
});

test('a charge may be named: one that is not voided, of the lease, which then is the lease of the payment', async () => {
  const lease = await make.lease(client, { start_date: '2025-01-01', ended_on: '2025-06-01' });
  const [tenant] = lease.tenant_ids;
  const now = await make.lease(client, { tenant_ids: [tenant], start_date: '2026-01-01' });
  const [old, current] = [await charge(lease), await charge(now)];
  const voided = await charge(now, { voided: true });
  const others = await charge(await make.lease(client));
  const day = { tenant_id: tenant, paid_on: '2026-02-01' };
  expect((await post({ ...day, charge_id: old })).body.data).toMatchObject({
    ...place(lease),
    charge_id: old,
  });
  expect((await post({ ...day, charge_id: old, lease_id: lease.id })).status).toBe(201);
  for (const wrong of [
    { charge_id: unknownId('chg') },
    { charge_id: voided },
    { charge_id: others },
    { charge_id: old, lease_id: now.id },
  ])
    expectInvalid(await post({ ...day, ...wrong }), 'charge_id');
  expectInvalid(await post({ ...day, tenant_id: unknownId('ten'), charge_id: old }), 'tenant_id');
  const stranger = await service.client();
  const theirs = await make.tenant(stranger);
  expectInvalid(await post({ tenant_id: theirs.id, charge_id: old }, stranger), 'charge_id');

  const { id } = await paid(tenant, '2026-02-01');
  for (const charge_id of [unknownId('chg'), voided, others])
    expectInvalid(await patch(id, { charge_id }), 'charge_id');
  expect((await patch(id, { charge_id: old })).body.data).toMatchObject({ ...place(lease), charge_id: old });
  expect((await patch(id, { paid_on: '2026-03-01' })).body.data).toMatchObject(place(lease));
  expect((await patch(id, { lease_id: null, memo: 'x' })).body.data).toMatchObject(place(lease));
  expectInvalid(await patch(id, { lease_id: now.id }), 'charge_id');
  expect((await patch(id, { charge_id: current })).body.data).toMatchObject(place(now));
  // A payment whose lease was not named goes where the rule says again.
  await patch(id, { charge_id: old });
  expect((await patch(id, { charge_id: null })).body.data).toMatchObject({ ...place(now), charge_id: null });
  await patch(id, { lease_id: now.id });
  expectInvalid(await patch(id, { charge_id: old }), 'charge_id', /lease of the payment/);
  expect((await patch(id, { charge_id: old, lease_id: lease.id })).body.data).toMatchObject(place(lease));
});

test('a payment keeps a charge that was voided later', async () => {
  const lease = await make.lease(client);
  const charge_id = await charge(lease);
  const { id } = await paid(lease.tenant_ids[0], '2026-02-01', { charge_id });
  await voidCharge(charge_id);
  const { body } = await patch(id, { memo: 'x', amount_cents: 7, lease_id: lease.id });
  expect(body.data).toMatchObject({ memo: 'x', amount_cents: 7, charge_id, lease_id: lease.id });
});

test('of payments sent at once, each gets the error about the lease or charge that it names', async () => {
  const lease = await make.lease(client);
  const other = await make.lease(client);
  const charge_id = await charge(lease);
  const fields = [
    {},
    { lease_id: lease.id },
    { lease_id: other.id },
    { charge_id },
    { charge_id: unknownId('chg') },
    { tenant_id: other.tenant_ids[0], charge_id },
    { tenant_id: unknownId('ten') },
    { tenant_id: unknownId('ten'), charge_id },
  ];
  const wrong = [null, null, 'lease_id', null, 'charge_id', 'charge_id', 'tenant_id', 'tenant_id'];
  const sent = Array.from({ length: 64 }, (_, at) => at % fields.length);
  const answers = await Promise.all(
    sent.map((at) => post({ tenant_id: lease.tenant_ids[0], reference: `${at}`, ...fields[at] })),
  );
  answers.forEach((answer, n) => {
    const at = sent[n] ?? 0;
    const field = wrong[at] ?? null;
    if (field !== null) expectInvalid(answer, field);
    else expect(answer.body.data).toMatchObject({ lease_id: lease.id, reference: `${at}`, ...fields[at] });
  });
});

test('a payment that was there before its lease goes to it, with payment.updated', async () => {
  const tenant = await make.tenant(client);
  const payments = [await paid(tenant.id, '2026-03-01'), await paid(tenant.id, '2025-12-28')];
  const stays = await paid((await make.tenant(client)).id, '2026-03-01');
  expect(payments.map(({ lease_id }) => lease_id)).toEqual([null, null]);
  let lease: Lease = { id: '', unit_id: '', property_id: '', tenant_ids: [] };
  const events = await eventsDuring(async () => {
    lease = await make.lease(client, { tenant_ids: [tenant.id], start_date: '2026-01-01' });
  });
  const updated = events.filter(({ event }) => event === 'payment.updated');
  expect(events.map(({ event }) => event)).toContain('lease.created');
  expect(updated).toHaveLength(2);
  for (const [at, { id }] of payments.entries()) {
    const event = updated.find(({ body }) => body.includes(id));
    const { body } = await client.get(`/payments/${id}`);
    expect(body.data).toMatchObject({ ...payments[at], ...place(lease), updated_at: expect.any(String) });
    expect(body.data.updated_at > payments[at].updated_at).toBe(true);
    await expectSameBytes(client, event, `/payments/${id}`);
  }
  expect(await leaseOf(stays)).toBeNull();
});

test('payments follow the dates and tenants of leases, and stay with a lease that their tenant leaves', async () => {
  const [tenant, flatmate, stranger] = [
    await make.tenant(client),
    await make.tenant(client),
    await make.tenant(client),
  ];
  const first = await make.lease(client, {
    tenant_ids: [tenant.id, flatmate.id],
    start_date: '2025-01-01',
    end_date: '2025-12-31',
  });
  const second = await make.lease(client, { tenant_ids: [tenant.id], start_date: '2026-01-01' });
  const payment = await paid(tenant.id, '2025-12-15');
  const theirs = await paid(flatmate.id, '2025-12-15');
  const change = async (lease: Lease, fields: object, expected: Lease) => {
    const before = await leaseOf(payment);
    const events = await eventsDuring(() => client.patch(`/leases/${lease.id}`, fields));
    expect(await leaseOf(payment), JSON.stringify(fields)).toBe(expected.id);
    const moved = events.filter(({ event }) => event === 'payment.updated');
    expect(moved).toHaveLength(before === expected.id ? 0 : 1);
    expect(await leaseOf(theirs)).toBe(first.id);
  };
  await change(first, { ended_on: '2025-12-10' }, second);
  await change(first, { ended_on: null }, first);
  await change(first, { end_date: '2025-12-14' }, second);
  await change(first, { rent_cents: 7 }, second);
  await change(first, { end_date: '2025-12-15' }, first);
  await change(second, { start_date: '2025-12-15' }, second);
  await change(second, { start_date: '2025-12-16' }, first);
  await change(first, { tenant_ids: [flatmate.id] }, first);
  await change(second, { tenant_ids: [stranger.id] }, first);
  await change(first, { tenant_ids: [tenant.id] }, first);
  // The lease is called off, so nobody pays rent for it.
  await change(second, { tenant_ids: [tenant.id] }, first);
  await change(first, { ended_on: '2025-01-01' }, second);
});

test('what a flatmate paid stays with the flat when they move out, whatever flat they have then', async () => {
  const [tenant, flatmate] = [await make.tenant(client), await make.tenant(client)];
  const flat = await make.lease(client, { tenant_ids: [tenant.id, flatmate.id], start_date: '2025-01-01' });
  const payment = await paid(flatmate.id, '2025-06-01');
  const other = await make.lease(client, { tenant_ids: [tenant.id], start_date: '2025-03-01' });
  const events = await eventsDuring(async () => {
    await client.patch(`/leases/${flat.id}`, { tenant_ids: [tenant.id] });
    await client.patch(`/leases/${other.id}`, { tenant_ids: [tenant.id, flatmate.id] });
    await make.lease(client, { tenant_ids: [flatmate.id], start_date: '2025-02-01' });
  });
  expect(events.filter(({ event }) => event === 'payment.updated')).toEqual([]);
  expect(await leaseOf(payment)).toBe(flat.id);
  for (const change of [{ paid_on: '2025-06-02' }, { lease_id: null }, { memo: 'June' }])
    expect((await patch(payment.id, change)).body.data).toMatchObject(place(flat));
  expect((await patch(payment.id, { lease_id: other.id })).body.data).toMatchObject(place(other));
  // Back on the lease, they are treated like everybody else.
  const next = await paid(flatmate.id, '2025-03-02');
  await client.patch(`/leases/${other.id}`, { tenant_ids: [tenant.id] });
  await client.patch(`/leases/${other.id}`, { tenant_ids: [tenant.id, flatmate.id] });
  expect(await leaseOf(next)).toBe(other.id);
});

test('the lease of payments is the same whatever was entered first', async () => {
  const units = [await make.unit(client), await make.unit(client), await make.unit(client)];
  const days = ['2024-12-01', '2025-02-01', '2025-06-30', '2025-08-01', '2026-01-01', '2026-09-01'];
  const orders = [
    ['pay', 'first', 'second', 'third', 'end'],
    ['third', 'pay', 'first', 'end', 'second'],
    ['first', 'end', 'third', 'second', 'pay'],
    ['second', 'third', 'pay', 'first', 'end'],
  ];
  const found = [];
  for (const [at, order] of orders.entries()) {
    const tenant = await make.tenant(client);
    const leases: Record<string, Lease> = {};
    const lease = async (name: string, unit: number, start_date: string, end_date: string | null) => {
      leases[name] = await make.lease(client, {
        unit_id: (await make.unit(client, { property_id: units[unit].property_id })).id,
        tenant_ids: [tenant.id],
        start_date,
        end_date,
      });
    };
    const payments: { id: string }[] = [];
    const steps: Record<string, () => Promise<unknown>> = {
      first: () => lease('first', 0, '2025-01-01', '2025-12-31'),
      end: () => client.patch(`/leases/${leases.first?.id}`, { ended_on: '2025-06-30' }),
      second: () => lease('second', 1, '2025-07-15', '2025-09-30'),
      third: () => lease('third', 2, '2026-02-01', '2026-05-31'),
      pay: async () => {
        for (const paidOn of days) payments.push(await paid(tenant.id, paidOn));
      },
    };
    for (const step of order) await steps[step]?.();
    const ids = await Promise.all(payments.map(leaseOf));
    found[at] = ids.map((id) => Object.keys(leases).find((name) => leases[name]?.id === id));
  }
  const expected = ['first', 'first', 'first', 'second', 'third', 'third'];
  expect(found).toEqual(orders.map(() => expected));
});

/** Does something in a transaction, and something else before it commits. */
async function meanwhile(first: (tx: Db) => Promise<unknown>, then: () => Promise<unknown>): Promise<void> {
  await db.transaction(async (tx) => {
    await first(tx);
    await then();
  });
}

test('a payment that is written while its lease is, unseen by each other, gets the lease afterwards', async () => {
  const seconds = (count: number) => new Date(Date.now() + count * 1_000);
  const caller: Caller = {
    accountId: client.accountId,
    currency: 'USD',
    timeZone: 'UTC',
    permission: 'write',
    source: 'api',
    actor: operator,
  };
  const other = await service.client();
  const stranger = await make.payment(other, { tenant_id: (await make.tenant(other)).id });
  const [early, late] = [await make.tenant(client), await make.tenant(client)];
  const [unit, next] = [await make.unit(client), await make.unit(client)];
  const lease = (tx: Db, rented: Lease, tenant: { id: string }, start_date: string) =>
    makeLease(
      tx,
      caller,
      LeaseCreate.parse({ unit_id: rented.id, tenant_ids: [tenant.id], start_date, rent_cents: 5 }),
      new Date(),
    );

  // The payment is recorded after the lease has looked for payments, and before the lease becomes visible.
  const ids: string[] = [];
  await meanwhile(
    (tx) => lease(tx, unit, early, '2026-01-01'),
    async () => ids.push((await paid(early.id, '2026-02-01')).id),
  );
  // The payment is begun before the lease is made, and does not become visible before the lease does.
  const how = {
    accountId: client.accountId,
    actor: operator,
    now: new Date(),
    today: day(0),
    events: true,
    currency: 'USD',
  };
  const tenant_id = String(parseId('ten', late.id));
  const row = newRow(payments, {
    ...{ tenant_id, paid_on: '2026-02-01', amount_cents: 5, currency: 'USD' },
    ...{ method: 'cash', status: 'paid', source: 'api', lease_given: false },
  });
  ids.push(formatId('pay', row.id));
  await meanwhile(
    (tx) => paymentWriter.add(tx, how, [row]),
    async () => {
      await lease(db, next, late, '2026-01-01');
      await checkPayments(db, seconds(2));
    },
  );
  const leases = () => Promise.all(ids.map((id) => leaseOf({ id })));
  expect(await leases()).toEqual([expect.stringMatching(/^lease_/), null]);
  const events = await eventsDuring(() => checkPayments(db, seconds(40)));
  expect(events.map(({ event }) => event)).toEqual(['payment.updated']);
  const [ofEarly, ofLate] = await leases();
  for (const [tenant, found] of [
    [early, ofEarly],
    [late, ofLate],
  ])
    expect((await client.get(`/leases?tenant_id=${tenant.id}`)).body.data).toMatchObject([{ id: found }]);
  const { open } = (await client.get(`/leases/${ofLate}/ledger`)).body.data;
  expect(open).toBeDefined();
  expect((await other.get(`/payments/${stranger.id}`)).body.data.lease_id).toBeNull();

  // After the last look, nothing is left to do.
  for (const after of [5_000, 10_000, 20_000]) await checkPayments(db, seconds(after));
  expect(await db.query(sql`select id from payment_checks where account_id = ${client.accountId}`)).toEqual(
    [],
  );
});

test('a payment that is returned or refunded has the day of it: today, or another one not before it was paid', async () => {
  const tenant_id = (await make.tenant(client)).id;
  for (const status of ['returned', 'refunded']) {
    const reversed_on = '2026-05-05';
    const known = { tenant_id, paid_on: '2026-05-01', status };
    expect((await post(known)).body.data.reversed_on).toBe(day(0));
    expect((await post({ ...known, reversed_on })).body.data).toMatchObject({ status, reversed_on });
    expect((await post({ ...known, reversed_on: '2026-05-01' })).status).toBe(201);
    expectInvalid(await post({ ...known, reversed_on: '2026-04-30' }), 'reversed_on', /before `paid_on`/);
    expect((await post({ ...known, paid_on: day(9) })).body.data.reversed_on).toBe(day(9));

    const payment = await paid(tenant_id, '2026-05-01');
    expectInvalid(await patch(payment.id, { reversed_on }), 'reversed_on', /returned or refunded/);
    expectInvalid(await patch(payment.id, { status, reversed_on: '2026-04-30' }), 'reversed_on');
    expect((await patch(payment.id, { status })).body.data).toMatchObject({ status, reversed_on: day(0) });
    const corrected = await eventsDuring(() => patch(payment.id, { reversed_on }));
    expect(corrected.map(({ event }) => event)).toEqual(['payment.updated']);
    expect((await client.get(`/payments/${payment.id}`)).body.data.reversed_on).toBe(reversed_on);
    expectInvalid(await patch(payment.id, { reversed_on: '2026-04-30' }), 'reversed_on');
    // null is the default of the moment of the return, and the day is known by now.
    expect((await patch(payment.id, { reversed_on: null })).body.data).toMatchObject({ status, reversed_on });
    // Nothing but that day can be changed any more.
    expect((await patch(payment.id, { paid_on: '2026-05-06', reversed_on: '2026-05-06' })).status).toBe(409);
  }
  for (const status of ['pending', 'paid', 'failed', 'voided'])
    expectInvalid(
      await post({ tenant_id, status, reversed_on: day(0) }),
      'reversed_on',
      /returned or refunded/,
    );
});

test('a payment that is returned or refunded may be charged a fee, once, due on that day', async () => {
  const lease = await make.lease(client, { start_date: day(-40), ledger_from: day(-40), currency: 'EUR' });
  const [tenant_id] = lease.tenant_ids;
  const fees = async () =>
    (await client.get(`/charges?lease_id=${lease.id}&kind=returned_payment`)).body.data.toReversed();
  const fee = { lease_id: lease.id, kind: 'returned_payment', currency: 'EUR', source: 'api', memo: null };

  const { id } = await paid(tenant_id, day(-9));
  for (const change of [
    { fee_cents: 2_500 },
    { fee_cents: 2_500, status: 'voided' },
    { fee_cents: 1, memo: 'x' },
  ])
    expectInvalid(await patch(id, change), 'fee_cents', /becomes returned or refunded/);
  for (const fee_cents of wrongCents)
    expectInvalid(await patch(id, { status: 'returned', fee_cents }), 'fee_cents');
  const returned = { status: 'returned', reversed_on: day(-3), fee_cents: 2_500 };
  const events = await eventsDuring(async () => {
    const { status, body } = await patch(id, returned);
    expect([status, body.data.status, body.data.reversed_on]).toEqual([200, 'returned', day(-3)]);
    expect(body.data).not.toHaveProperty('fee_cents');
  });
  expect(events.map(({ event }) => event)).toEqual(['payment.updated', 'charge.created']);
  expect(await fees()).toMatchObject([{ ...fee, amount_cents: 2_500, due_on: day(-3) }]);
  await expectSameBytes(client, events[1], `/charges/${(await fees())[0].id}`);

  // The fee is charged once: neither a repetition nor a correction charges another.
  for (const change of [returned, { fee_cents: 2_500 }, { reversed_on: day(-2), fee_cents: 2_500 }])
    expectInvalid(await patch(id, change), 'fee_cents');
  expect((await patch(id, { reversed_on: day(-2), fee_cents: null })).status).toBe(200);
  expect(await fees()).toHaveLength(1);

  // A pending payment cannot be returned, and then no fee is charged, either.
  const pending = await paid(tenant_id, day(-9), { status: 'pending' });
  expect((await patch(pending.id, { status: 'returned', fee_cents: 5 })).status).toBe(409);
  const known = { tenant_id, paid_on: day(-9), fee_cents: 700 };
  expectInvalid(await post({ ...known, status: 'paid' }), 'fee_cents', /becomes returned/);
  expectInvalid(await post({ ...known, status: 'returned', lease_id: unknownId('lease') }), 'lease_id');
  expect(await fees()).toHaveLength(1);
  const made = await eventsDuring(() => post({ ...known, status: 'refunded' }));
  expect(made.map(({ event }) => event)).toEqual(['payment.created', 'charge.created', 'charge.due']);
  expect((await fees())[1]).toMatchObject({ ...fee, amount_cents: 700, due_on: day(0) });

  const nobody = await paid((await make.tenant(client)).id, day(-9));
  expectInvalid(await patch(nobody.id, { status: 'returned', fee_cents: 5 }), 'fee_cents', /no lease/);
  expect((await client.get(`/payments/${nobody.id}`)).body.data.status).toBe('paid');
});

test('whatever changes what is paid marks the leases before and after it, from the first day concerned', async () => {
  const lease = await make.lease(client, { start_date: '2025-01-01', end_date: '2025-12-31' });
  const [tenant] = lease.tenant_ids;
  const next = await make.lease(client, { tenant_ids: [tenant], start_date: '2026-01-01' });
  const charge_id = await charge(lease);
  const nowhere = await make.tenant(client);
  let id = '';
  expect(
    await marksOf(async () => {
      id = (await paid(tenant, '2025-03-05')).id;
      await paid(nowhere.id, '2025-03-05');
    }),
  ).toEqual({ [lease.id]: '2025-03-05' });
  const marks = (change: object) =>
    marksOf(async () => expect((await patch(id, change)).body.data).toMatchObject(change));
  expect(await marks({ amount_cents: 7 })).toEqual({ [lease.id]: '2025-03-05' });
  expect(await marks({ memo: 'x', reference: 'x', method: 'cash' })).toEqual({});
  expect(await marks({ period: '2025-03' })).toEqual({ [lease.id]: '2025-03-05' });
  expect(await marks({ paid_on: '2025-03-01' })).toEqual({ [lease.id]: '2025-03-01' });
  expect(await marks({ paid_on: '2025-03-09' })).toEqual({ [lease.id]: '2025-03-01' });
  expect(await marks({ charge_id })).toEqual({ [lease.id]: '2025-03-09' });
  expect(await marks({ charge_id: null })).toEqual({ [lease.id]: '2025-03-09' });
  expect(await marks({ currency: 'EUR' })).toEqual({ [lease.id]: '2025-03-09' });
  expect(await marks({ paid_on: '2026-02-02' })).toEqual({
    [lease.id]: '2025-03-09',
    [next.id]: '2026-02-02',
  });
  expect(await marks({ lease_id: lease.id })).toEqual({ [lease.id]: '2026-02-02', [next.id]: '2026-02-02' });
  expect(await marks({ status: 'returned' })).toEqual({ [lease.id]: '2026-02-02' });
  expect(await marks({ reversed_on: '2026-02-03' })).toEqual({ [lease.id]: '2026-02-02' });

  // When a lease changes, the leases of the payments that move are marked.
  const moving = await paid(tenant, '2025-06-01');
  const moved = await marksOf(() => client.patch(`/leases/${lease.id}`, { ended_on: '2025-05-01' }));
  expect(await leaseOf(moving)).toBe(next.id);
  expect(moved[next.id]).toBe('2025-06-01');
  expect(String(moved[lease.id]) <= '2025-06-01').toBe(true);
});

test('payments sent at once mark each lease from the first of their days', async () => {
  const [one, other] = [await make.lease(client), await make.lease(client)];
  const marks = await marksOf(() =>
    Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        paid((n % 2 ? one : other).tenant_ids[0], `2026-03-${10 + (n % 20)}`),
      ),
    ),
  );
  expect(marks).toEqual({ [one.id]: '2026-03-11', [other.id]: '2026-03-10' });
});

test('payments that are written without events mark their leases too', async () => {
  const [one, other] = [await make.lease(client), await make.lease(client)];
  const how = {
    accountId: client.accountId,
    actor: operator,
    now: new Date(),
    today: day(0),
    events: false,
    currency: 'USD',
  };
  const row = (lease: Lease, paid_on: string) =>
    newRow(payments, {
      ...{ tenant_id: String(parseId('ten', lease.tenant_ids[0] ?? '')), paid_on, amount_cents: 5 },
      ...{ method: 'cash', status: 'paid', source: 'import', lease_given: false },
    });
  const rows = [row(one, '2026-03-05'), row(one, '2026-03-04'), row(other, '2026-03-06')];
  expect(await marksOf(() => paymentWriter.add(db, how, rows))).toEqual({
    [one.id]: '2026-03-04',
    [other.id]: '2026-03-06',
  });
  const before = new Map(
    (
      await paymentWriter.find(
        db,
        client.accountId,
        rows.map(({ id }) => id),
        false,
      )
    ).map((found) => [found.id, found]),
  );
  const changed = [...before.values()].map((found) => ({ ...found, amount_cents: 7 }));
  const marks = await marksOf(() => db.transaction((tx) => paymentWriter.change(tx, how, changed, before)));
  expect(marks).toEqual({ [one.id]: '2026-03-04', [other.id]: '2026-03-06' });
});

test('a file may name the lease, the charge and the day of the return', async () => {
  const own = await service.client();
  const tenant = await make.tenant(own, { email: 'ada@example.com' });
  const mine = (fields = {}) => make.lease(own, { tenant_ids: [tenant.id], ...fields });
  const lease = await mine({ start_date: '2025-01-01', end_date: '2025-12-31' });
  const next = await mine({ start_date: '2026-01-01' });
  const other = await make.lease(own);
  const list = async () => (await own.get('/payments?limit=100')).body.data;

  const file = [
    'Email,Amount,Date,Lease ID,Status,Returned On,Ref',
    `ada@example.com,10,2026-02-01,${lease.id},paid,,named`,
    'ada@example.com,10,2026-02-02,,paid,,chosen',
    'ada@example.com,10,2026-02-03,,returned,2026-02-09,returned',
  ].join('\n');
  await importAll(service, own, { payments: file });
  const byReference = async () =>
    Object.fromEntries((await list()).map((one: Record<string, unknown>) => [one.reference, one]));
  expect(await byReference()).toMatchObject({
    named: { lease_id: lease.id, reversed_on: null },
    chosen: { lease_id: next.id, reversed_on: null },
    returned: { lease_id: next.id, reversed_on: '2026-02-09', status: 'returned' },
  });

  const before = await dumpOf(service, own.accountId);
  const wrong = await importCsv(service, own, {
    payments: [
      'Email,Amount,Date,Lease ID,Charge ID,Status,Returned On',
      'ada@example.com,11,2026-02-01,,,,',
      `ada@example.com,11,2026-02-01,${other.id},,,`,
      `ada@example.com,11,2026-02-01,${unknownId('lease')},,,`,
      `ada@example.com,11,2026-02-01,,${unknownId('chg')},,`,
      'ada@example.com,11,2026-02-01,,,paid,2026-02-02',
      'ada@example.com,11,2026-02-01,,,refunded,2026-01-31',
    ].join('\n'),
  });
  const { errors } = wrong.files[0] ?? { errors: [] };
  expect(errors.map(({ line, column }) => [line, column])).toEqual([
    [3, 'Lease ID'],
    [4, 'Lease ID'],
    [5, 'Charge ID'],
    [6, 'Returned On'],
    [7, 'Returned On'],
  ]);
  expect(await dumpOf(service, own.accountId)).toBe(before);

  // Importing the export changes nothing.
  const csv = (await own.get('/payments', { accept: 'text/csv' })).text;
  expect(readCsv(csv)[0]).toMatchObject({ lease_id: next.id, charge_id: '', reversed_on: '2026-02-09' });
  const again = await importAll(service, own, { payments: csv });
  expect(again.files[0]).toMatchObject({ create: 0, update: 0, unchanged: 3 });
  // A lease that the file names is kept.
  const renamed = csv.replaceAll(next.id, lease.id);
  expect((await importAll(service, own, { payments: renamed })).files[0]).toMatchObject({ update: 2 });
  await own.patch(`/leases/${next.id}`, { start_date: '2026-01-02' });
  expect(Object.values(await byReference()).map((one) => (one as { lease_id: string }).lease_id)).toEqual([
    lease.id,
    lease.id,
    lease.id,
  ]);
});

test('a file may say that a payment is the deposit, which then stays one', async () => {
  const own: Client = await service.client();
  const tenant = await make.tenant(own, { email: 'ada@example.com' });
  const terms = {
    tenant_ids: [tenant.id],
    deposit_cents: 7_000,
    start_date: day(-40),
    ledger_from: day(-40),
  };
  const lease = await make.lease(own, terms);
  await make.tenant(own, { email: 'ben@example.com' });
  const [deposit] = (await own.get(`/charges?lease_id=${lease.id}&kind=deposit`)).body.data;
  const file = `Email,Amount,Date,Charge ID\nada@example.com,70,${day(-39)},Security Deposit`;
  await importAll(service, own, { payments: file });
  expect((await own.get('/payments')).body.data).toMatchObject([
    { charge_id: deposit.id, lease_id: lease.id },
  ]);
  // Rent is unpaid, and the deposit is held all the same.
  expect((await own.get('/balances')).body.data).toMatchObject([{ deposit_held_cents: 7_000 }]);
  expect((await importAll(service, own, { payments: file })).files[0]).toMatchObject({ unchanged: 1 });
  const nobody = await importCsv(service, own, { payments: file.replace('ada@', 'ben@') });
  expect(nobody.files[0]?.errors).toMatchObject([{ line: 2, column: 'Charge ID' }]);
});

test('leases of a file take the payments that were there, and a trial run leaves them', async () => {
  const own: Client = await service.client();
  const property = await make.property(own, { name: 'Elm', units: [{ name: '1' }] });
  const tenant = await make.tenant(own, { email: 'ada@example.com' });
  const payment = await make.payment(own, { tenant_id: tenant.id, paid_on: '2026-02-01' });
  const leases = 'Property,Unit,Email,Start,Rent\nElm,1,ada@example.com,2026-01-01,1000';
  const before = await dumpOf(service, own.accountId);
  await importAll(service, own, { leases }, { dryRun: true });
  expect(await dumpOf(service, own.accountId)).toBe(before);
  await importAll(service, own, { leases });
  const found = (await own.get(`/payments/${payment.id}`)).body.data;
  expect(found).toMatchObject({ property_id: property.id, lease_id: expect.stringMatching(/^lease_/) });
});
