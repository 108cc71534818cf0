import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { make } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';
import { decimalAmount, decimalsOf } from '../../money.ts';
import { paymentShape } from '../../payments/payments.store.ts';
import { connect } from '../connect.ts';
import { raw, sql } from '../sql.ts';
import { date, id, number, objectJson, present, text, time, word } from './json.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
});
afterAll(() => service.close());

/** Everything that needs escaping or could be mistaken for the end of something. */
const nasty = 'a\x1fb\x1ec"\\\n\t\x7f\u2028 é 家 👩‍👧 </script> null ,';

/** Expects the record to be the same alone and in its list, to the byte. */
async function expectSame(path: string, id: string): Promise<void> {
  const one = await client.get(`${path}/${id}`);
  const list = await client.get(path);
  expect(one.status, one.text).toBe(200);
  const json = /^\{"data":(.*)\}$/s.exec(one.text)?.[1] ?? '';
  expect(json).toContain(id);
  expect(list.text).toContain(json);
}

test('a record in a list is the same as alone, with text of every kind and without any', async () => {
  const property = await make.property(client, { name: nasty, notes: nasty, address: nasty });
  const bare = await make.property(client);
  const unit = await make.unit(client, { property_id: property.id, name: nasty, bathrooms: 1.5 });
  const tenant = await make.tenant(client, { first_name: nasty, notes: nasty, email: 'ada@example.com' });
  const lease = await make.lease(client, { unit_id: unit.id, tenant_ids: [tenant.id], deposit_cents: 7 });
  const payment = await make.payment(client, { tenant_id: tenant.id, memo: nasty, reference: '' });
  const alone = await make.payment(client, { amount_cents: 1 });
  const request = await make.maintenance(client, {
    property_id: property.id,
    title: nasty,
    cost_cents: 12_345,
  });
  await expectSame('/properties', property.id);
  await expectSame('/properties', bare.id);
  await expectSame('/units', unit.id);
  await expectSame('/tenants', tenant.id);
  await expectSame('/leases', lease.id);
  await expectSame('/payments', payment.id);
  await expectSame('/payments', alone.id);
  await expectSame('/maintenance', request.id);
});

/** The text that one row makes of these fields. */
async function written(fields: Parameters<typeof objectJson>[0], row: string): Promise<unknown> {
  const [found] = await service.app.db.query<{ json: string }>(
    sql`select ${objectJson(fields)} as json from (${raw(row)}) t`,
  );
  return JSON.parse(found?.json ?? '');
}

test('a record is whole, whichever of its values are missing', async () => {
  const given = {
    id: `'017caf98-d000-7000-8000-000000000000'::uuid`,
    memo: `'it''s "here"'::text`,
    status: `'paid'::text`,
    paid_on: `'2026-11-15'::date`,
    cents: '-12::bigint',
    at: `'2026-11-15 12:00:00+00'::timestamptz`,
  };
  const shown = ['pay_017caf98d00070008000000000000000', `it's "here"`, 'paid', '2026-11-15', -12];
  const fields = [
    id('pay', 't.id'),
    text('t.memo'),
    word('t.status'),
    date('t.paid_on'),
    number('t.cents'),
    time('t.at'),
    present(word(raw(`'always'`), 'kind')),
    time('t.at', 'last'),
  ];
  const columns = Object.entries(given);
  for (let missing = 0; missing < 2 ** columns.length; missing++) {
    const isMissing = (at: number) => (missing & (1 << at)) !== 0;
    const row = columns.map(([name, value], at) =>
      isMissing(at) ? `nullif(${value}, ${value}) as ${name}` : `${value} as ${name}`,
    );
    const at = isMissing(5) ? null : '2026-11-15T12:00:00.000Z';
    const [own, memo, status, paid_on, cents] = shown.map((value, at) => (isMissing(at) ? null : value));
    const record = { id: own, memo, status, paid_on, cents, at, kind: 'always', last: at };
    expect(await written(fields, `select ${row.join(', ')}`)).toEqual(record);
  }
});

test.each([
  ['2026-11-15 12:00:00+00', '2026-11-15T12:00:00.000Z'],
  ['2026-11-15 12:00:00.1+00', '2026-11-15T12:00:00.100Z'],
  ['2026-11-15 12:00:00.123+02', '2026-11-15T10:00:00.123Z'],
  ['2026-11-15 12:00:00.000999+00', '2026-11-15T12:00:00.000Z'],
  ['2026-12-31 23:59:59.999999+00', '2026-12-31T23:59:59.999Z'],
  ['1969-12-31 23:59:59.9994+00', '1969-12-31T23:59:59.999Z'],
  ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31 23:59:59.999999+00', '9999-12-31T23:59:59.999Z'],
])('the time %s is %s, whatever zone and style the session has', async (value, expected) => {
  await service.app.db.transaction(async (tx) => {
    await tx.query(sql`set local timezone to 'America/St_Johns'`);
    await tx.query(sql`set local datestyle to 'SQL, DMY'`);
    const row = raw(`select '${value}'::timestamptz as at, null::timestamptz as never`);
    const fields = objectJson([time('t.at'), time('t.never')]);
    const [found] = await tx.query<{ json: string }>(sql`select ${fields} as json from (${row}) t`);
    expect(JSON.parse(found?.json ?? '')).toEqual({ at: expected, never: null });
  });
});

test('dates are read as they are written, whatever style the database has', async () => {
  const { url, db } = service.database;
  const [own] = await db.query<{ name: string }>(sql`select current_database() as name`);
  await db.query(raw(`alter database "${own?.name}" set datestyle to 'German'`));
  const fresh = connect({ connection: { connectionString: url }, poolSize: 1, onError: () => undefined });
  onTestFinished(() => fresh.close());
  expect(await fresh.query(sql`select date '2026-11-15'::text as day`)).toEqual([{ day: '2026-11-15' }]);
});

test.each([
  [1, 'USD', '0.01'],
  [1_000_000_000_000, 'USD', '10000000000.00'],
  [1, 'JPY', '1'],
  [5, 'KWD', '0.005'],
  [1_000, 'KWD', '1.000'],
  [5, 'CLF', '0.0005'],
  [385_000, 'UYW', '38.5000'],
])('%i of the smallest unit of %s are %s', async (cents, currency, expected) => {
  const row = `select ${cents}::bigint as cents, '${currency}'::text as currency`;
  const amount = word(decimalAmount('t.cents', 't.currency'), 'amount');
  expect(await written([amount], row)).toEqual({ amount: expected });
  expect((cents / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency))).toBe(expected);
});

test('fields marked as present have columns that are not null', async () => {
  const columns = await service.app.db.query<{ name: string }>(sql`
    select column_name as name from information_schema.columns
    where table_schema = current_schema and table_name = 'payments' and is_nullable = 'YES'`);
  const mayBeNull = columns.map(({ name }) => name).filter((name) => name !== 'paid_month');
  const nullable = paymentShape.fields.filter((field) => field.nullable).map(({ name }) => name);
  expect(nullable.toSorted()).toEqual(mayBeNull.toSorted());
});
