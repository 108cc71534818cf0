import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilSettled } from '../../test/support/database.ts';
import { make } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { sql } from '../db/sql.ts';
import { parseId } from '../ids.ts';

let service: Service;
let client: Client;
/** By path, the record of Ada Okafor in Maple Court 2B. */
let hers: Record<string, string>;
/** By path, the record of Ben Ito, who shares Birch House 7 with Mina. */
let his: Record<string, string>;

const scopes = ['leases', 'payments', 'maintenance', 'charges', 'credits'] as const;
const paths = scopes.map((scope) => `/${scope}`);

beforeAll(async () => {
  service = await testService();
  client = await service.client();
  await household(await service.client(), 'Okafor');
  hers = await household(client, 'Okafor');
  his = await household(client, 'Ito');
});
afterAll(() => service.close());

/** Makes everything that a household has. */
async function household(who: Client, lastName: 'Okafor' | 'Ito'): Promise<Record<string, string>> {
  const isAda = lastName === 'Okafor';
  const property = await make.property(who, {
    name: isAda ? 'Maple Court' : 'Birch House',
    city: 'Riverton',
  });
  const unit = await make.unit(who, { property_id: property.id, name: isAda ? '2B' : '7' });
  const tenant = await make.tenant(who, { first_name: isAda ? 'Ada' : 'Ben', last_name: lastName });
  const partner = isAda ? [] : [(await make.tenant(who, { first_name: 'Mina', last_name: 'Patel' })).id];
  const lease = await make.lease(who, {
    unit_id: unit.id,
    tenant_ids: [tenant.id, ...partner],
    external_id: `L-${lastName}-77`,
  });
  const payment = await make.payment(who, {
    tenant_id: tenant.id,
    reference: isAda ? 'CHK-1001' : 'WIRE 55',
  });
  const request = await make.maintenance(who, {
    property_id: property.id,
    unit_id: unit.id,
    tenant_id: tenant.id,
    title: isAda ? 'Sink leaks' : '100% of the lamps are out',
    description: isAda ? 'Under the Küche sink' : null,
    assigned_to: isAda ? 'Dave' : null,
  });
  const entry = { lease_id: lease.id, amount_cents: 500, memo: isAda ? 'New keys' : 'Window' };
  const charge = await who.post('/charges', { ...entry, kind: 'fee', due_on: '2026-12-01' });
  const credit = await who.post('/credits', { ...entry, reason: 'concession', credited_on: '2026-11-01' });
  expect([charge.status, credit.status]).toEqual([201, 201]);
  return {
    '/leases': lease.id,
    '/payments': payment.id,
    '/maintenance': request.id,
    '/charges': charge.body.data.id,
    '/credits': credit.body.data.id,
  };
}

/** Which of the two households' records a search finds. */
async function found(path: string, q: string, who = client, more = ''): Promise<string[]> {
  const { status, body, text } = await who.get(`${path}?q=${encodeURIComponent(q)}${more}`);
  expect(status, text).toBe(200);
  const ids = body.data.map(({ id }: { id: string }) => id);
  const known = { Ada: hers[path], Ben: his[path] };
  return Object.entries(known).flatMap(([name, id]) => (ids.includes(id) ? [name] : []));
}

test.each(paths)('%s are found by the names of the tenant, the unit and the property', async (path) => {
  for (const q of [
    'okafor',
    'ADA OKAFOR',
    'Okafor, Ada',
    'kafo',
    '2b',
    'maple court - 2B',
    '2B maple',
    'ada maple',
  ])
    expect(await found(path, q), q).toEqual(['Ada']);
  for (const q of ['ito', 'Birch', 'birch 7']) expect(await found(path, q), q).toEqual(['Ben']);
  expect(await found(path, 'riverton')).toEqual(['Ada', 'Ben']);
  for (const q of ['okafor birch', 'nobody', 'okafor 9', '_', "'; --", '王'])
    expect(await found(path, q), q).toEqual([]);
  // A lease is found by all of its tenants. A payment and a request have only one tenant.
  expect(await found(path, 'mina')).toEqual(['/payments', '/maintenance'].includes(path) ? [] : ['Ben']);
});

test.each([
  ['/leases', ['l-okafor', 'OKAFOR-77'], ['l-ito']],
  ['/payments', ['chk-1001', 'hk-10', 'okafor 1001', 'ch'], ['wire 55', 'wire birch']],
  ['/maintenance', ['sink', 'leaks dave', 'under', 'küche', 'sink maple'], ['100%', 'lamps ito']],
  ['/charges', ['keys', 'NEW keys okafor'], ['window', 'win']],
  ['/credits', ['keys', 'NEW keys okafor'], ['window', 'win']],
])('%s are found by their own text too', async (path, ofAda, ofBen) => {
  for (const q of ofAda) expect(await found(path, q), q).toEqual(['Ada']);
  for (const q of ofBen) expect(await found(path, q), q).toEqual(['Ben']);
});

