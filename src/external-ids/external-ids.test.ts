import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { eventsDuring, expectError, expectInvalid, make } from '../../test/support/records.ts';
import {
  type Answer,
  type Client,
  newAccount,
  type Service,
  testService,
} from '../../test/support/service.ts';
import type { Db } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { findTaken } from '../db/records/external-ids.ts';
import { type Sql, sql, toStatement } from '../db/sql.ts';
import { formatId, newId } from '../ids.ts';
import { charges } from '../ledger/charges/charges.columns.ts';
import { tenants } from '../tenants/tenants.columns.ts';
import { upsertNouns } from './upsert-nouns.ts';

let service: Service;
let client: Client;
let sent: Record<string, { body: Record<string, unknown>; change?: object; refused?: object }>;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
  const lease = await make.lease(client);
  const [tenant_id] = lease.tenant_ids;
  const { id: property_id } = await make.property(client);
  const unit = await make.unit(client);
  const onLease = { lease_id: lease.id, amount_cents: 5000 };
  sent = {
    '/properties': { body: { name: 'Old Mill' }, change: { city: 'Springfield' } },
    '/units': {
      body: { property_id, name: 'Loft' },
      change: { bedrooms: 2 },
      refused: { property_id: unit.property_id },
    },
    '/tenants': { body: { first_name: 'Ada', last_name: 'Okafor' }, change: { email: 'ada@example.com' } },
    '/leases': {
      body: { unit_id: unit.id, tenant_ids: [tenant_id], start_date: '2026-02-01', rent_cents: 9000 },
      change: { end_date: '2027-01-31' },
      refused: { unit_id: lease.unit_id },
    },
    '/payments': {
      body: { tenant_id, amount_cents: 100, paid_on: '2026-11-01', status: 'pending' },
      change: { status: 'paid' },
      refused: { tenant_id: (await make.tenant(client)).id },
    },
    '/charges': { body: { ...onLease, kind: 'repair', due_on: '2026-11-03' }, refused: { amount_cents: 1 } },
    '/credits': {
      body: { ...onLease, reason: 'concession', credited_on: '2026-11-03' },
      refused: { reason: 'write_off' },
    },
    '/recurring-charges': {
      body: { ...onLease, kind: 'pet', starts_on: '2026-12-01' },
      change: { amount_cents: 7000 },
      refused: { starts_on: '2026-12-02' },
    },
    '/maintenance': { body: { property_id, title: 'Tap drips' }, change: { status: 'completed' } },
  };
});
afterAll(() => service.close());

const nouns = upsertNouns.map(({ path }) => path);
const at = (path: string, externalId: string) => `${path}/by-external-id/${encodeURIComponent(externalId)}`;

test.each(nouns)('PUT %s by external_id creates, then changes, then changes nothing', async (path) => {
  const { body, change, refused } = sent[path] ?? { body: {} };
  const externalId = 'CRM/7 é?';
  const first = await client.put(at(path, externalId), body);
  expect([first.status, first.body.data.external_id], first.text).toEqual([201, externalId]);
  const { id } = first.body.data;
  expect((await client.get(at(path, externalId))).body).toEqual((await client.get(`${path}/${id}`)).body);

  const wanted = { ...body, ...change };
  const second = await client.put(at(path, externalId), wanted);
  expect([second.status, second.body.data.id], second.text).toEqual([200, id]);
  const events = await eventsDuring(service, client, async () => {
    const third = await client.put(at(path, externalId), wanted);
    expect([third.status, third.body], third.text).toEqual([200, second.body]);
    // Fields that are left out stay as they are.
    const fourth = await client.put(at(path, externalId), {
      ...body,
      ...(change && refused ? change : wanted),
    });
    expect([fourth.status, fourth.body], fourth.text).toEqual([200, second.body]);
  });
  expect(events).toEqual([]);
  if (refused) {
    const answer = await client.put(at(path, externalId), { ...wanted, ...refused });
    expectError(answer, 409, new RegExp(`^\`${Object.keys(refused)[0]}\` of an? .+ cannot change`));
  }

  const other = await service.client();
  expectError(await other.get(at(path, externalId)), 404, 'Not found');
  expectError(await client.get(at(path, 'unknown')), 404, 'Not found');
  expectInvalid(await client.put(at(path, 'x'.repeat(201)), body), 'external_id');
});

