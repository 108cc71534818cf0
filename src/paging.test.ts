import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelope } from '../test/support/envelope.ts';
import { expectInvalid, make } from '../test/support/records.ts';
import { type Client, type Service, testService } from '../test/support/service.ts';
import { thorough } from '../test/support/thorough.ts';
import { sql } from './db/sql.ts';
import { routes } from './http/routes/routes.ts';
import { parseId } from './ids.ts';

let service: Service;
let client: Client;
let tenantIds: string[];
beforeAll(async () => {
  service = await testService();
  client = await service.client();
  const made = [];
  for (let n = 0; n < 13; n++) made.unshift(await make.tenant(client, { last_name: n % 2 ? 'Odd' : 'Even' }));
  tenantIds = made.map(({ id }) => id);
});
afterAll(() => service.close());

const nextOf = (headers: Headers) => /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;

/** Reads all pages from here on, as an integrator would. */
async function walk(start: string, between: () => Promise<unknown> = async () => undefined) {
  const pages: string[][] = [];
  let next: string | null = start;
  while (next !== null) {
    const { status, body, headers, text } = await client.get(next.replace(`${service.url}/api/v1`, ''));
    expect(status, text).toBe(200);
    expect(Object.keys(body)).toEqual(['data', 'count']);
    expect(body.count).toBe(body.data.length);
    pages.push(body.data.map(({ id }: { id: string }) => id));
    next = nextOf(headers);
    await between();
  }
  return pages;
}

test('pages of any size have every record once, in order, even while others are added', async () => {
  for (let limit = 1; limit <= 14; limit++) {
    const pages = await walk(`/tenants?limit=${limit}&q=even`, () =>
      make.tenant(client, { last_name: 'Even' }),
    );
    const seen = pages.flat().filter((id) => tenantIds.includes(id));
    expect(seen, `limit ${limit}`).toEqual(tenantIds.filter((_, n) => n % 2 === 0));
    expect(new Set(pages.flat()).size).toBe(pages.flat().length);
    for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
    expect(pages.at(-1)?.length).toBeGreaterThan(0);
  }
});

test('there is no next link if nothing follows', async () => {
  const own = await service.client();
  expect((await own.get('/tenants')).headers.get('link')).toBeNull();
  await make.tenant(own);
  await make.tenant(own);
  for (const limit of [2, 3, 1000])
    expect((await own.get(`/tenants?limit=${limit}`)).headers.get('link')).toBeNull();
  expect((await own.get('/tenants?limit=1')).headers.get('link')).not.toBeNull();
});

test('the next link is a whole address and keeps every filter', async () => {
  const query = 'limit=2&q=ada%20even&created_since=2020-01-01T00%3A00%3A00Z&lease_status=none,active';
  const { headers } = await client.get(`/tenants?${query}`);
  const next = new URL(nextOf(headers) ?? '');
  expect(next.origin + next.pathname).toBe(`${service.url}/api/v1/tenants`);
  const { cursor, ...kept } = Object.fromEntries(next.searchParams);
  expect(kept).toEqual({
    limit: '2',
    q: 'ada even',
    created_since: '2020-01-01T00:00:00Z',
    lease_status: 'none,active',
  });
  expect(cursor).toMatch(/^[\w-]+$/);
  const own = await service.client();
  for (let n = 0; n < 2; n++) await make.tenant(own, { last_name: 'Who?' });
  const odd = await own.get('/tenants?limit=1&q=who?');
  expect(Object.fromEntries(new URL(nextOf(odd.headers) ?? '').searchParams)).toMatchObject({
    limit: '1',
    q: 'who?',
  });
});

test('behind a proxy the next link has the public address', async () => {
  const behind = await testService({ PUBLIC_URL: 'https://rent.example.com/' });
  const own = await behind.client();
  for (let n = 0; n < 2; n++) await make.tenant(own);
  expect(nextOf((await own.get('/tenants?limit=1')).headers)).toMatch(
    /^https:\/\/rent\.example\.com\/api\/v1\/tenants\?limit=1&cursor=/,
  );
  await behind.close();
});

const cursorOf = async (path: string, as = client) =>
  new URL(nextOf((await as.get(path)).headers) ?? '').searchParams.get('cursor') ?? '';

