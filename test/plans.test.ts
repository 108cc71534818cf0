import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../src/db/connect.ts';
import { type Sql, toStatement } from '../src/db/sql.ts';
import { listMaintenance } from '../src/maintenance/maintenance.ts';
import { listPayments } from '../src/payments/payments.ts';
import { type TestDatabase, testDatabase } from './database.ts';

/*
 * A page costs the same at ten thousand and at ten million rows: every filter combination reads a page from an
 * index in the order it is shown, or merges such streams. Seen in the plans, on an account with many rows.
 */

const account = '00000000-0000-7000-8000-000000000001';
const tenant = '00000000-0000-7000-8000-00000000000a';
const property = '00000000-0000-7000-8000-00000000000b';
const rows = 40_000;
const limit = 25;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const client = await database.db.connect();
  const run = (text: string) => client.query(text);
  // What is listed is looked at, not what it refers to: the references are let go.
  await run(`
    insert into accounts (id, name, slug) values ('${account}', 'Many', 'many');
    insert into accounts (id, name, slug) select gen_random_uuid(), 'Other', gen_random_uuid()::text from generate_series(1, 20);
    alter table payments drop constraint payments_tenant_id_fk, drop constraint payments_lease_id_fk;
    alter table maintenance_requests drop constraint maintenance_requests_property_id_fk,
      drop constraint maintenance_requests_unit_id_fk, drop constraint maintenance_requests_tenant_id_fk`);
  const id = "('019a' || lpad(to_hex(n), 8, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid";
  const pick = (values: string, by: string) =>
    `(array[${values}])[1 + (${by}) % ${values.split(',').length}]`;
  // Most are paid; a tenant has 40 payments; there are 50 properties and five years.
  await run(`
    insert into payments (account_id, id, tenant_id, property_id, amount_cents, currency, paid_on, method, status, source, created_at, updated_at)
    select case when n % 10 = 0 then (select id from accounts where slug <> 'many' offset n % 20 limit 1) else '${account}' end, ${id},
      case when n % 1000 = 1 then '${tenant}' else md5((n / 40)::text)::uuid end,
      case when n % 50 = 1 then '${property}' else md5('p' || n % 50)::uuid end,
      100, 'USD', date '2022-01-01' + (n % 1800), 'other',
      case when n % 20 = 1 then ${pick("'pending','failed','returned','refunded','voided'", 'n / 20')} else 'paid' end, 'api', now(), now()
    from generate_series(1, ${rows}) n`);
  await run(`
    insert into maintenance_requests (account_id, id, number, property_id, tenant_id, title, category, priority, status, completed_at, source, created_at, updated_at)
    select '${account}', ${id}, n, case when n % 50 = 1 then '${property}' else md5('p' || n % 50)::uuid end,
      case when n % 1000 = 1 then '${tenant}'::uuid end, 'x', 'other',
      case when n % 30 = 1 then 'emergency' else ${pick("'low','medium','high'", 'n')} end, status,
      case when status = 'completed' then now() end, 'api', now(), now()
    from (select n, case when n % 20 = 1 then ${pick("'open','scheduled','in_progress','on_hold','cancelled'", 'n / 20')} else 'completed' end as status
      from generate_series(1, ${rows}) n) s`);
  await run('analyze payments; analyze maintenance_requests; analyze accounts');
  client.release();
}, 120_000);
afterAll(() => database.drop());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Sort Method'?: string;
  'Sort Key'?: string[];
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Runs a list and keeps the statement that it made. */
async function statementOf(list: (db: Db) => Promise<unknown>): Promise<Sql> {
  let found: Sql | undefined;
  const spy: Db = {
    query: (query) => {
      found = query;
      return database.db.query(query);
    },
    transaction: (work) => work(spy),
  };
  await list(spy);
  if (!found) throw new Error('The list asked nothing.');
  return found;
}

/** As the first executions of a prepared statement are planned, with its values; and as the later ones, without. */
async function plansOf(query: Sql): Promise<Record<string, Plan[]>> {
  const { text, values } = toStatement(query);
  const client = await database.db.connect();
  try {
    const explain = async (mode: string) => {
      await client.query(`set plan_cache_mode = ${mode}`);
      const { rows: found } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>({
        // Named, as the program does it.
        name: `plan_${mode}`,
        text: `explain (analyze, costs off, timing off, format json) ${text}`,
        values,
      });
      const plan = found[0]?.['QUERY PLAN'][0]?.Plan;
      if (!plan) throw new Error('There is no plan.');
      return flatten(plan);
    };
    const custom = await explain('force_custom_plan');
    const generic = await explain('force_generic_plan');
    return { custom, generic };
  } finally {
    // With its settings and prepared statements.
    client.release(true);
  }
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];

