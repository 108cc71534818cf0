import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type Person, signUp } from '../../test/support/browser.ts';
import { importAll, readCsv } from '../../test/support/csv.ts';
import { envelope } from '../../test/support/envelope.ts';
import { until } from '../../test/support/process.ts';
import { make } from '../../test/support/records.ts';
import { type Ids, idOf, populate, settings } from '../../test/support/route-driver.ts';
import { type Client, requestsUnderWay, type Service, testService } from '../../test/support/service.ts';
import { thorough } from '../../test/support/thorough.ts';
import { sql, toStatement } from '../db/sql.ts';
import { preferredType } from '../http/routes/accept.ts';
import { listColumns } from '../http/routes/csv.ts';
import { withNameColumns } from '../http/routes/csv-names.ts';
import { routes, sessionRoutes } from '../http/routes/routes.ts';
import { guardText, unguardText } from './cells.ts';

let service: Service;
let person: Person;
beforeAll(async () => {
  service = await testService({ ...settings, SIGN_UP: 'open', RATE_LIMIT_PER_SECOND: '0' });
  person = await signUp(service);
});
afterAll(() => service.close());

const csv = { accept: 'text/csv' };
/** The parameters that some lists require. */
const queries: Record<string, string> = {
  '/reports/rent-collected': '?from=2026-01-01&to=2026-01-31',
  '/search': '?q=a',
};

