import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../../test/abuse/fuzz/settings.ts';
import { importAll } from '../../test/support/csv.ts';
import { expectError, expectInvalid, make, unknownId } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { dial, lines } from '../../test/support/sockets.ts';
import { days } from '../clock.ts';
import { moveBackOtherClusters } from '../db/other-cluster.ts';
import { sql } from '../db/sql.ts';
import { formatId, lowestIdAt, newId } from '../ids.ts';

/*
 * Tests that run at the same time use the same Postgres. Their transactions hold the feed back, as any transaction
 * would, so the tests wait for what has to appear.
 */

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

interface Shown {
  id: string;
  event: string;
}

const idsOf = (events: Shown[]): string[] => events.map(({ id }) => id);

/** Reads on until it has this many, as a follower would. */
async function follow(client: Client, after: string, count: number, more = ''): Promise<Shown[]> {
  const seen: Shown[] = [];
  while (seen.length < count) {
    const { status, body } = await client.get(
      `/events?after=${seen.at(-1)?.id ?? after}&wait=30&limit=100${more}`,
    );
    expect(status).toBe(200);
    seen.push(...body.data);
  }
  return seen;
}

test('events are followed from the beginning, from an event on, by name and page by page, the oldest first', async () => {
  const client = await service.client();
  expect((await client.get('/events?after=latest')).body).toEqual({ data: [], count: 0 });
  for (let n = 0; n < 3; n++) await make.tenant(client);
  await make.property(client);
  const all = await follow(client, 'beginning', 4);
  const newestFirst = (await client.get('/events')).body.data;
  expect(all).toEqual([...newestFirst].reverse());
  const [first, second, , last] = idsOf(all);
  expect(await follow(client, `${second}`, 2)).toEqual(all.slice(2));
  expect((await client.get('/events?after=latest')).body.data).toEqual(all.slice(3));
  expect((await client.get(`/events?after=${last}`)).body).toEqual({ data: [], count: 0 });
  expect((await client.get(`/events?after=${last}&wait=0`)).body).toEqual({ data: [], count: 0 });

  const named = await client.get(`/events?after=${first}&event=property.created,lease.ended`);
  expect(named.body.data).toEqual(all.slice(3));
  expect(named.headers.get('link')).toBeNull();

  const paged: Shown[] = [];
  let next: string | undefined = '/api/v1/events?after=beginning&limit=3';
  while (next) {
    const page = await client.get(next);
    paged.push(...page.body.data);
    next = page.headers.get('link')?.match(/<([^>]+)>; rel="next"/)?.[1];
  }
  expect(paged).toEqual(all);
});

test('an event that is committed late comes after all that were shown, and later ones wait for it', async () => {
  const client = await service.client();
  const other = await service.client();
  await make.tenant(client);
  const [first] = idsOf(await follow(client, 'beginning', 1));
  const late = newId();
  const slow = new pg.Client(service.database.connection);
  await slow.connect();
  try {
    await slow.query('begin');
    await slow.query(
      `insert into events (account_id, id, event, body, created_at)
       select account_id, $2, event, body, created_at from events where account_id = $1`,
      [client.accountId, late],
    );
    const quick = (await make.tenant(client)).id;
    await make.tenant(other);
    // The event of a change is in the list at once. It is in the feed when nothing can come before it any more.
    expect((await client.get('/events')).body.data[0].data.tenant.id).toBe(quick);
    expect((await client.get(`/events?after=${first}`)).body.data).toEqual([]);
    const waiting = follow(client, `${first}`, 2);
    await slow.query('commit');
    const seen = await waiting;
    // It has the bytes of the first one.
    expect(seen).toMatchObject([{ id: formatId('evt', late) }, { data: { tenant: { id: quick } } }]);
  } finally {
    await slow.end();
  }
});

test('what cannot be followed is refused, and the error says how to continue', async () => {
  const client = await service.client();
  const other = await service.client();
  await make.tenant(other);
  const [foreign] = idsOf(await follow(other, 'beginning', 1));
  expectInvalid(await client.get(`/events?after=${foreign}`), 'after', /No event of this account/);
  expectInvalid(await client.get('/events?after=evt_1'), 'after', /beginning/);
  expectInvalid(await client.get('/events?wait=5'), 'wait');
  expectInvalid(await client.get('/events?after=beginning&wait=31'), 'wait');
  expectInvalid(await client.get('/events?after=beginning&wait=-1'), 'wait');
  expectInvalid(await client.get('/events?after=beginning&created_since=2026-01-01'), 'created_since');
  const old = lowestIdAt(new Date(Date.now() - days(31)));
  expectError(await client.get(`/events?after=${formatId('evt', old)}`), 410, /no longer kept/);
  expect((await client.get(`/events?after=${unknownId('evt')}`)).status).toBe(410);
});