/** Every stream gives at most a page and a record, and no more than those are sorted; a filter that its index does not lead may pass over some. */
function expectFlat(label: string, nodes: Plan[], table: string, streams: number, passedOver = 0): void {
  const most = streams * (limit + 1);
  const types = nodes.map((node) => node['Node Type']).join(', ');
  for (const node of nodes) {
    const read = (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1);
    if (node['Relation Name'] === table) {
      expect(node['Node Type'], `${label}: ${types}`).toMatch(/^Index (Only )?Scan$/);
      expect(read, `${label}: rows read by ${node['Index Name']}`).toBeLessThanOrEqual(most);
      const removed = (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1);
      expect(removed, `${label}: rows passed over in ${node['Index Name']}`).toBeLessThanOrEqual(passedOver);
    }
    if (/Sort/.test(node['Node Type'])) {
      const input = node.Plans?.reduce(
        (sum, each) => sum + (each['Actual Rows'] ?? 0) * (each['Actual Loops'] ?? 1),
        0,
      );
      expect(input ?? 0, `${label}: rows sorted`).toBeLessThanOrEqual(most);
    }
  }
}

const someId = '019a0000-4e20-7000-8000-000000004e20';
const bounds = { limit, before: null, since: null };
const pages = [bounds, { ...bounds, before: someId }, { ...bounds, since: someId }];

/** The months of a range, as payments are listed by them. */
const range = { from: '2023-05-10', to: '2023-11-20' };
const months = 7;
const all = { payments: 6, statuses: 6, priorities: 4, months: 60 };

// [filter, streams, rows passed over at most]
test.each<[filter: object, streams: number, passedOver?: number]>([
  [{}, 1],
  [{ status: ['failed'] }, 1],
  // So many are paid that the newest of all are looked through.
  [{ status: ['paid'] }, 1, limit],
  [{ status: ['failed', 'voided'] }, 2],
  [{ status: ['pending', 'paid', 'failed', 'returned', 'refunded', 'voided'] }, 6],
  // A tenant's payments are few, and all of them may be looked at.
  [{ tenant_id: tenant }, 1],
  [{ tenant_id: tenant, status: ['failed'] }, 1, 100],
  [{ tenant_id: tenant, status: ['failed', 'paid'] }, 1, 100],
  [{ tenant_id: tenant, ...range }, 1, 100],
  [{ tenant_id: tenant, property_id: property }, 1, 100],
  [{ tenant_id: tenant, property_id: property, status: ['paid'], ...range }, 1, 100],
  [{ property_id: property }, all.payments],
  [{ property_id: property, status: ['failed'] }, 1],
  [{ property_id: property, status: ['failed', 'paid'] }, 2],
  // At the edges of a range, the other days of the two months are passed over.
  [range, months, 3 * 800],
  [{ ...range, status: ['failed'] }, months, 800],
  [{ ...range, status: ['failed', 'paid'] }, months * 2, 3 * 800],
  [{ ...range, property_id: property }, months * all.payments, 800],
  [{ ...range, property_id: property, status: ['paid', 'failed'] }, months * 2, 800],
  [{ from: '2024-01-01' }, all.months],
  [{ to: '2023-01-31' }, all.months],
  [{ from: '2024-01-01', status: ['failed'] }, all.months],
])('payments by %j come from an index, in order', async (filter, streams, passedOver) => {
  for (const page of pages) {
    const query = await statementOf((db) => listPayments(db, account, { limit, ...filter } as never, page));
    for (const [mode, nodes] of Object.entries(await plansOf(query)))
      expectFlat(`${mode} ${JSON.stringify(filter)}`, nodes, 'payments', streams, passedOver);
  }
});

test.each<[filter: object, streams: number, passedOver?: number]>([
  [{}, 1],
  [{ status: ['open'] }, all.priorities],
  [{ status: ['open', 'on_hold'] }, 2 * all.priorities],
  [{ priority: ['emergency'] }, 1],
  [{ priority: ['emergency', 'low'] }, 2],
  [{ status: ['open'], priority: ['emergency'] }, 1],
  [{ status: ['open', 'completed'], priority: ['emergency', 'low'] }, 4],
  [{ property_id: property }, all.statuses * all.priorities],
  [{ property_id: property, status: ['open'] }, all.priorities],
  [{ property_id: property, priority: ['low'] }, all.statuses],
  [{ property_id: property, status: ['open'], priority: ['low'] }, 1],
  [{ property_id: property, status: ['open', 'completed'], priority: ['low', 'high'] }, 4],
  [{ tenant_id: tenant }, 1],
  [{ tenant_id: tenant, status: ['open'] }, 1, 100],
  [{ tenant_id: tenant, property_id: property, status: ['open'], priority: ['low'] }, 1, 200],
])('maintenance requests by %j come from an index, in order', async (filter, streams, passedOver) => {
  for (const page of pages) {
    const query = await statementOf((db) =>
      listMaintenance(db, account, { limit, ...filter } as never, page),
    );
    for (const [mode, nodes] of Object.entries(await plansOf(query)))
      expectFlat(`${mode} ${JSON.stringify(filter)}`, nodes, 'maintenance_requests', streams, passedOver);
  }
});
