import { afterAll, beforeAll, expect, test } from 'vitest';
import { raw, sql } from '../../src/db/sql.ts';
import { SchemaBook } from '../../src/http/openapi-schemas.ts';
import type { Route } from '../../src/http/route.ts';
import { routes, sessionRoutes } from '../../src/http/routes.ts';
import { type Person, signUp } from '../browser.ts';
import { fullPath, type Ids, idOf, populate, send, settings, validBody } from '../route-driver.ts';
import { type Client, type Service, testService } from '../service.ts';

/*
 * Every route that takes a body is sent, beside a right one, every field that it does not take: all that its answer
 * has, and every column of every table. Nothing of it may be found in the database afterwards.
 */

let service: Service;
let key: Client;
let person: Person;
let other: Ids;
let columns: string[];
let tables: string[];
beforeAll(async () => {
  service = await testService({ ...settings, SIGN_UP: 'open' });
  key = await service.client();
  person = await signUp(service);
  const neighbour = await service.client();
  other = await populate(neighbour);
  const rows = await service.database.db.query<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'`);
  columns = [...new Set(rows.map(({ column }) => column))];
  tables = [...new Set(rows.map(({ table }) => table))];
});
afterAll(() => service.close());

/** Values that are found again wherever they are kept. */
const planted = {
  text: `planted-${crypto.randomUUID()}`,
  number: 987_654_321,
  time: '2001-02-03T04:05:06.789Z',
};
type Kind = keyof typeof planted;

/** The tables that have it. */
async function findPlanted(kind: Kind): Promise<string[]> {
  // All in one statement: there are many tables, and it is asked often.
  const wanted = kind === 'time' ? '2001-02-03' : planted[kind];
  const looks = tables.map(
    (name) =>
      `select '${name}' as name where exists (select from ${name} t where to_jsonb(t)::text like '%${wanted}%')`,
  );
  const rows = await service.database.db.query<{ name: string }>(sql`${raw(looks.join(' union all '))}`);
  return rows.map(({ name }) => name);
}

/** What the answer of a route has: its record's fields. */
function answerFields(route: Route): string[] {
  const book = new SchemaBook();
  const names: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties } = node as { properties?: object };
    if (properties) names.push(...Object.keys(properties));
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(book.schema(route.response));
  visit(book.definitions);
  return names;
}

const more = [
  'account',
  'is_admin',
  'admin',
  'permission',
  'role',
  'key',
  'secret',
  'hash',
  'password',
  'verified',
];

/** The body with the value under every name that it does not have, in it and in the objects inside it. */
function plant(body: unknown, names: string[], known: string[], value: unknown): unknown {
  if (Array.isArray(body))
    return body.map((each) => (typeof each === 'object' ? plant(each, names, [], value) : each));
  const fields = body as Record<string, unknown>;
  const foreign = names.filter((name) => !known.includes(name) && !(name in fields));
  const copy = Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [
      name,
      Array.isArray(inner) ? plant(inner, foreign, [], value) : inner,
    ]),
  );
  return { ...copy, ...Object.fromEntries(foreign.map((name) => [name, value])) };
}

const writable = routes.filter(({ body }) => body);
const inOrder = [...writable].sort((a, b) => Number(a.method !== 'POST') - Number(b.method !== 'POST'));

test.each(inOrder.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s takes only its own fields',
  async (_name, route) => {
    const own = await idsOnce();
    const known = Object.keys(route.body?.shape ?? {});
    const names = [...new Set([...columns, ...answerFields(route), ...more])];
    const body = validBody(route, own);
    const id = route.id ? idOf(own, route.id) : '';
    for (const kind of ['text', 'number', 'time'] as const) {
      const answer = await send(key, route, fullPath(route, id), plant(body, names, known, planted[kind]));
      expect([route.success, 409, 400], answer.text).toContain(answer.status);
      expect(answer.text).not.toContain(String(planted[kind]));
      expect([kind, await findPlanted(kind)]).toEqual([kind, []]);
    }
    // Another account's ids under every name that is none of the route's: the record stays ours.
    for (const [prefix, theirs] of Object.entries(other)) {
      const answer = await send(key, route, fullPath(route, id), plant(body, names, known, theirs));
      expect([route.success, 409, 400], answer.text).toContain(answer.status);
      expect(answer.text, prefix).not.toContain(theirs);
    }
  },
);

let made: Promise<Ids> | undefined;
const idsOnce = (): Promise<Ids> => {
  made ??= populate(key);
  return made;
};

const ofPeople = sessionRoutes.filter(
  ({ body, path }) =>
    body && !['/sign-in', '/sign-out', '/invitations/:token/accept', '/account/switch'].includes(path),
);
test.each(ofPeople.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'in the dashboard, %s takes only its own fields',
  async (_name, route) => {
    const { body: team } = await person.get('/team');
    const ids: Ids = { mem: team.data.members[0].id };
    const names = [...new Set([...columns, ...answerFields(route), ...more])];
    const unique = { email: `somebody-${process.hrtime.bigint()}@example.com` };
    const known = Object.keys(route.body?.shape ?? {});
    const right = { ...validBody(route, ids), ...('email' in (route.body?.shape ?? {}) ? unique : {}) };
    for (const kind of ['text', 'number', 'time'] as const) {
      const path = fullPath(route, route.id ? idOf(ids, route.id) : '');
      const answer = await person.request(route.method, path, plant(right, names, known, planted[kind]));
      expect(answer.status, answer.text).toBeLessThan(500);
      expect(answer.status, answer.text).not.toBe(404);
      expect(answer.text).not.toContain(String(planted[kind]));
      expect([kind, await findPlanted(kind)]).toEqual([kind, []]);
    }
  },
);

test('whose account it is cannot be asked for either', async () => {
  const own = await idsOnce();
  const neighbours = await service.database.db.query<{ id: string }>(
    sql`select id from accounts where id <> ${key.accountId}`,
  );
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const path = fullPath(route, route.id ? idOf(own, route.id) : '');
    const plain = await key.get(path);
    for (const { id } of neighbours.slice(0, 2)) {
      const asked = await key.get(`${path}&account_id=acct_${id.replaceAll('-', '')}&account=${id}`, {
        'x-account': `acct_${id.replaceAll('-', '')}`,
      });
      expect([asked.status, asked.text]).toEqual([plain.status, plain.text]);
    }
  }
});

test('what is kept would have been found', async () => {
  await key.post('/tenants', { first_name: 'Ada', last_name: 'Okafor', notes: planted.text });
  expect(await findPlanted('text')).toEqual(expect.arrayContaining(['events', 'tenants']));
});