describe('waiting', () => {
  test('ends with the event, and only with one of the account and of the name', async () => {
    const client = await service.client();
    const other = await service.client();
    const waiting = client.get('/events?after=beginning&event=property.created&wait=30');
    await make.property(other);
    await make.tenant(client);
    const { id } = await make.property(client);
    const { body } = await waiting;
    // On a machine so slow that the time had run out, there is nothing yet.
    const seen = body.count > 0 ? body.data : await follow(client, 'beginning', 1, '&event=property.created');
    expect(seen).toMatchObject([{ event: 'property.created', data: { property: { id } } }]);
  });

  test('is for twenty requests of an account at a time, also after callers have hung up', async () => {
    const client = await service.client();
    const other = await service.client();
    const request = lines(
      'GET /api/v1/events?after=beginning&wait=30 HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${client.key}`,
    );
    const sockets = Array.from({ length: 21 }, () => dial(service.url));
    const answered = sockets.map(
      (socket) => new Promise<string>((resolve) => socket.once('data', (data) => resolve(`${data}`))),
    );
    for (const socket of sockets) socket.write(request);
    expect(await Promise.race(answered)).toMatch(/^HTTP\/1.1 429 /);
    const again = () => client.get('/events?after=beginning&wait=1');
    const refused = await again();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await client.get('/events?after=beginning')).status).toBe(200);
    expect((await other.get('/events?after=beginning&wait=1')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    let answer = await again();
    while (answer.status === 429) answer = await again();
    expect(answer.body).toEqual({ data: [], count: 0 });
  });

  test('ends when the process is told to stop', async () => {
    const stopping = await testService({}, service.database);
    const client = await stopping.client();
    const waiting = client.get('/events?after=beginning&wait=30');
    stopping.app.stopping.abort();
    expect((await waiting).body).toEqual({ data: [], count: 0 });
    expect((await client.get('/events?after=beginning&wait=30')).body).toEqual({ data: [], count: 0 });
  });
});

test('eight writers and an import are followed: every event is seen, and none twice', async () => {
  const [rows, each] = isLong ? [30_000, 300] : [900, 12];
  const client = await service.client();
  const names = Array.from({ length: rows }, (_, n) => `T${n},Ada,Okafor ${n}`);
  const writers = Array.from({ length: 8 }, async () => {
    for (let n = 0; n < each; n++) await make.tenant(client);
  });
  const following = follow(client, 'beginning', rows + 8 * each);
  await Promise.all([
    ...writers,
    importAll(service, client, { tenants: `Tenant ID,First Name,Last Name\n${names.join('\n')}\n` }),
  ]);
  const seen = idsOf(await following);
  const kept = await service.database.db.query<{ id: string }>(
    sql`select id from events where account_id = ${client.accountId}`,
  );
  expect(seen).toHaveLength(kept.length);
  expect(new Set(seen)).toEqual(new Set(kept.map(({ id }) => formatId('evt', id))));
});

test('data from another cluster keeps its order, and later writes come after it', async () => {
  const moved = await testService();
  try {
    const { db } = moved.database;
    const client = await moved.client();
    for (let n = 0; n < 3; n++) await make.tenant(client);
    const before = idsOf(await follow(client, 'beginning', 3));
    // The events look as if they came from a cluster whose counter was higher and which had committed the second one
    // first.
    const [, second] = before;
    const ahead = 2n ** 40n;
    await db.query(
      sql`update events set written_in = written_in + ${ahead}::bigint where account_id = ${client.accountId}`,
    );
    await db.query(sql`update events set written_in = ${ahead}::bigint - 1
      where account_id = ${client.accountId} and id = ${`${second}`.slice(4)}`);
    expect((await client.get('/events?after=beginning')).body.count).toBe(0);
    await moveBackOtherClusters(db, moved.app.log);
    await moveBackOtherClusters(db, moved.app.log);
    await make.property(client);
    const seen = await follow(client, 'beginning', 4);
    expect(idsOf(seen).slice(0, 3)).toEqual([before[1], before[0], before[2]]);
    expect(seen[3]?.event).toBe('property.created');
    expect(idsOf(await follow(client, `${second}`, 3))).toEqual(idsOf(seen).slice(1));
  } finally {
    await moved.close();
  }
});