test('a cursor changed in any single character is refused', async () => {
  const cursor = await cursorOf('/tenants?limit=1');
  expect((await client.get(`/tenants?limit=1&cursor=${cursor}`)).status).toBe(200);
  for (let at = 0; at < cursor.length; at++) {
    for (const other of ['A', 'B', 'z', '_', '-', '9']) {
      if (cursor[at] === other) continue;
      const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
      expectInvalid(await client.get(`/tenants?limit=1&cursor=${changed}`), 'cursor');
    }
  }
  const wrong = [
    '',
    'x',
    cursor.slice(1),
    `${cursor}=`,
    `${cursor}A`,
    `${cursor}%00`,
    '%00',
    encodeURIComponent('é'),
    tenantIds[3],
    'A'.repeat(5000),
  ];
  for (const each of wrong) expectInvalid(await client.get(`/tenants?cursor=${each}`), 'cursor');
  expectInvalid(await client.get(`/tenants?cursor=${cursor}&cursor=${cursor}`), 'cursor');
});

test('a cursor of another list is refused, and of another account it shows nothing foreign', async () => {
  const cursor = await cursorOf('/tenants?limit=1');
  for (const { path, query } of routes) {
    if (path === '/tenants' || !query || !('cursor' in query.shape) || path.includes(':')) continue;
    expectInvalid(await client.get(`${path}?cursor=${cursor}`), 'cursor');
  }
  const stranger = await service.client();
  expect((await stranger.get(`/tenants?cursor=${cursor}`)).body).toEqual({ data: [], count: 0 });
});

test('a parameter given twice is refused; a filter with several values takes both', async () => {
  const once = {
    formErrors: [],
    fieldErrors: { limit: ['Must be given once.'], q: ['Must be given once.'] },
  };
  const twice = await client.get('/tenants?limit=1&limit=2&q=a&q=b&lease_status=none&lease_status=active');
  expect(twice.body).toEqual(envelope(400, once));
  expect((await client.get('/tenants?lease_status=none&lease_status=active')).status).toBe(200);
});

/** The lists of records in the order in which they were made. */
const lists = routes.filter(
  ({ query, path }) =>
    query && ['cursor', 'created_since'].every((name) => name in query.shape) && !path.includes(':'),
);
test.each(lists.map(({ path }) => path))(
  '%s refuses a wrong limit, cursor or created_since',
  async (path) => {
    for (const limit of [
      '0',
      '-1',
      '1001',
      '1.5',
      'all',
      '',
      '1e2',
      '0x10',
      ' ',
      '99999999999999999999',
      '1&limit=2',
    ])
      expectInvalid(await client.get(`${path}?limit=${limit}`), 'limit');
    for (const limit of ['1', '1000', '010'])
      expect((await client.get(`${path}?limit=${limit}`)).status).toBe(200);
    for (const time of [
      '',
      'yesterday',
      '2026-02-30',
      '2026-11-15T09:30:00',
      '1700000000',
      '0000-01-01',
      '2026-11-15T25:00:00Z',
    ])
      expectInvalid(await client.get(`${path}?created_since=${time}`), 'created_since');
    for (const time of [
      '2026-11-15',
      '2026-11-15T09:30:00Z',
      '2026-11-15T09:30:00.123456789Z',
      '2026-11-15T09:30:00%2B02:00',
      '1900-01-01',
    ])
      expect((await client.get(`${path}?created_since=${time}`)).status, time).toBe(200);
    expectInvalid(await client.get(`${path}?cursor=x`), 'cursor');
  },
);

test('created_since includes its moment, alone and with other filters and pages', async () => {
  const own = await service.client();
  const tenant = await make.tenant(own);
  const made: { id: string; created_at: string }[] = [];
  while (made.length < 4) {
    const payment = await make.payment(own, { tenant_id: tenant.id, paid_on: '2026-03-01' });
    if (payment.created_at !== made[0]?.created_at) made.unshift(payment);
    else await own.patch(`/payments/${payment.id}`, { status: 'voided' });
  }
  const [newest, follower, second] = made;
  if (!newest || !follower || !second) throw new Error('Too few payments.');
  const ids = async (query: string) =>
    (await own.get(`/payments?status=paid&${query}`)).body.data.map(({ id }: { id: string }) => id);
  const from = (index: number) => made.slice(0, index + 1).map(({ id }) => id);
  expect(await ids(`created_since=${second.created_at}`)).toEqual(from(2));
  expect(
    await ids(`created_since=${second.created_at}&from=2026-01-01&to=2026-12-31&status=pending`),
  ).toEqual(from(2));
  expect(await ids(`created_since=${second.created_at}&tenant_id=${tenant.id}`)).toEqual(from(2));
  const later = new Date(Date.parse(newest.created_at) + 1).toISOString();
  expect(await ids(`created_since=${later}`)).toEqual([]);
  const page = await own.get(`/payments?status=paid&limit=1&created_since=${follower.created_at}`);
  const rest = await own.get((nextOf(page.headers) ?? '').replace(`${service.url}/api/v1`, ''));
  expect(rest.body.data.map(({ id }: { id: string }) => id)).toEqual([follower.id]);
  expect(rest.headers.get('link')).toBeNull();
});

