import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import { days } from '../src/clock.ts';
import { loadConfig } from '../src/config.ts';
import type { Database, Db } from '../src/db/connect.ts';
import { type Sql, type Statement, toStatement } from '../src/db/sql.ts';
import { settle } from '../src/deliveries/engine/across-accounts.store.ts';
import { promoteDue } from '../src/deliveries/engine/queue.store.ts';
import { newestEventId } from '../src/events/events.store.ts';
import type { Route } from '../src/http/routes/route.ts';
import { createLog } from '../src/log.ts';
import { isLong as isWhole } from './abuse/fuzz/settings.ts';
import { isCluster, type TestDatabase, testDatabase } from './support/database.ts';
import {
  ask,
  expandedRequests,
  type ListRequest,
  listRequests,
  listRoutes,
  sortsOf,
} from './support/list-requests.ts';
import { idAt, makeManyRecords, timeAt, withoutIndexes } from './support/many-records.ts';
import { claimDeliveries, succeeded } from './support/queue.ts';
import { thorough } from './support/thorough.ts';

/*
 * A page costs the same with ten thousand rows as with ten million, and so does a claim. Tables that grow without end
 * are read only through indexes, which read hardly more than is shown, and no more than that is sorted. The plans for
 * an account with many rows show this. (bench/growth measures it with millions.)
 */

const limit = 25;
const page = limit + 1;
/**
 * What one tenant has paid, what was paid on one lease, and what waits for one endpoint: all of it may be read and
 * sorted.
 */
const fewOfOne = 150;
/** How many pages of tables and indexes may be read: about four for each stream, and for each record that is shown. */
const blocks = 1_000;
/** Each stream gives its newest first. A range of five years with all statuses has this many streams at most. */
const streams = 750;

/** The tables that grow without end. */
const growing = [
  'accounts',
  'payments',
  'charges',
  'maintenance_requests',
  'events',
  'history',
  'deliveries',
  'delivery_attempts',
  'delivery_queue',
  'webhook_endpoints',
];

/**
 * An account has thousands of these, and looks through its own for what no index knows: a status that follows from the
 * day. In the order of the list, though, by an index, until the page is full: none is sorted for it. Houses and credits
 * are too few for that to be worth it. Which tenants live in one, or have a lease of some status, its leases say: those
 * few are looked up and sorted. What is searched for is found by an index of text, and sorted.
 */
const lookedThrough = ['units', 'tenants', 'leases'];
const tableOf = ({ path }: Route) => lookedThrough.find((name) => path === `/${name}`);
const isLong = (route: Route) =>
  tableOf(route) === undefined && !['/properties', '/credits'].includes(route.path);
const isByLeases = ({ route, query }: ListRequest): boolean =>
  route.path === '/tenants' && ('property_id' in query || 'lease_status' in query);

/**
 * The index of text that a search uses. Where something exact finds only few rows, those are looked through instead.
 */
function indexOfText({ route, query }: ListRequest): string | undefined {
  const index = { '/tenants': 'tenants_by_text', '/payments': 'payments_by_text' }[route.path];
  const exact = ['email', 'phone', 'external_id', ...(route.path === '/tenants' ? ['property_id'] : [])];
  return 'q' in query && !exact.some((name) => name in query) ? index : undefined;
}

/**
 * Before the indexes are used, this many of the newest rows are looked through. Of each word, this many are counted.
 */
const searched = 1_000;

/**
 * Charges grow without end, but not every combination of their filters is worth an index that each posting would have
 * to write. By one filter alone they are found as quickly as payments. All that are open or voided may be read. With
 * two filters, the second may skip rows that the first has found, in the order of an index.
 */
const openCharges = 2_000;
const isPlanned = ({
  route,
  query: { limit: _, cursor: __, created_since: ___, ...filters },
}: ListRequest) =>
  // In the order of changes, a filter skips the rows that it does not want. So it does with what a search has found.
  'updated_since' in filters || ('q' in filters && route.path !== '/tenants')
    ? Object.keys(filters).length === 1
    : route.path !== '/charges' || (Object.keys(filters).length <= 1 && !('to' in filters));

