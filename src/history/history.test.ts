import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp, signUpAs } from '../../test/support/browser.ts';
import { importAll } from '../../test/support/csv.ts';
import { holdDeposit } from '../../test/support/ledger.ts';
import { expectError, make, unknownId } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { startClock, turnDays } from '../../test/support/turn-days.ts';
import { todayIn } from '../clock.ts';
import { sql } from '../db/sql.ts';
import { sweepOld } from '../deliveries/retention.ts';
import { forgetOldHistory } from './history.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  client = await service.client();
});
afterAll(() => service.close());

const key = { type: 'key', id: expect.stringMatching(/^key_/), name: 'test' };
const clock = { type: 'clock', id: null, name: 'Clock' };
const entry = (fields: object) => ({
  id: expect.stringMatching(/^hst_[0-9a-f]{32}$/),
  actor: key,
  changes: null,
  note: null,
  created_at: expect.any(String),
  ...fields,
});

const historyOf = async (path: string, by: Pick<Client, 'get'> = client) => {
  const answer = await by.get(`${path}/history`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};

const kinds = [
  { path: '/properties', made: () => make.property(client), change: { notes: 'Wet', year_built: 1925 } },
  { path: '/units', made: () => make.unit(client), change: { area_sqft: 840, offline: true } },
  { path: '/tenants', made: () => make.tenant(client), change: { email: 'ada@example.com', phone: '"1"' } },
  { path: '/leases', made: () => make.lease(client), change: { rent_cents: 130_000, due_day: 2 } },
  { path: '/payments', made: () => make.payment(client), change: { memo: 'a "memo"', amount_cents: 5 } },
  { path: '/maintenance', made: () => make.maintenance(client), change: { title: 'Tap', priority: 'high' } },
  { path: '/webhooks', made: () => make.webhook(client), change: { description: 'x', status: 'disabled' } },
];

test.each(kinds)(
  '$path show who made and changed them, from what to what',
  async ({ path, made, change }) => {
    const record = await made();
    expect((await client.patch(`${path}/${record.id}`, change)).status).toBe(200);
    // Nothing changes, so nothing is recorded.
    expect((await client.patch(`${path}/${record.id}`, change)).status).toBe(200);
    const history = await historyOf(`${path}/${record.id}`);
    const [updated, created] = [history[0], history.at(-1)];
    expect(created).toEqual(entry({ action: 'created' }));
    expect(updated).toEqual(entry({ action: 'updated', changes: expect.any(Array) }));
    expect(updated.changes).toEqual(
      expect.arrayContaining(
        Object.entries(change).map(([field, to]) => ({ field, from: record[field], to })),
      ),
    );
    expect(updated.changes).toHaveLength(Object.keys(change).length);
  },
);

test('ids are shown as everywhere, and tenants of a lease are part of it', async () => {
  const lease = await make.lease(client);
  const other = await make.tenant(client);
  await client.patch(`/leases/${lease.id}`, { tenant_ids: [other.id] });
  const [{ changes }] = await historyOf(`/leases/${lease.id}`);
  expect(changes).toEqual([{ field: 'tenant_ids', from: lease.tenant_ids, to: [other.id] }]);

  const request = await make.maintenance(client);
  const unit = await make.unit(client, { property_id: request.property_id });
  await client.patch(`/maintenance/${request.id}`, { unit_id: unit.id });
  const [moved] = await historyOf(`/maintenance/${request.id}`);
  expect(moved.changes).toEqual([{ field: 'unit_id', from: null, to: unit.id }]);
});

test('charges, credits, recurring charges and refunds of deposits have theirs', async () => {
  const { id } = await make.lease(client);
  const post = async (path: string, body: object) => {
    const answer = await client.post(path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body.data;
  };
  const charge = await post('/charges', {
    lease_id: id,
    kind: 'fee',
    amount_cents: 100,
    due_on: '2026-01-01',
  });
  await post(`/charges/${charge.id}/void`, { reason: 'wrong' });
  const voided = { field: 'void_reason', from: null, to: 'wrong' };
  const day = { field: 'voided_on', from: null, to: expect.stringMatching(/^\d{4}-/) };
  expect(await historyOf(`/charges/${charge.id}`)).toEqual([
    entry({ action: 'updated', changes: [day, voided] }),
    entry({ action: 'created' }),
  ]);
  const credit = await post('/credits', { lease_id: id, amount_cents: 100, reason: 'concession' });
  await post(`/credits/${credit.id}/void`, { reason: 'wrong' });
  expect((await historyOf(`/credits/${credit.id}`))[0].changes).toEqual([day, voided]);
  const recurring = await post('/recurring-charges', {
    lease_id: id,
    kind: 'parking',
    amount_cents: 500,
    every: 'month',
    starts_on: '2026-02-01',
  });
  await client.patch(`/recurring-charges/${recurring.id}`, { memo: 'Space 4' });
  expect(await historyOf(`/recurring-charges/${recurring.id}`)).toEqual([
    entry({ action: 'updated', changes: [{ field: 'memo', from: null, to: 'Space 4' }] }),
    entry({ action: 'created' }),
  ]);
  await holdDeposit(client, id, todayIn('UTC', new Date()));
  const refund = await post(`/leases/${id}/deposit-refunds`, { amount_cents: 400 });
  const [told] = await historyOf(`/leases/${id}`);
  expect(told.changes).toEqual([{ field: 'deposit_refund', from: null, to: refund }]);
  const taken = await post(`/deposit-refunds/${refund.id}/void`, { reason: 'wrong' });
  const [last] = await historyOf(`/leases/${id}`);
  expect(last.changes).toEqual([{ field: 'deposit_refund', from: refund, to: taken }]);
});

test('what follows from a lease, and from a new day, is recorded with who caused it', async () => {
  const { client: later, service: own } = await inOwnTime();
  try {
    const unit = await make.unit(later);
    const tenant = await make.tenant(later);
    const lease = await make.lease(later, {
      unit_id: unit.id,
      tenant_ids: [tenant.id],
      start_date: '2026-03-02',
      rent_cents: 100_000,
    });
    const upcoming = [
      { field: 'lease_status', from: 'none', to: 'upcoming' },
      { field: 'lease', from: null, to: expect.objectContaining({ id: lease.id, status: 'upcoming' }) },
    ];
    const [told] = await historyOf(`/tenants/${tenant.id}`, later);
    expect(told).toEqual(entry({ action: 'updated', changes: expect.arrayContaining(upcoming) }));
    own.app.now = () => new Date('2026-03-02T12:00:00Z');
    await turnDays(own, later.accountId);
    expect(await historyOf(`/units/${unit.id}`, later)).toEqual([
      entry({
        action: 'updated',
        actor: clock,
        changes: [{ field: 'status', from: 'vacant', to: 'occupied' }],
      }),
      entry({ action: 'created' }),
    ]);
    expect((await historyOf(`/leases/${lease.id}`, later))[0]).toEqual(
      entry({ action: 'started', actor: clock }),
    );
    // Whoever reads first, the late fee was made by the clock.
    const policy = await later.patch('/account', {
      late_fees: { grace_days: 0, first: { fixed_cents: 700 } },
    });
    expect(policy.status, policy.text).toBe(200);
    own.app.now = () => new Date('2026-05-20T12:00:00Z');
    await turnDays(own, later.accountId);
    await later.get('/balances');
    const charges = (await later.get(`/charges?lease_id=${lease.id}&kind=late_fee`)).body.data;
    expect(charges.length).toBeGreaterThan(0);
    const [made] = await historyOf(`/charges/${charges[0].id}`, later);
    expect(made).toEqual(entry({ action: 'created', actor: clock }));
  } finally {
    await own.close();
  }
});

async function inOwnTime() {
  const own = await testService();
  own.app.now = () => new Date('2026-03-01T12:00:00Z');
  const later = await own.client();
  await startClock(own, later.accountId);
  return { service: own, client: later };
}

test('people, imports and keys are distinguished in history and events, even if events were declined', async () => {
  const owner = await signUp(service, { name: 'Olive Owner' });
  const { id } = (await owner.post('/properties', { name: 'Elm' })).body.data;
  const [created] = await historyOf(`/properties/${id}`, owner);
  expect(created.actor).toEqual({ type: 'person', id: expect.stringMatching(/^usr_/), name: 'Olive Owner' });
  const [event] = (await owner.get('/events?event=property.created')).body.data;
  expect(event.actor).toEqual(created.actor);

  for (const events of [true, false]) {
    const name = `Imported ${events}`;
    const files = { properties: `name,city\n${name},Ghent\n` };
    const actor = { type: 'import' as const, id: null, name: 'Olive Owner' };
    await importAll(service, client, files, { events, actor });
    const [found] = (await client.get(`/properties?q=${name}`)).body.data;
    expect(await historyOf(`/properties/${found.id}`)).toEqual([entry({ action: 'created', actor })]);
  }
});

test('events carry who made the change after the specified fields, and webhooks get the same', async () => {
  const tenant = await make.tenant(client);
  const [event] = (await client.get('/events?event=tenant.created&limit=1')).body.data;
  expect(Object.keys(event)).toEqual(['id', 'event', 'created_at', 'data', 'actor', 'api_version']);
  expect(event).toMatchObject({ data: { tenant: { id: tenant.id } }, actor: key, api_version: 'v1' });
});

test('the history of a webhook stays when it is deleted, and says who deleted it', async () => {
  const { id, url } = await make.webhook(client);
  expect((await client.delete(`/webhooks/${id}`)).status).toBe(200);
  const history = await historyOf(`/webhooks/${id}`);
  expect(history.map(({ action }: { action: string }) => action)).toEqual(['deleted', 'created']);
  expect(history[0].actor).toEqual(history[1].actor);
  expect(JSON.stringify(history)).not.toContain(url);
});

test('no history has secrets of webhooks', async () => {
  const { id, secret } = await make.webhook(client);
  const rotated = (await client.post(`/webhooks/${id}/rotate-secret`)).body.data;
  const { text, body } = await client.get(`/webhooks/${id}/history`);
  expect(body.data[0].changes).toEqual([{ field: 'secret', from: null, to: null }]);
  for (const one of [secret, rotated.secret]) expect(text).not.toContain(one.slice(6, 20));
});

test('people add notes, viewers read them, and a note stays in its account', async () => {
  const owner = await signUp(service);
  const viewer = await signUpAs(service, owner, 'viewer');
  const { id } = (await owner.post('/tenants', { first_name: 'Ada', last_name: 'O' })).body.data;
  const noted = await owner.post(`/tenants/${id}/notes`, { note: ' Called. ' });
  expect(noted.status).toBe(201);
  expect(noted.body.data).toMatchObject({ action: 'noted', note: 'Called.', actor: { type: 'person' } });
  expect((await viewer.post(`/tenants/${id}/notes`, { note: 'No.' })).status).toBe(403);
  expect((await historyOf(`/tenants/${id}`, viewer))[0]).toEqual(noted.body.data);
  expectError(await client.post(`/tenants/${id}/notes`, { note: 'No.' }), 404, 'Not found');
  expectError(await client.get(`/tenants/${id}/history`), 404, 'Not found');
  expectError(await client.get(`/tenants/${unknownId('ten')}/history`), 404, 'Not found');
});

test('it is paged, and a CSV file has it', async () => {
  const { id } = await make.property(client);
  for (const name of ['a', 'b', 'c']) await client.patch(`/properties/${id}`, { name });
  const first = await client.get(`/properties/${id}/history?limit=3`);
  const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await service.request('GET', next, { key: client.key });
  const all = [...first.body.data, ...second.body.data];
  expect(all.map(({ action }) => action)).toEqual(['updated', 'updated', 'updated', 'created']);
  const csv = await client.get(`/properties/${id}/history`, { accept: 'text/csv' });
  const [header, newest] = csv.text.split('\r\n');
  expect(header).toContain('actor_type,actor_id,actor_name,changes_field,changes_from,changes_to');
  expect(newest).toContain('name,b,c');
});

test('many old entries are deleted in batches, and nothing newer or of other accounts', async () => {
  const [own, other] = [await service.client(), await service.client()];
  const { db } = service.database;
  const age = (accountId: string, days: number, count: number) =>
    db.query(sql`insert into history (account_id, record_id, id, action, actor_type, actor_name, created_at)
      select ${accountId}, gen_random_uuid(), gen_random_uuid(), 'noted', 'clock', 'Clock', now() - ${days} * interval '1 day'
      from generate_series(1, ${count})`);
  await age(own.accountId, 12, 1_100);
  await age(own.accountId, 8, 30);
  await age(other.accountId, 9, 20);
  const batches: number[] = [];
  const sweep = forgetOldHistory(10);
  const counted: typeof sweep = async (...given) => {
    const deleted = await sweep(...given);
    if (deleted > 0) batches.push(deleted);
    return deleted;
  };
  expect(await sweepOld(db, new Date(), 36_500, [counted])).toBe(1_100);
  expect(batches).toEqual([500, 500, 100]);
  const left = await db.query(sql`select count(*)::integer as count from history
    where account_id = any(${[own.accountId, other.accountId]}::uuid[]) group by account_id order by 1`);
  expect(left).toEqual([{ count: 20 }, { count: 30 }]);
});

test('old entries are deleted, even those of existing records', async () => {
  const own = await service.client();
  const { id } = await make.tenant(own);
  const sweep = (now: Date) => sweepOld(service.database.db, now, 36_500, [forgetOldHistory(1)]);
  await sweep(new Date());
  expect(await historyOf(`/tenants/${id}`, own)).toHaveLength(1);
  // The database's own clock counts, in case ours is ahead.
  await service.database.db.query(
    sql`update history set created_at = now() - interval '2 days' where account_id = ${own.accountId}`,
  );
  expect(await sweep(new Date())).toBe(1);
  expect(await historyOf(`/tenants/${id}`, own)).toEqual([]);
});