test('pages of merged streams have every record once, in order', async () => {
  const own = await service.client();
  const tenant = await make.tenant(own);
  const statuses = ['paid', 'pending', 'failed'];
  const made = [];
  for (let n = 0; n < 12; n++)
    made.unshift(
      await make.payment(own, {
        tenant_id: tenant.id,
        status: statuses[n % 3],
        paid_on: `2026-0${1 + ((n * 7) % 4)}-15`,
      }),
    );
  for (const filter of [
    'status=paid,failed',
    'from=2026-02-01',
    'to=2026-03-31&status=paid,pending',
    'from=2026-01-01&to=2026-12-31',
  ]) {
    const wanted = (await own.get(`/payments?${filter}`)).body.data.map(({ id }: { id: string }) => id);
    expect(wanted).toEqual(made.map(({ id }) => id).filter((id) => wanted.includes(id)));
    for (const limit of [1, 2, 5]) {
      const seen: string[] = [];
      let next: string | null = `/payments?${filter}&limit=${limit}`;
      while (next !== null) {
        const { body, headers } = await own.get(next.replace(`${service.url}/api/v1`, ''));
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        next = nextOf(headers);
      }
      expect(seen, `${filter} by ${limit}`).toEqual(wanted);
    }
  }
});

test('a total is of all pages of a list with the same filters, and of one account', async () => {
  const own = await service.client();
  const totalOf = async (path: string) => (await own.get(path)).headers.get('x-total-count');
  for (let n = 0; n < 5; n++) await make.tenant(own, { last_name: n < 2 ? 'Few' : 'Many' });
  expect(await totalOf('/tenants')).toBeNull();
  expect(await totalOf('/tenants?total=false')).toBeNull();
  const first = await own.get('/tenants?total=true&limit=2');
  expect(first.headers.get('x-total-count')).toBe('5');
  const next = nextOf(first.headers)?.replace(`${service.url}/api/v1`, '') ?? '';
  expect(await totalOf(next)).toBe('5');
  expect(await totalOf('/tenants?total=true&limit=1&q=few')).toBe('2');
  expect(await totalOf('/tenants?total=true&q=nobody')).toBe('0');
  expectInvalid(await own.get('/tenants?total=yes'), 'total', /true or false/);
});

test('every list of records can show its total', async () => {
  const own = await service.client();
  const lease = await make.lease(own);
  await make.payment(own, { tenant_id: lease.tenant_ids[0] });
  await make.maintenance(own);
  const webhook = await make.webhook(own);
  for (const { path, query } of routes.filter((route) => route.method === 'GET')) {
    if (!query || !('cursor' in query.shape || path === '/webhooks')) continue;
    const id = path.startsWith('/webhooks/') ? webhook.id : idFor(path, lease);
    if (id === null) continue;
    const { headers, body, text } = await own.get(`${path.replace(':id', id)}?total=true`);
    expect(headers.get('x-total-count'), `${path}: ${text}`).toBe(String(body.count));
  }
});

/** An id of an existing record for this path. Null where there is none. */
const idFor = (path: string, lease: { id: string; unit_id: string; tenant_ids: string[] }): string | null =>
  !path.includes(':id')
    ? ''
    : ({ leases: lease.id, units: lease.unit_id, tenants: lease.tenant_ids[0] }[path.split('/')[1] ?? ''] ??
      null);

test.runIf(thorough)(
  'a total goes up to 100,000, and is left out if more records would have to be examined',
  async () => {
    const own = await service.client();
    const { id } = await make.property(own);
    const addUnits = (from: number, to: number) =>
      service.database.db.query(sql`
      insert into units (account_id, id, property_id, name, offline, created_at, updated_at)
      select ${own.accountId}, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        ${parseId('prop', id)}::uuid, n::text, false, now(), now()
      from generate_series(${from}::integer, ${to}::integer) n`);
    const totals = async () => {
      const all = await own.get('/units?total=true&limit=1');
      const some = await own.get('/units?total=true&limit=1&status=offline');
      const most = await own.get('/units?total=true&limit=1&status=vacant');
      return [all, some, most].map(({ headers }) => headers.get('x-total-count'));
    };
    await addUnits(1, 100_000);
    expect(await totals()).toEqual(['100000', '0', '100000']);
    await addUnits(100_001, 100_001);
    expect(await totals()).toEqual(['100000', null, '100000']);
  },
);