test('a body that names another external_id than the path is refused, and the same one is taken', async () => {
  const body = { first_name: 'Ada', last_name: 'Okafor' };
  const other = await client.put(at('/tenants', 'mine'), { ...body, external_id: 'other' });
  expectInvalid(other, 'external_id', /path/);
  expectInvalid(await client.put(at('/tenants', 'mine'), { ...body, external_id: null }), 'external_id');
  expectError(await client.get(at('/tenants', 'mine')), 404, 'Not found');
  const strict = { prefer: 'handling=strict' };
  const same = await client.put(at('/tenants', 'mine'), { ...body, external_id: 'mine' }, strict);
  expect([same.status, same.body.data.external_id]).toEqual([201, 'mine']);
});

test.each(['/payments', '/leases', '/charges', '/maintenance'])(
  '%s are shown by external_id with what is beside their ids, as by id',
  async (path) => {
    const { body } = sent[path] ?? { body: {} };
    const made = await client.put(
      at(path, 'beside'),
      path === '/leases' ? await freeLease() : fresh(path, body),
    );
    for (const expand of ['property', 'tenant,unit']) {
      const byId = await client.get(`${path}/${made.body.data.id}?expand=${expand}`);
      const { status, text } = await client.get(`${at(path, 'beside')}?expand=${expand}`);
      expect([status, text]).toEqual([200, byId.text]);
    }
    expectInvalid(await client.get(`${at(path, 'beside')}?expand=events`), 'expand');
  },
);

test('a payment that is sent back as it was read changes nothing', async () => {
  const lease = await make.lease(client);
  const [tenant_id] = lease.tenant_ids;
  const body = { tenant_id, amount_cents: 100, paid_on: '2026-11-01', external_id: 'echo' };
  const made = await client.put(at('/payments', 'echo'), body);
  expect(made.body.data.lease_id).toBe(lease.id);
  const events = await eventsDuring(service, client, async () => {
    const { unit_id, property_id, id, amount, source, created_at, updated_at, ...back } = made.body.data;
    const put = await client.put(at('/payments', 'echo'), back);
    expect([put.status, put.body], put.text).toEqual([200, made.body]);
    const patched = await client.patch(`/payments/${id}`, { lease_id: lease.id });
    expect(patched.body).toEqual(made.body);
  });
  expect(events).toEqual([]);
});

test.each(nouns)('POST %s with the external_id of another names the one that has it', async (path) => {
  const { body } = sent[path] ?? { body: {} };
  const put = await client.put(at(path, 'named'), path === '/leases' ? await freeLease() : fresh(path, body));
  const { id } = put.body.data;
  const answer = await client.post(path, {
    ...(path === '/leases' ? await freeLease() : fresh(path, body)),
    external_id: 'named',
  });
  expectTaken(answer, id);
});

function expectTaken(answer: Answer, id: string): void {
  const message = `${id} already has this external_id; change that one, or choose another.`;
  expect([answer.status, answer.body.error]).toMatchObject([
    409,
    { code: 409, type: 'external_id_taken', message, details: { id } },
  ]);
}

/** A new name each time, because names of units are unique too. */
const fresh = (path: string, body: object) => (path === '/units' ? { ...body, name: `U${++names}` } : body);
let names = 0;
const freeLease = async () => ({
  unit_id: (await make.unit(client)).id,
  tenant_ids: [(await make.tenant(client)).id],
  start_date: '2026-02-01',
  rent_cents: 9000,
});

test.each(['/tenants', '/payments', '/charges', '/recurring-charges', '/maintenance'])(
  'PUT and POST %s of the same external_id at once make one record',
  async (path) => {
    const { body } = sent[path] ?? { body: {} };
    const put = () => client.put(at(path, 'race'), body);
    const post = (headers = {}) => client.post(path, { ...body, external_id: 'race' }, headers);
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, put),
      post(),
      post(),
      post({ 'idempotency-key': `race${path}` }),
    ]);
    const made = answers.filter(({ status }) => status === 201);
    expect(made, answers.map(({ text }) => text).join('\n')).toHaveLength(1);
    const [id] = made.map(idIn);
    for (const answer of answers) {
      if (answer.status === 409) expectTaken(answer, id ?? '');
      else expect([[200, 201].includes(answer.status), idIn(answer)], answer.text).toEqual([true, id]);
    }
  },
);
const idIn = ({ body }: Answer): string => body.data?.id;

test('PATCH cannot take the external_id of another, and may give up its own', async () => {
  const [ada, ben] = [await make.tenant(client, { external_id: 'ada' }), await make.tenant(client)];
  expectTaken(await client.patch(`/tenants/${ben.id}`, { external_id: 'ada' }), ada.id);
  expect((await client.patch(`/tenants/${ada.id}`, { external_id: null })).status).toBe(200);
  expect((await client.patch(`/tenants/${ben.id}`, { external_id: 'ada' })).status).toBe(200);
  // In another account the same external_id is free.
  expect((await make.tenant(await service.client(), { external_id: 'ada' })).external_id).toBe('ada');
});

