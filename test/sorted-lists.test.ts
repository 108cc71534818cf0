import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRoutes } from './support/list-requests.ts';
import { expectInvalid, make } from './support/records.ts';
import { type Client, type Service, testService } from './support/service.ts';

/*
 * Lists in the order of a field. test/filters.test.ts compares thousands of records, with filters, with the result of
 * sorting them one by one. test/plans.test.ts says how much is read.
 */

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

type Listed = Record<string, string | number | null> & { id: string };

const nextOf = (headers: Headers): string | undefined =>
  headers.get('link')?.match(/<([^>]+)>; rel="next"/)?.[1];

/** Reads every page, one record at a time. */
async function readAll(client: Client, path: string): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const page = await client.get(next);
    expect(page.status).toBe(200);
    found.push(...page.body.data);
    next = nextOf(page.headers);
  }
  return found;
}

const sortedRoutes = listRoutes.filter(({ query }) => query !== undefined && 'sort' in query.shape);

test('every list of everyday records can be sorted', () => {
  expect(sortedRoutes.map(({ path }) => path).sort()).toEqual([
    '/charges',
    '/credits',
    '/leases',
    '/maintenance',
    '/payments',
    '/properties',
    '/tenants',
    '/units',
  ]);
});

test.each(sortedRoutes.map(({ path }) => path))(
  '%s names the orders it knows, and takes no other',
  async (path) => {
    const client = await service.client();
    const unknown = await client.get(`${path}?sort=colour`);
    expectInvalid(unknown, 'sort');
    expect(JSON.stringify(unknown.body)).toContain('created_at, -created_at');
    expectInvalid(await client.get(`${path}?sort=`), 'sort');
    expectInvalid(await client.get(`${path}?sort=created_at&sort=-created_at`), 'sort');
    expectInvalid(await client.get(`${path}?sort=created_at&updated_since=2026-01-01`), 'sort');
  },
);

test('names are sorted in any letter case, page by page, up and down', async () => {
  const client = await service.client();
  const other = await service.client();
  const names = ['beech Hall', 'Ash', 'oak', 'Cedar %_\\', 'ash', 'Birch\nRow'];
  for (const name of names) await make.property(client, { name: name.replace('\n', ' ') });
  await make.property(other, { name: 'Apple' });
  const named = async (sort: string) =>
    (await readAll(client, `/properties?sort=${sort}&limit=1`)).map(({ name }) => name);
  const expected = ['Ash', 'ash', 'beech Hall', 'Birch Row', 'Cedar %_\\', 'oak'];
  expect(await named('name')).toEqual(expected);
  expect(await named('-name')).toEqual(expected.toReversed());
  expect(await named('created_at')).toEqual(names.map((name) => name.replace('\n', ' ')));
  expect(await named('-created_at')).toEqual(names.map((name) => name.replace('\n', ' ')).reverse());

  // The same goes for a file, which is read page by page.
  const { text: file } = await client.get('/properties?sort=name&format=csv');
  expect(expected.map((name) => file.indexOf(`,${name},`))).toEqual(
    expected.map((name) => file.indexOf(`,${name},`)).toSorted((a, b) => a - b),
  );
});

test('tenants with the same last name are sorted by their first', async () => {
  const client = await service.client();
  for (const [first_name, last_name] of [
    ['Zoe', 'okafor'],
    ['Ada', 'Okafor'],
    ['Ben', 'Adler'],
  ])
    await make.tenant(client, { first_name, last_name });
  const tenants = await readAll(client, '/tenants?sort=last_name&limit=2');
  expect(tenants.map(({ first_name }) => first_name)).toEqual(['Ben', 'Ada', 'Zoe']);
});

test('a lease without an end comes after all that have one, and an early end counts', async () => {
  const client = await service.client();
  const open = await make.lease(client, { start_date: '2026-01-01', end_date: null });
  const late = await make.lease(client, { start_date: '2026-01-01', end_date: '2027-12-31' });
  const early = await make.lease(client, { start_date: '2026-02-01', end_date: '2026-12-31' });
  const ids = async (query: string) =>
    (await readAll(client, `/leases?limit=1&${query}`)).map(({ id }) => id);
  expect(await ids('sort=end_date')).toEqual([early.id, late.id, open.id]);
  expect(await ids('sort=-end_date')).toEqual([open.id, late.id, early.id]);
  expect(await ids('sort=-start_date')).toEqual([early.id, late.id, open.id]);
  // Filters still work, and the total is that of the list.
  expect(await ids('sort=end_date&ends_by=2027-12-31')).toEqual([early.id, late.id]);
  const counted = await client.get('/leases?sort=end_date&ends_by=2027-12-31&limit=1&total=true');
  expect(counted.headers.get('x-total-count')).toBe('2');
});

test('an emergency is the highest priority', async () => {
  const client = await service.client();
  for (const priority of ['high', 'low', 'emergency', 'medium']) await make.maintenance(client, { priority });
  const requests = await readAll(client, '/maintenance?sort=-priority&limit=3');
  expect(requests.map(({ priority }) => priority)).toEqual(['emergency', 'high', 'medium', 'low']);
});

test('a cursor works only in its own order', async () => {
  const client = await service.client();
  for (const name of ['A', 'B', 'C']) await make.property(client, { name });
  const cursorOf = async (query: string) =>
    new URL(
      nextOf((await client.get(`/properties?limit=1&${query}`)).headers) ?? '',
      service.url,
    ).searchParams.get('cursor');
  const byName = await cursorOf('sort=name');
  const newest = await cursorOf('');
  for (const query of [
    `sort=-name&cursor=${byName}`,
    `sort=created_at&cursor=${byName}`,
    `cursor=${byName}`,
    `updated_since=2026-01-01&cursor=${byName}`,
    `sort=name&cursor=${newest}`,
  ])
    expectInvalid(await client.get(`/properties?${query}`), 'cursor');
  expectInvalid(await client.get(`/tenants?sort=last_name&cursor=${byName}`), 'cursor');
});

test('what is renamed or deleted between two pages hides no other record', async () => {
  const client = await service.client();
  const [a, , c] = [
    await make.property(client, { name: 'A' }),
    await make.property(client, { name: 'B' }),
    await make.property(client, { name: 'C' }),
  ];
  const first = await client.get('/properties?sort=name&limit=1');
  await client.delete(`/properties/${a.id}`);
  await client.patch(`/properties/${c.id}`, { name: 'BB' });
  const rest = await readAll(client, nextOf(first.headers) ?? '');
  expect(rest.map(({ name }) => name)).toEqual(['B', 'BB']);
});
