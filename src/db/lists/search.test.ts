import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type Service, testService } from '../../../test/support/service.ts';
import { sql } from '../sql.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
  const other = await service.client();
  for (const who of [client, other]) {
    await who.post('/tenants', {
      first_name: 'Ada',
      last_name: 'Okafor',
      email: 'ada.okafor@example.com',
      phone: '+1 (555) 010-0199',
      external_id: 'CRM-77',
    });
    await who.post('/tenants', { first_name: 'Nadal', last_name: 'Ce\u0301line Müller' });
    await who.post('/tenants', { first_name: '小明', last_name: '王' });
    await who.post('/tenants', { first_name: 'Ивана', last_name: "L'Neill #9" });
    await who.post('/properties', { name: 'Maple Court', city: 'Springfield', external_id: 'H-12' });
  }
});
afterAll(() => service.close());

const found = async (q: string, path = '/tenants', name = 'first_name'): Promise<string[]> => {
  const { status, body } = await client.get(`${path}?q=${encodeURIComponent(q)}`);
  expect(status).toBe(200);
  return body.data.map((record: Record<string, string>) => record[name]);
};

test.each([
  [
    'any part of a name, e-mail address or external id',
    ['kaf', 'OKAFOR', '.okafor@ex', 'crm-77', 'm-7'],
    'Ada',
  ],
  ['names the other way round', ['okafor ada'], 'Ada'],
  [
    'digits of a phone number, however it is written',
    ['15550100199', '0100199', '555 010', '(555) 010-0199'],
    'Ada',
  ],
  ['one or two characters where a word begins', ['o', 'OK', 'cr'], 'Ada'],
  ['accents in either form', ['c\u00e9line', 'ce\u0301line', 'MÜLLER', 'ü'], 'Nadal'],
  ['letters that are not Latin', ['王', '小明', '明'], '小明'],
  ['signs, and pieces of words around them', ["L'N", "'", '#', '#9', 'ИВАН', "а l'", 'l #'], 'Ивана'],
  ['pieces that are too short alone', ['r a', 'm-7', '1 (5'], 'Ada'],
])('%s', async (_, texts, name) => {
  for (const text of texts) expect(await found(text), text).toEqual([name]);
});

test('absent text is not found, and pattern characters are literal', async () => {
  for (const text of ['nobody', 'ka', '%', '_', 'o%r', '\\', '999 9999', '"', 'ива#', 'a-'])
    expect(await found(text), text).toEqual([]);
});

test('properties are found by name, city and external id', async () => {
  for (const text of ['ple co', 'SPRING', 'h-12', 'ma'])
    expect(await found(text, '/properties', 'name')).toEqual(['Maple Court']);
});

test('pages continue where the newest records end, whichever way they are found', async () => {
  const { accountId, get } = await service.client();
  // There are more rows than are looked through before the index is used: every third row, all in the older half.
  await service.database.db.query(sql`
    insert into tenants (account_id, id, first_name, last_name, created_at, updated_at)
    select ${accountId}, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
      case when n < 2500 and n % 3 = 0 then 'Third' else 'Other' end, n::text, now(), now() from generate_series(1, 5000) n`);
  const expected = Array.from({ length: 833 }, (_, n) => String(2499 - 3 * n));
  const names: string[] = [];
  for (let next: string | null = '/tenants?q=third&limit=100'; next !== null; ) {
    const { body, headers }: Awaited<ReturnType<typeof get>> = await get(next);
    names.push(...body.data.map(({ last_name }: { last_name: string }) => last_name));
    next = /^<[^>]*\/api\/v1([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  expect(names).toEqual(expected);
});

test('a text finds the same, page by page, whichever way it is looked for', async () => {
  const owner = await service.client();
  // The older half has its own address, and one row in forty has a text that is too long for an index.
  await service.database.db.query(sql`
    insert into tenants (account_id, id, first_name, last_name, email, external_id, created_at, updated_at)
    select ${owner.accountId}, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'T' || n,
      case when n % 40 = 0 then repeat('王', 200) else 'Name ' || n * 7 % 1000 end,
      't' || n || case when n < 1500 then '@old.example' else '@new.example' end,
      case when n % 40 = 0 then n || repeat('小', 190) end, now(), now() from generate_series(1, 3000) n`);
  const read = async (query: string) => {
    const names: string[] = [];
    for (let next: string | null = `/tenants?limit=500&${query}`; next !== null; ) {
      const { body, headers }: Awaited<ReturnType<typeof owner.get>> = await owner.get(next);
      names.push(...body.data.map(({ first_name }: { first_name: string }) => first_name));
      next = /^<[^>]*\/api\/v1([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? null;
    }
    return names;
  };
  const numbered = (isFound: (n: number) => boolean) =>
    Array.from({ length: 3000 }, (_, n) => 3000 - n)
      .filter(isFound)
      .map((n) => `T${n}`);
  const old = numbered((n) => n < 1500);
  expect(await read('q=old.example')).toEqual(old);
  expect(await read('q=%40o')).toEqual(old);
  expect(await read('q=old.example&created_since=2000-01-01')).toEqual(old);
  expect(await read('q=old.example%20t')).toEqual([]);
  expect(await read('q=(')).toEqual([]);
  expect(await read('q=%40')).toEqual(numbered(() => true));
  expect(await read(`q=${encodeURIComponent('小小')}`)).toEqual(numbered((n) => n % 40 === 0));
  expect(await read('q=old.example&lease_status=active')).toEqual([]);
  expect(await read('q=old.example&lease_status=none')).toEqual(old);
});
