import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  day,
  eventsDuring,
  eventsOfNoun,
  expectError,
  make,
  unknownId,
} from '../../../test/support/records.ts';
import {
  fullPath,
  type Ids,
  idOf,
  populate,
  settings,
  validBody,
} from '../../../test/support/route-driver.ts';
import { type Answer, type Client, type Service, testService } from '../../../test/support/service.ts';
import { sql } from '../../db/sql.ts';
import { hasSecrets, type Route } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import { readerOf } from './preconditions.ts';

let service: Service;
let client: Client;
let ids: Ids;
const read: [Route, Answer][] = [];
beforeAll(async () => {
  service = await testService(settings);
  client = await service.client();
  ids = await populate(client, (route, answer) => route.method === 'GET' && read.push([route, answer]));
});
afterAll(() => service.close());

const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? '';
const pathOf = (route: Route): string => fullPath(route, route.id ? idOf(ids, route.id) : '');
const send = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  service.request(method, path, { key: client.key, headers, body });

test('every record and every list has a tag, and is not sent to a caller who has it', async () => {
  const tagged = read.filter(([route, { status }]) => status === 200 && !hasSecrets(route));
  expect(tagged.length).toBeGreaterThan(30);
  for (const [route] of tagged) {
    const path = pathOf(route);
    const first = await client.get(path);
    expect(tagOf(first), path).toMatch(/^"[\w-]{22}(-gzip)?"$/);
    // Some reports contain the time at which they were made.
    if (route.path.startsWith('/reports') || route.path.endsWith('/statement')) continue;
    if (route.unsettled) continue;
    const again = await client.get(path, { 'if-none-match': tagOf(first) });
    expect([path, again.status, again.text], path).toEqual([path, 304, '']);
    expect(tagOf(again)).toBe(tagOf(first));
    expect(again.headers.get('content-type')).toBeNull();
  }
});

