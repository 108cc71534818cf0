import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { days } from '../src/clock.ts';
import { routes } from '../src/http/routes/routes.ts';
import { isTestAccount } from '../src/ids.ts';
import { dumpOf, expectError, expectInvalid } from './support/records.ts';
import {
  bodyIds,
  fullPath,
  type Ids,
  idOf,
  ofRecord,
  populate,
  queryIds,
  send,
  setAt,
  settings,
  validBody,
} from './support/route-driver.ts';
import { type Answer, type Client, type Service, testService } from './support/service.ts';

/*
 * Requests every route with another account's id in every place that takes an id: a stranger's, and that of the same
 * account in test mode. The table of routes and their schemas are read, so a new route is covered without a change
 * here. A route for which no valid body can be made fails.
 */

let service: Service;
beforeAll(async () => {
  service = await testService(settings);
});
afterAll(() => service.close());

const name = ({ method, path }: (typeof routes)[number]) => `${method} ${path}`;
// DELETE comes last, since the other requests still need what it removes.
const inOrder = routes.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
const lists = routes.filter((route) => route.query && 'cursor' in route.query.shape);

/** The account that asks, and the one whose records are asked for. */
const pairs: [string, (live: Client) => Promise<[ours: Client, other: Client]>][] = [
  ['an account to a stranger', async (live) => [live, await service.client()]],
  ['an account to its test mode', async (live) => [live, await service.trialOf(live)]],
  ['test mode to its account', async (live) => [await service.trialOf(live), live]],
];

describe.each(pairs)('from %s', (_pair, pairOf) => {
  let ours: Client;
  let other: Client;
  let own: Ids;
  let foreign: Ids;
  let victim: string;
  let before: string;
  beforeAll(async () => {
    [ours, other] = await pairOf(await service.client());
    victim = other.accountId;
    own = await populate(ours);
    foreign = await populate(other);
    before = await dumpOf(service, victim);
  });

  /** The answer reveals nothing of the other account, whatever was asked. */
  function expectSilence(answer: Answer): void {
    for (const id of Object.values(foreign)) expect(answer.text).not.toContain(id.split('_')[1]);
  }

  test.each(lists.map((route) => [name(route), route] as const))(
    "%s shows nothing of the other account, as CSV or from the other's cursor",
    async (_name, route) => {
      const id = route.id ? idOf(own, route.id) : '';
      const csv = await ours.get(fullPath(route, id), { accept: 'text/csv' });
      expect(csv.status, csv.text).toBe(200);
      expectSilence(csv);
      const at = route.id ? idOf(foreign, route.id) : '';
      const page = await other.get(fullPath(route, at, { limit: '1' }));
      const cursor = /cursor=([\w-]+)/.exec(page.headers.get('link') ?? '')?.[1];
      // A list with only one record has no second page.
      if (cursor === undefined) return;
      const answer = await ours.get(fullPath(route, id, { cursor }));
      expect([200, 400], answer.text).toContain(answer.status);
      expectSilence(answer);
    },
  );

  test.each(inOrder.map((route) => [name(route), route] as const))(
    '%s keeps to its own account',
    async (_name, route) => {
      const id = route.id ? idOf(own, route.id) : '';
      const body = validBody(route, own);

      if (route.id) {
        const answer = await send(ours, route, fullPath(route, idOf(foreign, route.id)), body);
        expectError(answer, 404, 'Not found');
      }
      for (const { path, prefix } of queryIds(route)) {
        const field = String(path[0]);
        const mine = await ours.get(fullPath(route, id, { [field]: idOf(own, prefix) }));
        expect(mine.status, mine.text).toBe(200);
        const theirs = await ours.get(fullPath(route, id, { [field]: idOf(foreign, prefix) }));
        if (field === 'after') {
          // This is not a filter but a position in the feed, and another account's event is not one.
          expectInvalid(theirs, field);
          expectSilence(theirs);
          continue;
        }
        expect(mine.body.count, `${field} finds our own`).toBeGreaterThan(0);
        expect(theirs.status, theirs.text).toBe(200);
        expect(theirs.body).toEqual({ data: [], count: 0 });
      }
      for (const { path, prefix } of bodyIds(route)) {
        const mixed = structuredClone(body);
        setAt(mixed, path, idOf(foreign, prefix));
        // A record that exists is refused because it is not the one with that id.
        const answer = await send(ours, route, fullPath(route, route.creates ? 'new' : id), mixed);
        expectInvalid(...ofRecord(route, answer, path));
        expectSilence(answer);
      }
      // The same request with our own ids succeeds, so the refusal above was because of the foreign id.
      const fine = await send(ours, route, fullPath(route, id), body);
      expect([route.success, route.creates ? 201 : route.success, 409], fine.text).toContain(fine.status);
      expectSilence(fine);
    },
  );

  test('an Idempotency-Key is of its account: another may use the same one for its own request', async () => {
    const headers = { 'idempotency-key': 'the-same-in-both' };
    const theirs = await other.post('/tenants', { first_name: 'Theirs', last_name: 'Only' }, headers);
    expect(theirs.status).toBe(201);
    foreign.theirs = theirs.body.data.id;
    before = await dumpOf(service, victim);
    const mine = await ours.post('/tenants', { first_name: 'Theirs', last_name: 'Only' }, headers);
    expect(mine.status).toBe(201);
    expect(mine.headers.get('idempotent-replayed')).toBeNull();
    expectSilence(mine);
  });

  test('moving and resetting test mode moves and resets nothing else', async () => {
    const to = new Date(Date.now() + days(3)).toISOString();
    const [moved, reset] = [
      await ours.post('/test/clock/advance', { to }),
      await ours.post('/test/reset', {}),
    ];
    const status = isTestAccount(ours.accountId) ? 200 : 404;
    expect([moved.status, reset.status]).toEqual([status, status]);
  });

  test('nothing changed in the other account', async () => {
    expect(await dumpOf(service, victim)).toBe(before);
  });

  test('every kind of id that a route takes was there to try', () => {
    const prefixes = routes.flatMap((route) => [
      ...(route.id ? [route.id] : []),
      ...[...bodyIds(route), ...queryIds(route)].map(({ prefix }) => prefix),
    ]);
    for (const prefix of prefixes) expect(foreign, prefix).toHaveProperty(prefix);
  });
});

test('every field that takes an id is known by its metadata', () => {
  // A field that is named like an id but lacks the metadata would be missed.
  for (const route of routes) {
    const found = [...bodyIds(route), ...queryIds(route)].map(({ path }) => String(path[0]));
    const named = [...Object.keys(route.body?.shape ?? {}), ...Object.keys(route.query?.shape ?? {})];
    for (const field of named.filter((each) => /_ids?$/.test(each) && each !== 'external_id'))
      expect(found, name(route)).toContain(field);
  }
});