/**
 * In the feed, this many events are looked through at a time for those with a given name, in an index that contains the
 * names.
 */
const eventsLookedThrough = 5_000;

function fewOf({ route, query }: ListRequest): number {
  if ('after' in query && 'event' in query) return eventsLookedThrough;
  if ('q' in query) return searched;
  if (route.path === '/charges' && ('status' in query || 'overdue' in query)) return openCharges;
  return 'external_id' in query ||
    'tenant_id' in query ||
    'lease_id' in query ||
    route.path.endsWith('/deliveries')
    ? fewOfOne
    : 0;
}

test('the lists are known', () => {
  expect(listRoutes.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/payments', '/maintenance', '/events', '/webhooks/:id/deliveries', '/tenants']),
  );
});

/**
 * What Postgres assumes when it makes its one plan for all callers: one assumption after the other, on the same rows.
 */
const beliefs: Record<string, (client: pg.Client) => Promise<unknown>> = {
  'as there is': async () => {},
  /** Where it would read millions of rows for a page, it does so with the rows that there are. */
  'as with five million payments': (client) =>
    client.query(
      `update pg_class set reltuples = reltuples * 100 where oid = any ($1::regclass[]::oid[])
         or oid in (select indexrelid from pg_index where indrelid = any ($1::regclass[]::oid[]))`,
      [growing],
    ),
  /** All that it has seen is paid, medium and delivered. For all it knows, any other value is as frequent as that. */
  'where all were alike': async (client) => {
    const alike = {
      payments: `status = 'paid', reversed_on = null`,
      maintenance_requests: `status = 'completed', priority = 'medium', completed_at = created_at`,
      events: `event = 'payment.created'`,
      deliveries: `event = 'payment.created', status = 'succeeded'`,
      delivery_queue: `event = 'payment.created'`,
    };
    for (const [table, values] of Object.entries(alike))
      await withoutIndexes(client, table, async () => {
        await client.query(
          `update ${table} set ${values} where (${values.replaceAll(', ', ' and ')}) is not true`,
        );
        await client.query(`vacuum (full) ${table}`);
      });
    for (const table of growing) await client.query(`vacuum (analyze) ${table}`);
  },
};

