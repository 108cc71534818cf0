import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, operator } from '../src/caller.ts';
import type { Db } from '../src/db/connect.ts';
import { everything } from '../src/db/records/id-chunks.ts';
import { type Sql, toStatement } from '../src/db/sql.ts';
import { findFigures } from '../src/home/home.store.ts';
import { listBalances } from '../src/ledger/balances/balances.store.ts';
import { findChangingOn, findOpenOn } from '../src/ledger/charges/due-charges.store.ts';
import { postScheduled } from '../src/ledger/posting/schedule.ts';
import { findLedger } from '../src/ledger/statement/ledger.store.ts';
import { agingByLease, rentRoll } from '../src/reports/reports.store.ts';
import { type TestDatabase, testDatabase } from './support/database.ts';
import { ledgerToday, type ManyLeases, makeManyLeases, pastDay } from './support/many-leases.ts';

/*
 * Reading what is owed takes as long as the amounts that are open on the day require, not the years before. Names are
 * read only for the page. The plans show this. (bench/suites/ledger.ts measures it.)
 */

const leases = 1_000;
const months = 36;
const limit = 25;

let database: TestDatabase;
let client: pg.Client;
let many: ManyLeases;
beforeAll(async () => {
  database = await testDatabase('undistributed');
  client = new pg.Client(database.connection);
  await client.connect();
  // The embedded Postgres has this setting. With the default, Postgres expects spinning disks and reads small tables as
  // a whole.
  await client.query('set random_page_cost = 1.1');
  many = await makeManyLeases(client, { leases, months });
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const asking = (accountId: string): Caller => ({
  accountId,
  currency: 'USD',
  timeZone: 'UTC',
  permission: 'read',
  source: 'api',
  actor: operator,
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** The plan of the statement that does the work, with its values, as it is really run. */
async function planOf(work: (db: Db) => Promise<unknown>): Promise<Plan[]> {
  const asked: Sql[] = [];
  const db: Db = {
    inTransaction: false,
    isDistributed: () => false,
    query: (statement) => {
      asked.push(statement);
      return database.db.query(statement);
    },
    transaction: (inside) => inside(db),
  };
  await work(db);
  const statements = asked.map(toStatement);
  const statement = statements.pop();
  if (!statement) throw new Error('Nothing was asked.');
  await client.query('begin');
  for (const before of statements) await client.query(before);
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `explain (analyze, costs off, timing off, buffers, format json) ${statement.text}`,
    statement.values,
  );
  await client.query('rollback');
  const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
  const [root] = rows[0]?.['QUERY PLAN'] ?? [];
  if (!root) throw new Error('There is no plan.');
  return flatten(root.Plan);
}

/** How many rows of a table were read. */
const lookedAt = (plan: Plan[], table: string): number =>
  plan
    .filter((node) => node['Relation Name'] === table)
    .reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    );

const blocksOf = ([root]: Plan[]): number =>
  (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0);

/** One lease in twenty owes two months. */
const openToday = leases / 10;

test('the first page of what is owed reads what is open, and the leases of the page', async () => {
  const plan = await planOf((db) =>
    listBalances(db, asking(many.account), ledgerToday, { owing: true }, { limit, after: null }),
  );
  expect(plan.map((node) => node['Index Name'])).toContain('open_spans_by_day');
  expect(lookedAt(plan, 'open_spans')).toBeLessThanOrEqual(openToday + limit * months);
  // There are few properties, so reading all of them is as good as an index.
  for (const table of ['leases', 'units', 'lease_tenants', 'tenants', 'charges', 'payments'])
    expect(lookedAt(plan, table), table).toBeLessThanOrEqual(4 * (limit + 1));
  expect(blocksOf(plan)).toBeLessThan(1_500);
});

test('a past day is read as quickly, whatever was open on others', async () => {
  const plan = await planOf((db) =>
    listBalances(db, asking(many.account), pastDay, { owing: true }, { limit, after: null }),
  );
  // On the second of a month every lease owes one rent.
  expect(lookedAt(plan, 'open_spans')).toBeLessThanOrEqual(leases + limit * months);
  for (const table of ['leases', 'charges', 'payments', 'tenants'])
    expect(lookedAt(plan, table), table).toBeLessThanOrEqual(4 * (limit + 1));
});

test('the first page of credits reads what is open, and the leases of the page', async () => {
  // One lease in ten has paid the next rent.
  await client.query(
    `insert into open_spans (account_id, lease_id, kind, item_id, due_on, amount_cents, from_day, to_day)
     select account_id, lease_id, 'credit', id, $2::date, 100000, $2::date, null
     from (select p.*, row_number() over (order by p.id) as n from (
       select distinct on (lease_id) * from payments where account_id = $1 order by lease_id, paid_on desc) p) p
     where n % 10 = 1`,
    [many.account, ledgerToday],
  );
  const plan = await planOf((db) =>
    listBalances(db, asking(many.account), ledgerToday, { in_credit: true }, { limit, after: null }),
  );
  expect(plan.map((node) => node['Index Name'])).toContain('open_spans_by_day');
  expect(lookedAt(plan, 'open_spans')).toBeLessThanOrEqual(2 * openToday + limit * months);
  for (const table of ['leases', 'units', 'lease_tenants', 'tenants', 'charges', 'payments'])
    expect(lookedAt(plan, table), table).toBeLessThanOrEqual(4 * (limit + 1));
  expect(blocksOf(plan)).toBeLessThan(1_500);
  await client.query(`delete from open_spans where account_id = $1 and kind = 'credit'`, [many.account]);
});

test("a tenant's balances read their own leases alone", async () => {
  const { rows } = await client.query<{ tenant_id: string }>(
    'select tenant_id from lease_tenants where account_id = $1 and lease_id = $2',
    [many.account, many.lease],
  );
  const tenant_id = rows[0]?.tenant_id ?? '';
  const plan = await planOf((db) =>
    listBalances(db, asking(many.account), ledgerToday, { tenant_id }, { limit, after: null }),
  );
  expect(lookedAt(plan, 'leases')).toBeLessThanOrEqual(4);
  expect(blocksOf(plan)).toBeLessThan(300);
});

test('a search for somebody reads their leases and what is open, whoever else there is', async () => {
  await client.query(
    `update tenants set last_name = 'Zanzibar' where account_id = $1
       and id = (select tenant_id from lease_tenants where account_id = $1 and lease_id = $2)`,
    [many.account, many.lease],
  );
  const asked = { q: 'zanzibar', owing: true };
  const plan = await planOf((db) =>
    listBalances(db, asking(many.account), ledgerToday, asked, { limit, after: null }),
  );
  expect(lookedAt(plan, 'leases')).toBeLessThanOrEqual(10);
  expect(lookedAt(plan, 'tenants')).toBeLessThanOrEqual(10);
  expect(lookedAt(plan, 'open_spans')).toBeLessThanOrEqual(openToday + months);
});

test("a lease's ledger reads its own entries alone", async () => {
  const plan = await planOf((db) =>
    findLedger(db, many.account, many.lease, { today: ledgerToday, through: ledgerToday }),
  );
  expect(lookedAt(plan, 'charges')).toBe(months);
  expect(lookedAt(plan, 'payments')).toBe(months);
  for (const node of plan.filter(({ 'Relation Name': table }) => table === 'charges' || table === 'payments'))
    expect(node['Node Type']).toMatch(/Index|Bitmap/);
});

/** Each unit has one lease with one tenant, who pays once a month. */
async function expectReadOnce(account: string, units: number): Promise<void> {
  const roll = await planOf((db) => rentRoll(db, account, ledgerToday, undefined));
  for (const table of ['units', 'leases', 'lease_tenants', 'tenants', 'payments'])
    expect(lookedAt(roll, table), `rent roll: ${table}`).toBeLessThanOrEqual(2 * units);
  const aging = await planOf((db) => agingByLease(db, account, ledgerToday));
  for (const table of ['leases', 'lease_tenants', 'tenants'])
    expect(lookedAt(aging, table), `aging: ${table}`).toBeLessThanOrEqual(2 * units);
}

test('a report of all units reads each unit, its lease, its tenants and the payments of the month once', () =>
  expectReadOnce(many.account, leases));

test('of an account that is newer than the statistics, nothing is read again for each of its rows', async () => {
  await client.query('analyze');
  const { account } = await makeManyLeases(client, { leases: 200, months: 12 });
  const timesRead = (plan: Plan[]) =>
    Math.max(...plan.filter((node) => node['Relation Name']).map((node) => node['Actual Loops']));
  const balances = await planOf((db) =>
    listBalances(db, asking(account), ledgerToday, {}, { limit, after: null, total: true }),
  );
  expect(timesRead(balances)).toBeLessThanOrEqual(2 * limit);
  const home = await planOf((db) => findFigures(db, account, 'USD', ledgerToday, []));
  expect(timesRead(home)).toBeLessThanOrEqual(20);
  await expectReadOnce(account, 200);
});

test('what many days bring is found by these days, whatever came before', async () => {
  const { account } = many;
  const days = { from: '2026-11-18', to: '2027-02-17' };
  const finders: ((db: Db) => Promise<unknown>)[] = [
    (db) => findChangingOn(db, account, days, everything),
    (db) => findOpenOn(db, account, 'due_on', days, everything),
    (db) => findOpenOn(db, account, 'overdue_from', days, everything),
  ];
  for (const find of finders) {
    const plan = await planOf(find);
    expect(lookedAt(plan, 'charges')).toBeLessThanOrEqual(leases);
    expect(lookedAt(plan, 'open_spans')).toBeLessThanOrEqual(2 * openToday);
  }
});

test('when rent is posted, the leases are looked up once, and each is charged once', async () => {
  const { account } = await makeManyLeases(client, { leases: 1_100, months: 1 });
  await client.query(`
    insert into lease_schedules (account_id, lease_id, next_charge_on)
    select account_id, id, '2026-12-01' from leases where account_id = '${account}';
    insert into recurring_charges (account_id, id, lease_id, unit_id, property_id, kind, amount_cents, currency, every,
      starts_on, next_charge_on, source, created_at, updated_at)
    select account_id, id, id, unit_id, property_id, 'parking', 5000, currency, 'month', '2026-12-03', '2026-12-03',
      'api', now(), now() from leases where account_id = '${account}'`);
  const lookUps: string[] = [];
  await database.db.transaction(async (tx) => {
    const query = <Row>(statement: Sql) => {
      const { text } = toStatement(statement);
      if (/lease_schedules where .* next_charge_on <=/.test(text)) lookUps.push(text);
      return tx.query<Row>(statement);
    };
    const how = { accountId: account, actor: operator, now: new Date(), today: ledgerToday, events: true };
    await postScheduled({ ...tx, query }, how, '2026-12-05');
  });
  expect(lookUps).toHaveLength(1);
  const { rows } = await client.query(`
    select kind, due_on::text, count(*)::int, count(distinct lease_id)::int as leases from charges
    where account_id = '${account}' and due_on > '${ledgerToday}' group by 1, 2 order by 1`);
  expect(rows).toEqual([
    { kind: 'parking', due_on: '2026-12-03', count: 1_100, leases: 1_100 },
    { kind: 'rent', due_on: '2026-12-01', count: 1_100, leases: 1_100 },
  ]);
});
