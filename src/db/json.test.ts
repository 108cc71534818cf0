import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { make } from '../../test/records.ts';
import { type Client, type Service, testService } from '../../test/service.ts';
import { decimalAmount, decimalText } from '../money.ts';
import { raw, sql } from './sql.ts';

/*
 * A record's JSON is made in two places: by the database for one, and here for the many of a list. Nobody may be able to tell
 * which of them it was.
 */

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
});
afterAll(() => service.close());

/** All that could end a piece too early, or needs escaping. */
const nasty = 'a\x1fb\x1ec"\\\n\t\x7f\u2028 é 家 👩‍👧 </script> null ,';

/** The record alone, and its place in its list, to the byte. */
async function expectSame(path: string, id: string): Promise<void> {
  const one = await client.get(`${path}/${id}`);
  const list = await client.get(path);
  expect(one.status, one.text).toBe(200);
  const json = /^\{"data":(.*)\}$/s.exec(one.text)?.[1] ?? '';
  expect(json).toContain(id);
  expect(list.text).toContain(json);
}

describe('a record in a list is the same as alone', () => {
  test('with text of every kind, and without any', async () => {
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

  test.each(['00', '00.1', '00.12', '00.120', '00.123', '00.123456', '59.999999'])(
    'with %s seconds',
    async (seconds) => {
      const { id } = await make.payment(client);
      await service.app.db.query(sql`
        update payments set updated_at = ${`2026-02-28T23:59:${seconds}Z`}::timestamptz where id = ${id.slice(4)}::uuid`);
      await expectSame('/payments', id);
    },
  );
});

test('an amount is written the same in both places', async () => {
  const amounts = [0, 1, 9, 10, 99, 100, 999, 1000, 123_456_789, 999_999_999_999, -1, -100, -12_345];
  for (const currency of ['USD', 'JPY', 'KWD']) {
    const rows = await service.app.db.query<{ cents: number; text: string }>(sql`
      select cents::float8 as cents, ${decimalAmount('cents', 'currency')} as text
      from unnest(${amounts}::bigint[]) as a(cents), (values (${raw(`'${currency}'`)})) as c(currency)`);
    expect(rows).toHaveLength(amounts.length);
    for (const { cents, text } of rows) expect(decimalText(cents, currency)).toBe(text);
  }
});