test('a charge that was voided leaves its external_id to another, and is not made anew as it was', async () => {
  const { body } = sent['/charges'] ?? { body: {} };
  const wrong = await client.put(at('/charges', 'meter-1'), body);
  await client.post(`/charges/${wrong.body.data.id}/void`, { reason: 'Misread' });
  const same = await client.put(at('/charges', 'meter-1'), body);
  expect([same.status, same.body.data.id, same.body.data.status]).toEqual([
    200,
    wrong.body.data.id,
    'voided',
  ]);
  const right = await client.put(at('/charges', 'meter-1'), { ...body, amount_cents: 4000 });
  expect([right.status, right.body.data.amount_cents]).toEqual([201, 4000]);
  expect((await client.get(at('/charges', 'meter-1'))).body.data.id).toBe(right.body.data.id);
  expectTaken(await client.post('/charges', { ...body, external_id: 'meter-1' }), right.body.data.id);
});

test('the fee of a returned payment is charged once, however often the payment is sent', async () => {
  const lease = await make.lease(client);
  const paid = { tenant_id: lease.tenant_ids[0], amount_cents: 100, paid_on: '2026-11-01' };
  expect((await client.put(at('/payments', 'ach-1'), paid)).status).toBe(201);
  const returned = { ...paid, status: 'returned', reversed_on: '2026-11-05', fee_cents: 2500 };
  for (const _ of [1, 2]) expect((await client.put(at('/payments', 'ach-1'), returned)).status).toBe(200);
  const fees = await client.get(`/charges?lease_id=${lease.id}&kind=returned_payment`);
  expect(fees.body.count).toBe(1);
});

test("of records with the same external_id before an upgrade, the oldest keeps it, and the others' history says so", async () => {
  const database = await testDatabase('empty');
  try {
    const { db } = database;
    await migrate(db, 19);
    const [account, other] = [newId(), newId()];
    const ids = Array.from({ length: 4 }, newId);
    const [first = '', second = '', third = '', theirs = ''] = ids;
    await db.query(
      sql`insert into accounts (id, name, slug) values (${account}, 'Old', 'old'), (${other}, 'Other', 'other')`,
    );
    for (const [of, id] of [
      [account, first],
      [account, second],
      [account, third],
      [other, theirs],
    ])
      await db.query(sql`
        insert into tenants (account_id, id, first_name, last_name, external_id, created_at, updated_at)
        values (${of}, ${id}, 'Ada', 'Okafor', ${id === third ? null : 'crm "7"'}, now(), now())`);
    await migrate(db);
    const renamed = `crm "7" (${formatId('ten', second)})`;
    const rows = await db.query<{ id: string; external_id: string | null }>(
      sql`select id, external_id from tenants where account_id = any(${[account, other]}::uuid[]) order by id`,
    );
    expect(rows.map(({ external_id }) => external_id)).toEqual(['crm "7"', renamed, null, 'crm "7"']);
    const history = await db.query<{ record_id: string; changes: string }>(
      sql`select record_id, changes from history where account_id = ${account}`,
    );
    expect(history.map(({ record_id, changes }) => [record_id, JSON.parse(changes)])).toEqual([
      [second, [{ field: 'external_id', from: 'crm "7"', to: renamed }]],
    ]);
  } finally {
    await database.drop();
  }
});

test('whether an external_id is taken is looked up by index, even with a plan made for an empty table', async () => {
  const asked: Sql[] = [];
  const recorder = {
    query: async (query: Sql) => {
      asked.push(query);
      return [];
    },
  };
  const database = await testDatabase('undistributed');
  const accountId = await newAccount(database);
  const client = await database.db.connect();
  try {
    for (const table of [tenants, charges]) {
      await findTaken(recorder as unknown as Db, table, accountId, [{ id: newId(), external_id: 'P7' }]);
      const { text, values } = toStatement(asked.pop() ?? sql``);
      await client.query({ name: table.name, text, values: [...values] });
      const { rows } = await client.query(
        `explain (format json) execute ${table.name}('{P7}', '${accountId}')`,
      );
      const [index] = JSON.stringify(rows).match(/"Index Cond":"[^"]*"/) ?? [];
      expect(index).toContain('external_id = wanted.external_id');
    }
  } finally {
    client.release();
    await database.drop();
  }
});