test.each(paths)('%s: a search goes with other filters, totals and the order of changes', async (path) => {
  const { headers } = await client.get(`${path}?q=okafor&total=true`);
  expect(Number(headers.get('x-total-count'))).toBeGreaterThanOrEqual(1);
  await untilSettled(service.database.db);
  expect(await found(path, 'okafor', client, '&updated_since=2020-01-01T00:00:00Z')).toEqual(['Ada']);
  expect(await found(path, 'okafor', client, '&created_since=2100-01-01T00:00:00Z')).toEqual([]);
  const { body } = await client.get(`${path}?q=okafor&external_id=none-such`);
  expect(body.data).toEqual([]);
  expect((await client.get(`${path}?q=%20`)).status).toBe(400);
});

test.each(scopes)('/%s: a key finds no names that it may not read', async (scope) => {
  const path = `/${scope}`;
  const { accountId } = client;
  const blind = await service.client({ accountId, permission: 'read', scopes: [scope] });
  for (const q of ['ada', 'maple', '2b']) expect(await found(path, q, blind), q).toEqual([]);
  const some = await service.client({ accountId, permission: 'read', scopes: [scope, 'tenants'] });
  expect(await found(path, 'ada', some)).toEqual(['Ada']);
  expect(await found(path, 'ada maple', some)).toEqual([]);
});

test('pages continue where the newest records end, whichever way they are found', async () => {
  const owner = await service.client();
  const third = await make.tenant(owner, { first_name: 'Third' });
  const other = await make.tenant(owner, { first_name: 'Other' });
  const { accountId, get } = owner;
  // There are more rows than are looked through before the indexes are used: every third row, all in the older half.
  await service.database.db.query(sql`
    insert into payments (account_id, id, tenant_id, amount_cents, currency, paid_on, method, status, memo, source, created_at, updated_at)
    select ${accountId}, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
      case when n < 2500 and n % 3 = 0 then ${parseId('ten', third.id)}::uuid else ${parseId('ten', other.id)}::uuid end,
      n, 'USD', '2026-11-01', 'cash', case when n % 2 = 0 then 'paid' else 'pending' end,
      case when n = 5 then 'thirdly' end, 'api', now(), now() from generate_series(1, 5000) n`);
  await untilSettled(service.database.db);
  const expected = Array.from({ length: 833 }, (_, n) => 2499 - 3 * n);
  const read = async (query: string) => {
    const amounts: number[] = [];
    for (let next: string | null = `/payments?q=${query}&limit=100`; next !== null; ) {
      const { body, headers }: Awaited<ReturnType<typeof get>> = await get(next);
      amounts.push(...body.data.map(({ amount_cents }: { amount_cents: number }) => amount_cents));
      next = /^<[^>]*\/api\/v1([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? null;
    }
    return amounts;
  };
  expect(await read('third')).toEqual([...expected.slice(0, -1), 5, 3]);
  expect(await read('third&status=paid')).toEqual(expected.filter((n) => n % 2 === 0));
  expect(await read('third%20okafor')).toEqual([...expected.slice(0, -1), 5, 3]);
  expect(await read('thirdly%20okafor%20other')).toEqual([5]);
  const newestFirst = [...expected.slice(0, -1), 5, 3];
  const oldestFirst = newestFirst.toReversed();
  expect(await read('third&sort=-paid_on')).toEqual(newestFirst);
  for (const order of ['sort=paid_on', 'sort=created_at', 'updated_since=2020-01-01'])
    for (const q of ['third', 'third%20okafor'])
      expect(await read(`${q}&${order}`), order).toEqual(oldestFirst);
  expect(await read('third&sort=paid_on&status=paid')).toEqual(oldestFirst.filter((n) => n % 2 === 0));
  expect(await read('thirdly&updated_since=2020-01-01')).toEqual([5]);
  // The same goes for words that no index contains, and for those that nobody has.
  expect(await read('~&sort=paid_on')).toEqual([]);
  expect(await read('(&updated_since=2020-01-01')).toEqual([]);
  expect(await read('@')).toEqual(await read('@&sort=-created_at'));
});

test('words that thousands of records have, and one of them together, find that one', async () => {
  const owner = await service.client();
  const grace = await make.tenant(owner, { first_name: 'Grace' });
  const other = await make.tenant(owner, { first_name: 'Other' });
  // None of the newest rows has both words, so all that have the rarer word are looked through.
  await service.database.db.query(sql`
    insert into payments (account_id, id, tenant_id, amount_cents, currency, paid_on, method, status, memo, source, created_at, updated_at)
    select ${owner.accountId}, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
      case when n > 5000 or n = 7 then ${parseId('ten', grace.id)}::uuid else ${parseId('ten', other.id)}::uuid end,
      n, 'USD', '2026-11-01', 'cash', 'paid', case when n <= 3000 then 'carport' end, 'api', now(), now()
    from generate_series(1, 8000) n`);
  await untilSettled(service.database.db);
  for (const q of ['carport%20grace', 'grace%20carport', 'grace%20okafor%20carport']) {
    const { body } = await owner.get(`/payments?q=${q}`);
    expect(body.data.map((payment: { amount_cents: number }) => payment.amount_cents)).toEqual([7]);
  }
  const { body } = await owner.get('/payments?q=carport%20other&limit=1000');
  expect(body.data).toHaveLength(1000);
});
