import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectInvalid, make } from './support/records.ts';
import { type Client, type Service, testService } from './support/service.ts';

/*
 * Whoever follows a list by updated_since misses no change. Tests beside this one use the same Postgres, and their
 * transactions hold changes back: so what has to appear is waited for.
 */

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

interface Changed {
  id: string;
  updated_at: string;
}

const idsOf = (records: Changed[]): string[] => records.map(({ id }) => id);
const nextOf = (headers: Headers): string | undefined =>
  headers.get('link')?.match(/<([^>]+)>; rel="next"/)?.[1];

const changedSince = async (client: Client, list: string, since: string): Promise<Changed[]> =>
  (await client.get(`${list}?updated_since=${since}`)).body.data;

/** Asks until what is there is as expected. */
const eventually = (read: () => Promise<Changed[]>, ids: string[]): Promise<void> =>
  vi.waitFor(async () => expect(idsOf(await read())).toEqual(ids), { timeout: 60_000, interval: 50 });

const nouns = {
  '/properties': ['property', { name: 'Changed' }],
  '/units': ['unit', { name: 'Changed' }],
  '/tenants': ['tenant', { first_name: 'Changed' }],
  '/leases': ['lease', { rent_cents: 131_300 }],
  '/payments': ['payment', { memo: 'Changed' }],
  '/maintenance': ['maintenance', { description: 'Changed' }],
} as const;

test.each(Object.entries(nouns))(
  '%s shows what was changed since, the oldest change first',
  async (list, [noun, change]) => {
    const client = await service.client();
    const other = await service.client();
    const first = await make[noun](client);
    const second = await make[noun](client);
    const third = await make[noun](client);
    await make[noun](other);
    const changed = (await client.patch(`${list}/${first.id}`, change)).body.data;
    const all = (await client.get(list)).body.data as Changed[];
    const ids = idsOf(all.filter(({ id }) => id !== first.id)).reverse();
    expect(ids).toEqual(expect.arrayContaining([second.id, third.id]));
    await eventually(() => changedSince(client, list, '2026-01-01T00:00:00Z'), [...ids, first.id]);
    await eventually(() => changedSince(client, list, changed.updated_at), [first.id]);
    expect(await changedSince(client, list, new Date(Date.now() + 60_000).toISOString())).toEqual([]);
  },
);

test('the last page says where to continue later, and an empty one ends it', async () => {
  const client = await service.client();
  const [a, b, c] = [await make.tenant(client), await make.tenant(client), await make.tenant(client)];
  await eventually(() => changedSince(client, '/tenants', '2026-01-01'), idsOf([a, b, c] as Changed[]));
  const seen: Changed[] = [];
  let last = '/api/v1/tenants?updated_since=2026-01-01&limit=2';
  for (let next: string | undefined = last; next !== undefined; ) {
    last = next;
    const page = await client.get(next);
    seen.push(...page.body.data);
    next = nextOf(page.headers);
  }
  expect(idsOf(seen)).toEqual([a.id, b.id, c.id]);
  await client.patch(`/tenants/${b.id}`, { first_name: 'Later' });
  await eventually(async () => (await client.get(last)).body.data, [b.id]);

  const newestFirst = nextOf((await client.get('/tenants?limit=1')).headers);
  const cursor = new URL(newestFirst ?? '', service.url).searchParams.get('cursor');
  expectInvalid(await client.get(`/tenants?updated_since=2026-01-01&cursor=${cursor}`), 'cursor');
  expectInvalid(await client.get('/tenants?updated_since=yesterday'), 'updated_since');
});

test('a change that is committed late is not missed, although its time is earlier than what was seen', async () => {
  const client = await service.client();
  const slowly = await make.tenant(client);
  const quickly = await make.tenant(client);
  const slow = new pg.Client(service.database.connection);
  await slow.connect();
  /** As a process does whose change waits before its commit. */
  const changeSlowly = async (updatedAt: string) => {
    await slow.query('begin');
    await slow.query(
      'update tenants set updated_at = $3, written_in = default where account_id = $1 and id = $2',
      [client.accountId, slowly.id.slice(4), updatedAt],
    );
  };
  const change = async (name: string): Promise<Changed> =>
    (await client.patch(`/tenants/${quickly.id}`, { first_name: name })).body.data;
  try {
    // It began first: what comes after it is not shown before it.
    const begun = new Date().toISOString();
    await changeSlowly(begun);
    await change('Ben');
    expect(await changedSince(client, '/tenants', begun)).toEqual([]);
    await slow.query('commit');
    await eventually(() => changedSince(client, '/tenants', begun), [slowly.id, quickly.id]);

    // It begins later, with an earlier time than that of what was seen in between, which then changes again.
    const seen = await change('Chloe');
    await eventually(() => changedSince(client, '/tenants', seen.updated_at), [quickly.id]);
    await changeSlowly(new Date(Date.parse(seen.updated_at) - 1).toISOString());
    await slow.query('commit');
    await eventually(() => changedSince(client, '/tenants', seen.updated_at), [quickly.id, slowly.id]);
    await change('Dan');
    await eventually(() => changedSince(client, '/tenants', seen.updated_at), [slowly.id, quickly.id]);
  } finally {
    await slow.end();
  }
});
