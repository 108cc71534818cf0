import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp } from '../../test/support/browser.ts';
import { make } from '../../test/support/records.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { type Sql, sql, toStatement } from '../db/sql.ts';
import { newId, parseId } from '../ids.ts';
import { findAssignees } from './assignees.store.ts';

let service: Service;
let person: Person;
let property: string;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  person = await signUp(service);
  property = (await make.property(person)).id;
});
afterAll(() => service.close());

const assign = (assigned_to: string | null) =>
  make.maintenance(person, { property_id: property, assigned_to });
async function suggested(query = ''): Promise<string[]> {
  const { status, body } = await person.get(`/maintenance/assignees${query}`);
  expect(status).toBe(200);
  return body.data.map(({ name }: { name: string }) => name);
}

test('those whom requests were assigned to are suggested once each, the latest first, by any part of the name', async () => {
  expect(await suggested()).toEqual([]);
  for (const name of ['Joe', 'Ace Plumbing', null, 'Zoë & Söhne', 'joe']) await assign(name);
  expect(await suggested()).toEqual(['joe', 'Zoë & Söhne', 'Ace Plumbing']);
  expect(await suggested('?q=PLUMB')).toEqual(['Ace Plumbing']);
  expect(await suggested('?q=zoë')).toEqual(['Zoë & Söhne']);
  expect(await suggested('?q=%25')).toEqual([]);
});

test('the names of another account are not', async () => {
  const stranger = await signUp(service);
  const { body } = await stranger.get('/maintenance/assignees?q=joe');
  expect(body.data).toEqual([]);
});

test('however many requests and names there are, few rows of the index are read', async () => {
  const { db } = service.app;
  const { body } = await person.get('/session');
  const account = parseId('acct', body.data.account.id) ?? '';
  const propertyId = parseId('prop', property);
  const ids = Array.from({ length: 20_000 }, newId);
  await db.query(sql`
    insert into maintenance_requests (account_id, id, number, property_id, title, category, priority, status, source,
      assigned_to, created_at, updated_at)
    select ${account}::uuid, n.id, 1000 + n.number, ${propertyId}::uuid, 'Repair', 'other', 'medium', 'open', 'api',
      'Company ' || n.number % 1000, now(), now()
    from unnest(${ids}::uuid[]) with ordinality as n(id, number)`);
  await db.query(sql`analyze maintenance_requests`);
  expect(await suggested('?q=company 99')).toContain('Company 999');
  expect(await suggested()).toHaveLength(20);

  const asked: Sql[] = [];
  const recorder = { query: async (query: Sql) => void asked.push(query) };
  await findAssignees(recorder as unknown as typeof db, account, 'company 9');
  const { text, values } = toStatement(asked[0] ?? sql``);
  const client = await db.connect();
  const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values as unknown[]);
  client.release();
  const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
  expect(JSON.stringify(plan)).not.toContain('Seq Scan');
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(2_000);
});
