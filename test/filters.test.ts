import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { dateOf } from '../src/clock.ts';
import { loadConfig } from '../src/config.ts';
import { routes } from '../src/http/routes/routes.ts';
import { formatId } from '../src/ids.ts';
import { createLog } from '../src/log.ts';
import { maintenancePriorities } from '../src/maintenance/maintenance.schema.ts';
import { isLong } from './abuse/fuzz/settings.ts';
import { isCluster, type TestDatabase, testDatabase, untilSettled } from './support/database.ts';
import { ask, type ListRequest, listRequests, sortsOf } from './support/list-requests.ts';
import { makeManyRecords, probes, today } from './support/many-records.ts';
import { thorough } from './support/thorough.ts';

/*
 * However a page is read, it has the newest records that match. Every combination of filters is compared with what
 * comes of looking at each record of the account.
 */

/** Less than most streams of a filter have, and more. */
const limits = [1, 8, 40];

interface Record {
  [field: string]: unknown;
  id: string;
  created_at: string;
}

const dayOf = (record: Record): string => String(record.paid_on ?? record.due_on);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  const none = { events: 1, deliveries: 1, queued: 0 };
  await makeManyRecords(client, {
    payments: 3_000,
    charges: 3_000,
    maintenance: 3_000,
    ...none,
    accounts: 2,
    endpoints: 2,
  });
  // On a cluster these rows have numbers of their nodes, which may be higher than those of the coordinator.
  for (const table of isCluster() ? ['payments', 'charges', 'maintenance_requests'] : [])
    await client.query(`update ${table} set written_in = 1`);
  await client.end();
  await untilSettled(database.db);
});
afterAll(() => database.drop());

test.each(thorough || isLong ? ['/payments', '/charges', '/maintenance'] : ['/payments'])(
  '%s has the newest records that match, however it is filtered',
  async (path) => {
    const secretKey = 'only for this test, 32 characters';
    const app = createApp({
      config: loadConfig({ SECRET_KEY: secretKey }, ''),
      db: database.db,
      log: createLog('silent'),
      secretKey,
    });
    const route = routes.find((each) => each.method === 'GET' && each.path === path);
    if (!route) throw new Error(`There is no list ${path}.`);
    const readPage = async (request: ListRequest) => {
      const { body, total } = await ask(app, database.db, request);
      return { data: (JSON.parse(body) as { data: Record[] }).data, total };
    };
    const read = async (request: ListRequest) => (await readPage(request)).data;
    // Records are read with the names by which they are searched.
    const names = { limit: '1000', expand: 'tenant,unit,property' };
    const all = await readAll(read, { route, query: names, label: path });
    expect(all).toHaveLength(3_000);
    let matched = 0;
    for (const [turn, limit] of limits.entries()) {
      const requests = listRequests(route, limit);
      // One in three combinations is tried, each with one of the limits. `npm run test:fuzz` tries all of them with all
      // limits.
      for (const request of isLong ? requests : requests.filter((_, n) => n % 9 === 3 * turn)) {
        const matching = all.filter((record) => matches(record, request.query));
        // They were all written at the same time, and have not changed since.
        const expected = ('updated_since' in request.query ? matching.reverse() : matching).slice(0, limit);
        matched += expected.length;
        const { data, total } = await readPage({ ...request, query: { ...request.query, total: 'true' } });
        expect(
          data.map(({ id }) => id),
          `${request.label}, ${limit} records`,
        ).toEqual(expected.map(({ id }) => id));
        // The total counts all pages, wherever this one begins.
        const { cursor: _, ...filters } = request.query;
        expect(total, `${request.label}, total`).toBe(
          all.filter((record) => matches(record, filters)).length,
        );
      }
    }
    expect(matched).toBeGreaterThan(500);

    // The same is checked in the order of a field, and also for a page in the middle. A sample of combinations is
    // enough.
    const every = isLong ? 1 : 118;
    const filtered = listRequests(route, 8).filter(
      ({ query }, n) => n % every === 0 && !('cursor' in query) && !('updated_since' in query),
    );
    for (const sort of sortsOf(route))
      for (const request of filtered) {
        const expected = all
          .filter((record) => matches(record, request.query))
          .sort((a, b) => compare(a, b, sort));
        const query = { ...request.query, sort };
        const label = `${request.label}, sorted by ${sort}`;
        const first = await readPage({ ...request, query: { ...query, total: 'true' } });
        expect(idsOf(first.data), label).toEqual(idsOf(expected.slice(0, 8)));
        expect(first.total, `${label}, total`).toBe(expected.length);
        const at = Math.floor(expected.length / 2);
        const last = expected[at];
        if (!last) continue;
        const cursor = [sort, uuidOf(last.id), ...(sort.endsWith('created_at') ? [] : [keyOf(last, sort)])];
        const next = await read({ ...request, query: { ...query, cursor: cursor.join(' ') } });
        expect(idsOf(next), `${label}, next`).toEqual(idsOf(expected.slice(at + 1, at + 9)));
      }
  },
);

const idsOf = (records: Record[]): string[] => records.map(({ id }) => id);

/** The field's value as a cursor contains it. */
function keyOf(record: Record, sort: string): string {
  const field = sort.replace(/^-/, '');
  if (field === 'created_at') return '';
  if (field === 'priority') return String(maintenancePriorities.indexOf(record.priority as 'low') + 1);
  return String(record[field] ?? 'infinity');
}

function compare(a: Record, b: Record, sort: string): number {
  const [left, right] = [a, b].map((record) => `${keyOf(record, sort)} ${record.id}`);
  const up = (left ?? '') < (right ?? '') ? -1 : 1;
  return sort.startsWith('-') ? -up : up;
}

/** Reads page by page without a filter. Each page begins after the last record of the one before. */
async function readAll(
  read: (request: ListRequest) => Promise<Record[]>,
  request: ListRequest,
): Promise<Record[]> {
  const found: Record[] = [];
  for (;;) {
    const last = found.at(-1);
    const page = await read(
      last ? { ...request, query: { ...request.query, cursor: uuidOf(last.id) } } : request,
    );
    if (page.length === 0) return found;
    found.push(...page);
  }
}

function matches(record: Record, { limit: _, ...query }: { [name: string]: string }): boolean {
  return Object.entries(query).every(([name, value]) => {
    if (name === 'cursor') return uuidOf(record.id) < value;
    if (name === 'created_since' || name === 'updated_since') return record.created_at >= value;
    if (name === 'from') return dayOf(record) >= value;
    if (name === 'to') return dayOf(record) <= value;
    // The tenant who is asked for lives on one lease.
    if (name === 'tenant_id' && !('tenant_id' in record))
      return record.lease_id === formatId('lease', probes.lease);
    if (name === 'q') return value.split(' ').every((word) => textOf(record).includes(word));
    if (name === 'overdue')
      return dayOf(record) < dateOf(today) && ['open', 'partial'].includes(String(record.status));
    return value.split(',').includes(String(record[name]));
  });
}

/** The text that a search looks at, for a record that was read with names. */
function textOf({ id: _, tenant, tenants, unit, property, ...own }: Record): string {
  const { reference, memo, title, number, description, assigned_to, external_id } = own;
  const texts = [reference, memo, title, number, description, assigned_to, external_id, unit, property];
  return JSON.stringify([...texts, tenant ?? tenants]).toLowerCase();
}

const uuidOf = (id: string): string =>
  id.replace(/^[a-z]+_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