test.each([
  [undefined, false],
  ['*/*', false],
  ['application/json', false],
  ['text/csv', true],
  ['TEXT/CSV; charset=utf-8; header=present', true],
  ['text/*', true],
  ['text/csv, application/json', false],
  ['application/json;q=0.9, text/csv', true],
  ['text/csv;q=0.5, application/json', false],
  ['text/csv, */*', true],
  ['text/csv, */*;q=0.1', true],
  ['text/csv;q=0', false],
  ['text/csv;q=0, */*', false],
  ['text/csv;q=0.2, application/json;q=0.1', true],
  ['text/csv;q=0.8,application/*;q=0.9', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', false],
  ['application/xml', false],
  ['', false],
  ['garbage', false],
])('Accept: %s asks for CSV: %s', (accept, expected) => {
  expect(preferredType(accept, ['text/csv']) === 'text/csv').toBe(expected);
});

describe('every list', () => {
  const lists = [...routes, ...sessionRoutes].filter(
    (route) => route.access === undefined && listColumns(route) !== null,
  );

  let ids: Ids;
  beforeAll(async () => {
    ids = await populate(person);
  });

  test('of the API has a CSV form', () => {
    expect(lists.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/properties',
        '/units',
        '/tenants',
        '/leases',
        '/payments',
        '/maintenance',
        '/webhooks',
        '/events',
        '/webhooks/:id/deliveries',
        '/reports/rent-roll',
        '/reports/rent-collected',
      ]),
    );
  });

  test.each(lists.map((route) => [route.path, route] as const))(
    '%s answers with a header and its fields',
    async (path, route) => {
      const id = route.id ? idOf(ids, route.id) : '';
      const query = queries[path] ?? '';
      const answer = await person.get(path.replace(':id', id) + query, csv);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      const name = path.split('/').at(-1);
      expect(answer.headers.get('content-disposition')).toMatch(
        new RegExp(`^attachment; filename="${name}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
      );
      expect(answer.headers.get('vary')).toMatch(/accept/i);
      const [header = ''] = answer.text.split('\r\n');
      const columns = withNameColumns(listColumns(route) ?? []);
      expect(header.split(',')).toEqual(columns.map((column) => column.header));
      expect(new Set(header.split(',')).size).toBe(header.split(',').length);
    },
  );
});

describe('a CSV list', () => {
  test('has the records of the JSON list, flat, in the same order, with the filters', async () => {
    const client = await service.client();
    const tenant = await make.tenant(client, { email: 'ada@example.com', notes: 'one, "two"\nthree' });
    const lease = await make.lease(client, { tenant_ids: [tenant.id], end_date: null });
    await make.tenant(client, { first_name: 'Ben', last_name: 'Li' });
    const json = (await client.get('/tenants')).body.data;
    const rows = readCsv((await client.get('/tenants', csv)).text);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toEqual({
      id: tenant.id,
      first_name: 'Ada',
      last_name: 'Okafor',
      email: 'ada@example.com',
      phone: '',
      notes: 'one, "two"\nthree',
      external_id: '',
      property_id: json[1].property.id,
      property_name: 'Maple Court',
      unit_id: lease.unit_id,
      unit_name: json[1].unit.name,
      lease_id: lease.id,
      lease_start_date: '2026-01-01',
      lease_end_date: '',
      lease_rent_cents: '125000',
      lease_current_rent_cents: '125000',
      lease_currency: 'USD',
      lease_status: 'active',
      created_at: json[1].created_at,
      updated_at: json[1].updated_at,
    });
    const filtered = readCsv((await client.get('/tenants?lease_status=none', csv)).text);
    expect(filtered.map((row) => row.first_name)).toEqual(['Ben']);
    const [row] = readCsv((await client.get('/leases', csv)).text);
    expect(row).toMatchObject({ tenant_ids: lease.tenant_ids.join(';'), rent: '1250.00' });
  });

  test('has all records, however many; with a limit that many, and a link to the rest', async () => {
    const client = await service.client();
    const names = Array.from({ length: 2345 }, (_, n) => `House ${n}`);
    await importAll(service, client, { properties: `name\n${names.join('\n')}` }, { events: false });
    const all = await client.get('/properties', csv);
    expect(readCsv(all.text).map((row) => row.name)).toEqual(names.toReversed());
    expect(all.headers.get('link')).toBeNull();
    const some = await client.get('/properties?limit=10', csv);
    expect(readCsv(some.text).map((row) => row.name)).toEqual(names.slice(-10).toReversed());
    const next = /<([^>]+)>/.exec(some.headers.get('link') ?? '')?.[1] ?? '';
    const rest = await service.request('GET', next.replace('limit=10&', '').replace('&limit=10', ''), {
      key: client.key,
      headers: csv,
    });
    expect(readCsv(rest.text)).toHaveLength(2335);
  });

  test('keeps errors in JSON', async () => {
    const client = await service.client();
    for (const [path, status] of [
      ['/payments?status=nonsense', 400],
      ['/nothing', 404],
      ['/payments?cursor=x', 400],
    ] as const) {
      const answer = await client.get(path, csv);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toBeNull();
      expect(answer.body.error.code).toBe(status);
    }
    expect((await service.request('GET', '/payments', { headers: csv })).status).toBe(401);
    const single = await client.get(`/properties/${(await make.property(client)).id}`, csv);
    expect(single.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('shows only the account that asks', async () => {
    const [one, two] = [await service.client(), await service.client()];
    await make.property(one, { name: 'Theirs' });
    expect((await two.get('/properties', csv)).text).not.toContain('Theirs');
  });

  test('answers HEAD with headers only', async () => {
    const client = await service.client();
    await make.property(client);
    const answer = await service.request('HEAD', '/properties', { key: client.key, headers: csv });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.text).toBe('');
  });

  test('has a byte order mark in the dashboard, for spreadsheets, and none in the API; a link can ask for it', async () => {
    const bytes = async (url: string, headers: Record<string, string>) =>
      Buffer.from(await (await fetch(service.url + url, { headers })).arrayBuffer());
    const bom = Buffer.from([0xef, 0xbb, 0xbf]);
    const shown = await bytes('/internal/v1/properties?format=csv', { cookie: person.cookies() });
    expect(shown.subarray(0, 3)).toEqual(bom);
    const client = await service.client();
    const plain = await bytes('/api/v1/properties', { ...csv, authorization: `Bearer ${client.key}` });
    expect(plain.subarray(0, 3)).toEqual(Buffer.from('id,'));
    expect((await openBrowser(service).get('/properties?format=csv')).status).toBe(401);
    expect((await client.get('/properties?format=json', csv)).body).toEqual({ data: [], count: 0 });
  });

  test('has names beside ids in the dashboard, on every page of it, and only the ids in the API', async () => {
    const owner = await signUp(service);
    const client = { ...owner } as unknown as Client;
    const property = await make.property(client, { name: 'Elm; "House"', units: [{ name: '2B' }] });
    const { data: units } = (await owner.get('/units')).body;
    const tenants = [await make.tenant(client), await make.tenant(client, { first_name: '=Ben' })];
    await make.lease(client, { unit_id: units[0].id, tenant_ids: tenants.map(({ id }) => id) });
    await make.payment(client, { tenant_id: tenants[1].id, paid_on: '2026-02-01' });
    await make.maintenance(client, { property_id: property.id });
    const rowsOf = async (path: string) => readCsv((await owner.get(`${path}?format=csv`)).text);

    expect(await rowsOf('/units')).toMatchObject([
      { property_id: property.id, property_name: 'Elm; "House"' },
    ]);
    const [lease] = await rowsOf('/leases');
    expect(lease).toMatchObject({ property_name: 'Elm; "House"', unit_name: '2B' });
    const names: Record<string, string> = Object.fromEntries(
      tenants.map((one) => [one.id, `${one.first_name} ${one.last_name}`]),
    );
    const inOrder = lease?.tenant_ids?.split(';').map((id) => names[id]);
    expect(unguardText(lease?.tenant_names ?? '').split(';')).toEqual(inOrder);
    expect(await rowsOf('/payments')).toMatchObject([
      { tenant_name: "'=Ben Okafor", property_name: 'Elm; "House"', unit_name: '2B' },
    ]);
    expect(await rowsOf('/maintenance')).toMatchObject([
      { property_name: 'Elm; "House"', unit_name: '', tenant_name: '' },
    ]);
    expect((await (await service.client()).get('/payments', csv)).text).not.toContain('_name');

    const fifty = Array.from({ length: 50 }, (_, n) => ({ name: `${n}` }));
    for (let n = 0; n < 25; n++)
      expect((await owner.post('/properties', { name: 'Oak', units: fifty })).status).toBe(201);
    const many = await rowsOf('/units');
    expect(many).toHaveLength(1251);
    expect(new Set(many.map((row) => row.property_name))).toEqual(new Set(['Oak', 'Elm; "House"']));
  });

  test('that is cut off in the middle does not look complete', async () => {
    const client = await service.client();
    const names = Array.from({ length: 2500 }, (_, n) => `House ${n}`);
    await importAll(service, client, { properties: `name\n${names.join('\n')}` }, { events: false });
    const { db } = service.app;
    let lists = 0;
    service.app.db = {
      ...db,
      query: (query) => {
        if (toStatement(query).text.includes('string_agg') && ++lists === 3)
          throw new Error('the database is gone');
        return db.query(query);
      },
    };
    const raw = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received)).on('error', reject);
      socket.write(
        `GET /api/v1/properties HTTP/1.1\r\nHost: x\r\nAccept: text/csv\r\nAuthorization: Bearer ${client.key}\r\n\r\n`,
      );
    });
    service.app.db = db;
    expect(raw).toContain('HTTP/1.1 200');
    expect(raw).toContain('House 2499');
    expect(raw).not.toContain('House 3,');
    expect(raw.endsWith('0\r\n\r\n')).toBe(false);
  });

  test('that has begun waits for a database that is busy', async () => {
    const client = await service.client();
    const names = Array.from({ length: 2500 }, (_, n) => `House ${n}`);
    await importAll(service, client, { properties: `name\n${names.join('\n')}` }, { events: false });
    const { db } = service.app;
    let lists = 0;
    service.app.db = {
      ...db,
      query: (query) => {
        if (toStatement(query).text.includes('string_agg') && ++lists > 1 && lists < 20)
          throw new Error('timeout exceeded when trying to connect');
        return db.query(query);
      },
    };
    const { status, text } = await client.get('/properties', csv);
    service.app.db = db;
    expect(status).toBe(200);
    expect(readCsv(text)).toHaveLength(2500);
    expect(lists).toBeGreaterThan(20);
  });
});

test.runIf(thorough)(
  'nothing is read ahead for a slow reader: memory does not depend on the length',
  async () => {
    const client = await service.client();
    const { tenant_id } = await make.payment(client);
    // Nothing here searches for a text, and indexing twenty megabytes of it would take most of a minute.
    for (const index of [sql`payments_by_text`, sql`payments_by_character`])
      await service.database.db.query(sql`drop index ${index}`);
    // The rows are added in parts, because statements have a time limit.
    for (let part = 0; part < 20; part++)
      await service.database.db.query(sql`
    insert into payments (account_id, id, tenant_id, amount_cents, currency, paid_on, method, status, memo, source, created_at, updated_at)
    select account_id, gen_random_uuid(), tenant_id, 100 + n, 'USD', paid_on, method, status, repeat('x', 1000), source, created_at, updated_at
    from (select * from payments where account_id = ${client.accountId} limit 1) p, generate_series(1, 1000) n`);
    const { db } = service.app;
    let pages = 0;
    service.app.db = {
      ...db,
      query: (query) => {
        if (toStatement(query).text.includes('string_agg')) pages += 1;
        return db.query(query);
      },
    };
    const response = await fetch(`${service.url}/api/v1/payments?tenant_id=${tenant_id}`, {
      headers: { ...csv, authorization: `Bearer ${client.key}` },
    });
    // Another request to the same server is answered while this one waits for its reader.
    await client.get('/properties');
    await client.get('/properties?limit=1');
    const whileWaiting = pages - 2;
    let lines = 0;
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    }
    service.app.db = db;
    expect(lines).toBe(20_002);
    expect(bytes).toBeGreaterThan(20_000_000);
    expect(whileWaiting).toBeLessThan(12);
    expect(pages - 2).toBeGreaterThan(20);

    // The number of such files at one time is limited. Further callers learn when to try again.
    const take = async (): Promise<IncomingMessage> => {
      const headers = { ...csv, authorization: `Bearer ${client.key}` };
      const asked = get(`${service.url}/api/v1/payments`, { headers, agent: false });
      asked.on('error', () => undefined);
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      return answer.on('error', () => undefined);
    };
    const answers: IncomingMessage[] = [];
    // A few at a time: no first page may wait too long for a connection.
    for (let n = 0; n < 5; n++) answers.push(...(await Promise.all(Array.from({ length: 5 }, take))));
    const refused = answers.filter(({ statusCode }) => statusCode === 503);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20);
    expect(refused).toHaveLength(5);
    for (const answer of refused) {
      expect(answer.headers['retry-after']).toBe('5');
      expect(await json(answer)).toEqual(envelope(503, 'Too busy'));
    }
    // A list that fits on one page does not count.
    expect((await client.get('/payments?format=csv&limit=10')).status).toBe(200);
    for (const answer of answers) answer.destroy();
    const isTaken = async () => {
      const again = await take();
      again.destroy();
      return again.statusCode === 200;
    };
    await until(isTaken);

    // A caller that leaves before its file begins does not count for ever.
    const holder = await db.connect();
    await holder.query('begin; lock table payments in access exclusive mode');
    const headers = { ...csv, authorization: `Bearer ${client.key}` };
    const leaving = Array.from({ length: 25 }, () =>
      get(`${service.url}/api/v1/payments`, { headers, agent: false }).on('error', () => undefined),
    );
    await until(async () => (await requestsUnderWay(service)) === 25);
    for (const asked of leaving) asked.destroy();
    await until(async () => (await requestsUnderWay(service)) === 0);
    await holder.query('rollback');
    holder.release();
    await until(isTaken);
  },
);

describe('formulas', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+1 555 0100', "'+1 555 0100"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\rx', "'\rx"],
    ['  =1', "'  =1"],
    ['＝1', "'＝1"],
    ["'=1", "''=1"],
    ['-5', '-5'],
    ['-5.25', '-5.25'],
    ['a=1', 'a=1'],
    ["'quoted'", "'quoted'"],
    ['', ''],
  ])('%j is written %j, and read again as it was', (text, cell) => {
    expect(guardText(text)).toBe(cell);
    expect(unguardText(cell)).toBe(text);
  });

  test('in a record are text in its CSV', async () => {
    const client = await service.client();
    const name = '=HYPERLINK("http://evil.example","click")';
    await make.property(client, { name, notes: '@x;=cmd', external_id: '-1' });
    const { text } = await client.get('/properties', csv);
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"",""click"")"`);
    expect(text).toContain(`"'@x;=cmd",-1,`);
  });
});