test('If-None-Match takes several tags, weak ones, an asterisk, and HEAD', async () => {
  const path = `/payments/${ids.pay}`;
  const tag = tagOf(await client.get(path));
  const status = async (header: string, method = 'GET') =>
    (await send(method, path, { 'if-none-match': header })).status;
  for (const header of [`W/${tag}`, `"other", ${tag}`, ` "a,b" ,W/${tag}`, '*', tag.replace(/"$/, '-br"')])
    expect(await status(header), header).toBe(304);
  for (const header of ['"other"', 'W/"other"', tag.slice(1, -1), '', '"*"'])
    expect(await status(header), header).toBe(200);
  expect(await status(tag, 'HEAD')).toBe(304);
  expect(await status('"other"', 'HEAD')).toBe(200);
});

test('a record that was just made or changed has the tag that GET gives it', async () => {
  const { id: tenant_id } = await make.tenant(client);
  const made = await client.post('/payments', { tenant_id, amount_cents: 100 });
  const path = `/payments/${made.body.data.id}`;
  expect(tagOf(made)).toBe(tagOf(await client.get(path)));
  const changed = await client.patch(path, { memo: 'May' });
  expect(tagOf(changed)).not.toBe(tagOf(made));
  expect(tagOf(changed)).toBe(tagOf(await client.get(path)));
  // A secret is shown once, and such an answer has no ETag.
  const hook = await client.post('/webhooks', validBody(routeOf('POST', '/webhooks'), ids));
  expect([hook.status, hook.headers.get('etag')]).toEqual([201, null]);
});

test('a tag changes with what is derived from other records', async () => {
  const unit = await make.unit(client);
  const tenant = await make.tenant(client);
  const paths = [`/units/${unit.id}`, `/tenants/${tenant.id}`, `/properties/${unit.property_id}`, '/units'];
  const tags = () => Promise.all(paths.map(async (path) => tagOf(await client.get(path))));
  const before = await tags();
  const lease = { unit_id: unit.id, tenant_ids: [tenant.id], start_date: day(-1), rent_cents: 100_000 };
  expect((await client.post('/leases', lease)).status).toBe(201);
  const after = await tags();
  for (const [at, path] of paths.entries()) expect(after[at], path).not.toBe(before[at]);
});

test('with other records beside it, a record has a weak tag, which guards nothing', async () => {
  const path = `/payments/${ids.pay}`;
  const seen = await client.get(`${path}?expand=tenant`);
  expect(seen.body.data.tenant).toBeTruthy();
  expect(tagOf(seen)).toMatch(/^W\/"[\w-]{22}"$/);
  const again = await client.get(`${path}?expand=tenant`, { 'if-none-match': tagOf(seen) });
  expect([again.status, tagOf(again)]).toEqual([304, tagOf(seen)]);
  await client.patch(`/tenants/${seen.body.data.tenant_id}`, { first_name: 'Grace' });
  const changed = await client.get(`${path}?expand=tenant`, { 'if-none-match': tagOf(seen) });
  expect(changed.status).toBe(200);
  expect((await send('PATCH', path, { 'if-match': tagOf(changed) }, { memo: 'May' })).status).toBe(412);
});

test('the first page of a list has a tag, the others have none', async () => {
  const first = await client.get('/payments?limit=1');
  expect(tagOf(first)).not.toBe('');
  const next = new URL(/<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '', service.url);
  const second = await client.get(`/payments${next.search}`);
  expect([second.status, second.headers.get('etag')]).toEqual([200, null]);
  // Something that the list does not show may have changed, so the 304 contains the next page's address too.
  const again = await client.get('/payments?limit=1', { 'if-none-match': tagOf(first) });
  expect([again.status, again.headers.get('link')]).toEqual([304, first.headers.get('link')]);
});

const heeding = routes.filter((route) => readerOf(route, routes) !== undefined);
const guarded = heeding.filter(({ method }) => method !== 'PUT');

test('every PUT, PATCH and DELETE of the API heeds If-Match, as the document says', () => {
  expect(heeding).toEqual(routes.filter(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method)));
});

test('a PUT by the id of another system is refused if the record has changed since, or is not there', async () => {
  const path = '/tenants/by-external-id/erp-7';
  const put = (ifMatch: string | undefined, last_name: string) =>
    send('PUT', path, ifMatch === undefined ? {} : { 'if-match': ifMatch }, { first_name: 'Ada', last_name });
  for (const tag of ['*', '"stale"']) expect((await put(tag, 'Nobody')).status).toBe(412);
  const made = await put(undefined, 'Okafor');
  expect([made.status, tagOf(made)]).toEqual([201, tagOf(await client.get(path))]);
  expect((await put('"stale"', 'Lost')).status).toBe(412);
  const answers = await Promise.all(['One', 'Two', 'Three'].map((name) => put(tagOf(made), name)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  const winner = answers.find(({ status }) => status === 200);
  expect((await client.get(path)).text).toBe(winner?.text);
});

test('with If-None-Match: * a PUT only creates, and of several at once one does', async () => {
  const path = '/tenants/by-external-id/erp-8';
  const put = (header: string, last_name: string, more = {}) =>
    send('PUT', path, { 'if-none-match': header, ...more }, { first_name: 'Ada', last_name });
  const answers = await Promise.all(['One', 'Two', 'Three', 'Four'].map((name) => put('*', name)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412]);
  const made = answers.find(({ status }) => status === 201);
  const events = await eventsDuring(service, client, async () => {
    expectError(await put(' * ', 'Five'), 412, /already/);
    expectError(await put('*', 'Five', { 'if-match': tagOf(made as Answer) }), 412, /already/);
    // Another tag names a state in which the record is not.
    expectError(await put(`W/${tagOf(made as Answer)}`, 'Five'), 412, /already/);
  });
  expect(events).toEqual([]);
  expect((await client.get(path)).text).toBe(made?.text);
  expect((await put('"other"', 'Six')).body.data.last_name).toBe('Six');
  expect((await send('PUT', path, { 'if-none-match': '*' }, { first_name: 1 })).status).toBe(400);
  const stranger = await service.client();
  const theirs = await stranger.put(path, { first_name: 'B', last_name: 'C' }, { 'if-none-match': '*' });
  expect(theirs.status).toBe(201);
});

test('the tag of a webhook follows what people change, not its deliveries', async () => {
  const path = `/webhooks/${ids.we}`;
  const before = await client.get(path);
  await service.database.db.query(
    sql`update webhook_endpoints set last_success_at = now(), failure_count = 3 where account_id = ${client.accountId}`,
  );
  const after = await client.get(path, { 'if-none-match': tagOf(before) });
  expect([after.status, tagOf(after), after.body.data.failure_count]).toEqual([200, tagOf(before), 3]);
  const changed = await send('PATCH', path, { 'if-match': tagOf(before) }, { description: 'Ours' });
  expect(changed.status).toBe(200);
  expect(tagOf(changed)).not.toBe(tagOf(before));
  expect(tagOf(changed)).toBe(tagOf(await client.get(path)));
});

test.each(guarded.map((route) => [route.method, route.path, route] as const))(
  '%s %s is refused if the record has changed since',
  async (method, path, route) => {
    const at = pathOf(route).replace(/\?$/, '');
    const seen = await client.get(at);
    const body = validBody(route, ids);
    const ask = (ifMatch: string, to = at) => send(method, to, { 'if-match': ifMatch }, body);
    for (const stale of ['"stale"', `W/${tagOf(seen)}`, '"stale", W/"x"', ''])
      expectError(await ask(stale), 412, /has changed since/);
    expect((await client.get(at)).text).toBe(seen.text);
    if (route.id) expectError(await ask('*', path.replace(':id', unknownId(route.id))), 404, 'Not found');
    // Records that are in use cannot be deleted, which has nothing to do with tags.
    const allowed = method === 'DELETE' ? [200, 409] : [200];
    expect(allowed).toContain((await ask(`"stale", ${tagOf(seen)}`)).status);
  },
);

test('a wrong body is reported before a stale tag, and an asterisk accepts any state', async () => {
  const path = `/tenants/${(await make.tenant(client)).id}`;
  expect((await send('PATCH', path, { 'if-match': '"stale"' }, { first_name: '' })).status).toBe(400);
  expect((await send('PATCH', path, { 'if-match': '*' }, { first_name: 'Ada' })).status).toBe(200);
});

test('of several simultaneous changes with the same tag, one is made', async () => {
  const tenant = await make.tenant(client);
  const path = `/tenants/${tenant.id}`;
  const seen = tagOf(await client.get(path));
  const events = await eventsDuring(service, client, async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        send('PATCH', path, { 'if-match': seen }, { notes: `Change ${at}` }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await client.get(path)).text).toBe(winner?.text);
  });
  expect(eventsOfNoun('tenant', events)).toHaveLength(1);
});

test('a change without a tag that comes first makes the tag stale', async () => {
  const path = `/maintenance/${ids.mnt}`;
  const seen = tagOf(await client.get(path));
  await client.patch(path, { title: 'Another title' });
  expectError(await send('PATCH', path, { 'if-match': seen }, { title: 'Lost' }), 412, /changed/);
  expect((await client.get(path)).body.data.title).toBe('Another title');
});

test('the tag of another account opens nothing', async () => {
  const other = await service.client();
  const path = `/tenants/${ids.ten}`;
  const tag = tagOf(await client.get(path));
  for (const method of ['PATCH', 'DELETE']) {
    const headers = { 'if-match': tag };
    const answer = await service.request(method, path, {
      key: other.key,
      headers,
      body: { notes: 'Theirs' },
    });
    expectError(answer, 404, 'Not found');
  }
});

const routeOf = (method: string, path: string): Route => {
  const found = routes.find((route) => route.method === method && route.path === path);
  if (found === undefined) throw new Error(`There is no ${method} ${path}.`);
  return found;
};