let database: TestDatabase;
let client: pg.Client;
// A cluster's nodes make the plans, with whatever PostgreSQL they have.
beforeEach(({ skip }) => skip(isCluster(), 'these are the plans of one PostgreSQL'));
beforeAll(async () => {
  database = await testDatabase('undistributed');
  client = new pg.Client(database.connection);
  await client.connect();
  await makeManyRecords(client, {
    payments: 50_000,
    charges: 40_000,
    maintenance: 10_000,
    events: 10_000,
    deliveries: 10_000,
    queued: 10_000,
    accounts: 500,
    endpoints: 1_000,
  });
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** All requests. Without `npm run test:fuzz` it is a sixth of them, a different one for each assumption. */
const some = (requests: ListRequest[], belief: string): ListRequest[] => {
  const names = Object.keys(beliefs);
  return requests.filter((_, n) => isWhole || n % (2 * names.length) === names.indexOf(belief));
};

/** An account that has grown shows the most. */
const believed = Object.entries(beliefs).filter(([name]) => thorough || isWhole || name.includes('million'));

describe.each(believed)('planned %s', (belief, believe) => {
  beforeAll(() => believe(client));

  test.each(listRoutes.map((route) => ({ path: route.path, route })))(
    '$path reads and sorts hardly more than a page, whatever it is filtered by',
    async ({ route }) => {
      const app = appOf();
      const asked: Asked[] = [];
      const table = tableOf(route);
      const planned = listRequests(route, limit).filter(isPlanned);
      for (const request of [...some(planned, belief), ...expandedRequests(route, limit)]) {
        const statement = await statementOf((db) => ask(app, db, request));
        asked.push({
          label: request.label,
          statement,
          few: fewOf(request),
          isLong: isLong(route),
          list: isByLeases(request) || 'q' in request.query ? undefined : table,
          index: indexOfText(request),
        });
      }
      await expectAllFlat(asked);
    },
  );

  test('a list in the order of a field reads and sorts hardly more than a page, payments however filtered', async () => {
    const app = appOf();
    for (const route of listRoutes.filter((each) => sortsOf(each).length > 0))
      for (const sort of sortsOf(route)) {
        const filters =
          route.path === '/payments' && sort.endsWith('paid_on')
            ? listRequests(route, limit).filter(
                ({ query }) =>
                  ![
                    'cursor',
                    'created_since',
                    'updated_since',
                    'external_id',
                    'tenant_id',
                    'lease_id',
                    'q',
                  ].some((name) => name in query),
              )
            : [{ route, query: { limit: String(limit) }, label: route.path }];
        const valuesBehind =
          sort.endsWith('_on') || sort.endsWith('_date') ? [undefined, '2024-05-05'] : [undefined];
        const asked: Asked[] = [];
        for (const request of some(filters, belief))
          for (const value of valuesBehind) {
            const behind: Record<string, string> =
              value === undefined ? {} : { cursor: `${sort} ${idAt(0.6)} ${value}` };
            const query = { ...request.query, sort, ...behind };
            const statement = await statementOf((db) => ask(app, db, { ...request, query }));
            const label = `${request.label}, sorted by ${sort} ${value ?? ''}`;
            asked.push({
              label,
              statement,
              few: 0,
              isLong: isLong(route),
              list: tableOf(route),
              merged: 6 * page,
            });
          }
        await expectAllFlat(asked);
      }
  });

  test('a search for signs and for other scripts asks the indexes of characters', async () => {
    const app = appOf();
    const client = await database.db.connect();
    try {
      for (const [path, table] of [
        ['/tenants', 'tenants'],
        ['/payments', 'payments'],
        ['/maintenance', 'maintenance_requests'],
      ])
        for (const route of listRoutes.filter((each) => each.path === path))
          for (const q of ['#', '(', 'Москва']) {
            const request = { route, query: { limit: String(limit), q }, label: route.path };
            const plan = await planOf(client, await statementOf((db) => ask(app, db, request)));
            const asked = plan.map((node) => node['Index Name']);
            expect(asked, `${path}?q=${q}`).toContain(`${table}_by_character`);
            expect(asked, `${path}?q=${q}`).toContain('tenants_by_character');
          }
    } finally {
      client.release();
    }
  });

  test('a search in another order asks the index of text, and reads what it finds', async () => {
    const app = appOf();
    const changes: Record<string, string> = { updated_since: '2020-01-01T00:00:00Z' };
    const client = await database.db.connect();
    try {
      for (const [path, table, orders] of [
        ['/tenants', 'tenants', [{ sort: 'last_name' }, { sort: '-created_at' }]],
        ['/payments', 'payments', [{ sort: 'paid_on' }, { sort: '-paid_on' }, { sort: 'created_at' }]],
        ['/charges', 'charges', [{ sort: '-due_on' }]],
      ] as const)
        for (const route of listRoutes.filter((each) => each.path === path))
          for (const order of [...orders, changes]) {
            const request = { route, query: { limit: String(limit), q: 'nobody', ...order }, label: path };
            const plan = await planOf(client, await statementOf((db) => ask(app, db, request)));
            const label = JSON.stringify(request.query);
            expect(
              plan.map((node) => node['Index Name']),
              label,
            ).toContain(`${table}_by_text`);
            const read = plan.filter((node) => node['Relation Name'] === table);
            const rows = read.map(
              (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
            );
            expect(Math.max(...rows), label).toBeLessThanOrEqual(6 * searched);
          }
    } finally {
      client.release();
    }
  });

  test('a search of few records looks their names up, and no others', async () => {
    const app = appOf();
    const client = await database.db.connect();
    const created_since = timeAt(0.9999).toISOString();
    try {
      for (const path of ['/payments', '/charges', '/credits', '/leases', '/tenants'])
        for (const route of listRoutes.filter((each) => each.path === path)) {
          const request = { route, query: { limit: String(limit), q: 'nobody', created_since }, label: path };
          const plan = await planOf(client, await statementOf((db) => ask(app, db, request)));
          const asked = plan.filter((node) => node['Index Name'] === 'tenants_by_text');
          expect(asked.length, path).toBeGreaterThan(0);
          expect(Math.max(...asked.map((node) => node['Actual Loops'])), path).toBe(0);
        }
    } finally {
      client.release();
    }
  });

  test('tenants are gone through in order without being read', async () => {
    const app = appOf();
    const client = await database.db.connect();
    try {
      for (const route of listRoutes.filter(({ path }) => path === '/tenants'))
        for (const q of ['old.example', '@+']) {
          const request = { route, query: { limit: String(limit), q }, label: route.path };
          const plan = await planOf(client, await statementOf((db) => ask(app, db, request)));
          const inOrder = plan.find((node) => node['Index Name'] === 'tenants_text_in_order');
          expect(inOrder?.['Node Type'], `/tenants?q=${q}`).toBe('Index Only Scan');
        }
    } finally {
      client.release();
    }
  });

  test('a claim and its settling read the rows of the batch alone', async () => {
    const { spy, sent } = spied();
    await promoteDue(spy, page);
    const claimed = await claimDeliveries(spy, { most: page, perLane: 4, leaseMs: 60_000 });
    expect(claimed).toHaveLength(page);
    const done = claimed.map(succeeded);
    expect(await settle(spy, done, new Date())).toMatchObject({ count: page });

    expect(sent).toHaveLength(3);
    await expectAllFlat(
      sent.map((statement) => ({ label: statement.text.slice(0, 200), statement, few: 0, isLong: true })),
    );
  });

  test('events newer than now are looked for in each account by the primary key alone', async () => {
    const { spy, sent } = spied();
    expect(await newestEventId(spy, new Date(Date.now() + days(365)))).toBeNull();
    const client = await database.db.connect();
    const plan = await planOf(client, sent.at(-1) as Statement);
    client.release();
    const reading = plan.filter((node) => node['Relation Name'] === 'events');
    expect(reading).toMatchObject([{ 'Index Name': 'events_pkey', 'Actual Rows': 0 }]);
    expect(reading[0]?.['Rows Removed by Filter'] ?? 0).toBe(0);
  });
});

function appOf(): App {
  const secretKey = 'only for this test, 32 characters';
  const config = loadConfig({ SECRET_KEY: secretKey }, '');
  return createApp({ config, db: database.db, log: createLog('silent'), secretKey });
}

/** The database, and the statements that it gets. */
function spied(): { spy: Database; sent: Statement[] } {
  const sent: Statement[] = [];
  const query = (asked: Sql) => {
    sent.push(toStatement(asked));
    return database.db.query(asked);
  };
  return { spy: { ...database.db, query: query as Database['query'] }, sent };
}

/** The event after which the feed is read: one in the middle. */
const middle = { writtenIn: '0', id: idAt(0.5) };

/** The statement that a list sends to the database. */
async function statementOf(list: (db: Db) => Promise<unknown>): Promise<Statement> {
  let found: Sql | undefined;
  const query = async <Row>(asked: Sql) => {
    // No lease is waiting to be recalculated.
    if (asked.strings.some((text) => text.includes('ledger_changes'))) return [];
    found = asked;
    return [{ json: '{}', data: '[]', count: 0, found: 0, last: null, ...middle }] as Row[];
  };
  const db: Db = {
    inTransaction: false,
    isDistributed: () => false,
    query,
    transaction: (work) => work(db),
  };
  await list(db);
  if (!found) throw new Error('The list asked nothing.');
  return toStatement(found);
}

interface Asked {
  label: string;
  statement: Statement;
  /** How many rows may be read beyond those of the page. */
  few: number;
  /** Whether it reads a table that grows without end. */
  isLong: boolean;
  /** The list's own table, if it may be looked through. */
  list?: string | undefined;
  /** How many rows of several streams are merged by sorting them: a page of each. */
  merged?: number;
  /** The index that must find the rows if the newest records do not fill the page. */
  index?: string | undefined;
}

/** Explains them with the one plan that serves every call, made without knowing its values. */
async function expectAllFlat(asked: Asked[]): Promise<void> {
  const client = await database.db.connect();
  try {
    await client.query('begin');
    for (const each of asked) expectFlat(each, await planOf(client, each.statement));
    await client.query('rollback');
  } finally {
    client.release();
  }
}

interface Plan {
  'Node Type': string;
  'Parent Relationship'?: string;
  'Subplan Name'?: string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

async function planOf(client: pg.ClientBase, { text, values }: Statement): Promise<Plan[]> {
  // With values of its own, explain would make a plan for them.
  await client.query(`prepare explained as ${text}`);
  const readable: string[] = [];
  for (const value of values) readable.push(written(await readArray(client, value)));
  const given = values.length === 0 ? '' : `(${readable.join(', ')})`;
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `explain (analyze, costs off, timing off, buffers, format json) execute explained${given}`,
  );
  await client.query('deallocate explained');
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('There is no plan.');
  return flatten(plan);
}

/** `execute` takes values only as text. The third number of a binary array is the type of its elements. */
async function readArray(client: pg.ClientBase, value: unknown): Promise<unknown> {
  const asText = async (type: string) =>
    (await client.query(`select $1::${type}[]::text as text`, [value])).rows[0].text;
  if (Array.isArray(value)) return asText('text');
  if (!Buffer.isBuffer(value)) return value;
  return asText((await client.query('select $1::oid::regtype as type', [value.readInt32BE(8)])).rows[0].type);
}

function written(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return written(value.toISOString());
  return pg.escapeLiteral(String(value));
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];

function expectFlat({ label, few, list, isLong, index, merged = 0 }: Asked, nodes: Plan[]): void {
  if (index)
    expect(
      nodes.map((node) => node['Index Name']),
      label,
    ).toContain(index);
  // Only this shows the rows that an index skips.
  const [root] = nodes;
  const read = (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0);
  if (isLong) expect(read, `${label}: blocks`).toBeLessThanOrEqual(few > fewOfOne ? 12 * few : blocks);
  for (const node of nodes) {
    const type = node['Node Type'];
    if (growing.includes(node['Relation Name'] ?? '') && /Scan/.test(type)) {
      const how = `${label}: ${node['Relation Name']} by ${node['Index Name']}`;
      // A few rows may also be read in the order of the table and then sorted. A claim finds the rows that it has
      // locked by their physical positions (Tid Scan).
      expect(type, how).toMatch(
        few > 0 ? /^(Index (Only )?|Bitmap Heap )Scan$/ : /^(Index (Only )?|Tid )Scan$/,
      );
      expect(node['Actual Rows'], `${how}, rows of one stream`).toBeLessThanOrEqual(Math.max(page, few));
      expect(node['Actual Loops'], `${how}, streams`).toBeLessThanOrEqual(Math.max(streams, few));
      expect(node['Rows Removed by Filter'] ?? 0, `${how}, rows passed over`).toBeLessThanOrEqual(few);
    }
    if (list !== undefined && node['Relation Name'] === list && /Scan/.test(type))
      expect(type, `${label}: ${list}`).toMatch(/^Index (Only )?Scan$/);
    if (/Sort/.test(type) && reads(node, list ? [list, ...growing] : growing)) {
      const input = node.Plans?.find((each) => each['Parent Relationship'] === 'Outer')?.['Actual Rows'];
      expect(input, `${label}: rows sorted`).toBeLessThanOrEqual(
        Math.max(2 * page, few, merged, heads(nodes)),
      );
    }
  }
}

const reads = (node: Plan, tables: string[]): boolean =>
  flatten(node).some((each) => tables.includes(each['Relation Name'] ?? ''));

/** One row of each stream, which tells where to begin. */
const heads = (nodes: Plan[]): number => {
  const plan = nodes.find((node) => node['Subplan Name'] === 'CTE heads');
  return Math.max(0, ...(plan?.Plans ?? []).map((node) => node['Actual Rows']));
};
