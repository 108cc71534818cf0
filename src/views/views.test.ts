import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp, signUpAs } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { sql } from '../db/sql.ts';
import { mostViews } from './views.ts';

let service: Service;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
});
afterAll(() => service.close());

const view = { list: 'leases', name: 'Ending', query: 'status=notice&sort=end_date' };
const save = async (person: Person, more: object = {}, headers = {}): Promise<string> => {
  const answer = await person.post('/views', { ...view, ...more }, headers);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
};
const namesOf = async (person: Person, headers = {}): Promise<string[]> =>
  (await person.get('/views', headers)).body.data.map(({ name }: { name: string }) => name);

test('a view is saved, renamed, overwritten and deleted by its person, and seen by nobody else', async () => {
  const owner = await signUp(service);
  const viewer = await signUpAs(service, owner, 'viewer');
  const stranger = await signUp(service);
  const id = await save(viewer);
  expect((await viewer.get('/views')).body).toMatchObject({
    data: [{ ...view, id, shared: false }],
    count: 1,
  });
  for (const other of [owner, stranger]) {
    expect(await namesOf(other)).toEqual([]);
    expect((await other.patch(`/views/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await other.delete(`/views/${id}`)).status).toBe(404);
  }
  const changed = await viewer.patch(`/views/${id}`, { name: 'Soon empty', query: 'sort=-end_date' });
  expect(changed.body.data).toMatchObject({
    id,
    list: 'leases',
    name: 'Soon empty',
    query: 'sort=-end_date',
  });
  expect((await viewer.delete(`/views/${id}`)).status).toBe(200);
  expect(await namesOf(viewer)).toEqual([]);
});

test('what is shared is seen by the whole team, and changed by those who may change records', async () => {
  const owner = await signUp(service);
  const manager = await signUpAs(service, owner, 'manager');
  const viewer = await signUpAs(service, owner, 'viewer');
  const own = await save(viewer);
  expect((await viewer.post('/views', { ...view, name: 'All', shared: true })).status).toBe(403);
  expect((await viewer.patch(`/views/${own}`, { shared: true })).status).toBe(403);
  const shared = await save(manager, { shared: true });
  expect(await namesOf(viewer)).toEqual(['Ending', 'Ending']);
  expect((await viewer.patch(`/views/${shared}`, { name: 'Mine' })).status).toBe(403);
  expect((await viewer.patch(`/views/${shared}`, { shared: false })).status).toBe(403);
  expect((await viewer.delete(`/views/${shared}`)).status).toBe(403);
  expect((await owner.patch(`/views/${shared}`, { name: 'Ours' })).status).toBe(200);
  // The person who stops sharing a view becomes its owner.
  expect((await owner.patch(`/views/${shared}`, { shared: false })).body.data.shared).toBe(false);
  expect([await namesOf(owner), await namesOf(manager)]).toEqual([['Ours'], []]);
});

test('a name is unique in a list, regardless of case, even if it is saved twice at once', async () => {
  const owner = await signUp(service);
  const both = await Promise.all([owner.post('/views', view), owner.post('/views', view)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
  const again = await owner.post('/views', { ...view, name: 'ENDING' });
  expect(again.body.error.message.fieldErrors.name).toEqual(['A view with this name already exists.']);
  await save(owner, { list: 'units' });
  await save(owner, { shared: true });
  const other = await save(owner, { name: 'Other' });
  expect((await owner.patch(`/views/${other}`, { name: 'Ending' })).status).toBe(400);
  expect((await owner.patch(`/views/${other}`, { name: 'Other', query: 'sort=end_date' })).status).toBe(200);
});

test(`a person saves up to ${mostViews} views, and so does the team`, async () => {
  const owner = await signUp(service);
  const manager = await signUpAs(service, owner, 'manager');
  for (let at = 0; at < mostViews; at++) await save(owner, { name: `View ${at}` });
  const refused = await owner.post('/views', { ...view, name: 'One more' });
  expect([refused.status, refused.body.error.type]).toEqual([409, 'limit_reached']);
  const id = await save(manager);
  await save(owner, { shared: true });
  const shared = await save(manager, { name: 'For all', shared: true });
  expect((await owner.patch(`/views/${shared}`, { shared: false })).status).toBe(409);
  expect((await manager.patch(`/views/${id}`, { name: 'Still fine' })).status).toBe(200);
});

test('whoever leaves takes their views with them, those of test mode too, and leaves what is shared', async () => {
  const owner = await signUp(service);
  const manager = await signUpAs(service, owner, 'manager');
  const inTest = { 'x-service-mode': 'test' };
  await save(manager);
  await save(manager, { name: 'In test mode' }, inTest);
  await save(manager, { name: 'For all', shared: true });
  expect(await namesOf(manager)).toEqual(['Ending', 'For all']);
  expect(await namesOf(manager, inTest)).toEqual(['In test mode']);
  const { members } = (await owner.get('/team')).body.data;
  const { id } = members.find(({ role }: { role: string }) => role === 'manager');
  expect((await owner.delete(`/team/members/${id}`)).status).toBe(200);
  expect((await manager.post('/views', view)).status).toBe(403);
  expect(await namesOf(owner)).toEqual(['For all']);
  const [left] = await service.database.db.query<{ count: number }>(
    sql`/* across accounts */ select count(*)::integer as count from saved_views where name = 'In test mode'`,
  );
  expect(left?.count).toBe(0);
});

test('views about a tenant go when the tenant is erased or deleted', async () => {
  const owner = await signUp(service);
  const tenant = async (last_name: string): Promise<string> => {
    const email = `${last_name.toLowerCase()}@example.com`;
    return (await owner.post('/tenants', { first_name: 'Ada', last_name, email })).body.data.id;
  };
  const okafor = await tenant('Okafor');
  const lee = await tenant('Lee');
  await save(owner, { name: 'By search', list: 'payments', query: 'q=OKAFOR&sort=paid_on' });
  await save(owner, { name: 'By filter', list: 'payments', query: `tenant_id=${okafor}` });
  await save(owner, { name: 'By address', list: 'payments', query: 'q=okafor%40example.com' });
  await save(owner, { name: 'What Okafor pays', query: 'status=active' });
  await save(owner, { name: 'Leeway', query: 'q=example.com' });
  await save(owner, { name: 'About Lee', query: 'status=active' });
  expect((await owner.post(`/tenants/${okafor}/erase`, {})).status).toBe(200);
  expect(await namesOf(owner)).toEqual(['Leeway', 'About Lee']);
  expect((await owner.delete(`/tenants/${lee}`)).status).toBe(200);
  expect(await namesOf(owner)).toEqual(['Leeway']);
});

test("views with a tenant's earlier name, their number or their external id are deleted", async () => {
  const owner = await signUp(service);
  const ada = { first_name: 'Ada', last_name: 'Maiden', phone: '+1 (555) 867-5309', external_id: 'A-17' };
  const { id } = (await owner.post('/tenants', ada)).body.data;
  await owner.patch(`/tenants/${id}`, { last_name: 'Okafor', phone: '+1 555 000 1111' });
  await save(owner, { name: 'By former name', list: 'payments', query: 'q=maiden' });
  await save(owner, { name: 'By number', list: 'payments', query: 'q=555.000.1111' });
  await save(owner, { name: 'By former number', list: 'payments', query: 'q=5558675309' });
  await save(owner, { name: 'By id elsewhere', query: 'q=a-17' });
  await save(owner, { name: 'Flats A-170 to A-179', list: 'units', query: 'q=A-17x' });
  expect((await owner.post(`/tenants/${id}/erase`, {})).status).toBe(200);
  expect(await namesOf(owner)).toEqual(['Flats A-170 to A-179']);
});

test('erasing a tenant again leaves views of tenants alone', async () => {
  const owner = await signUp(service);
  const { id } = (await owner.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' })).body.data;
  await save(owner, { name: 'Tenant list', query: 'status=active' });
  for (let time = 0; time < 2; time++)
    expect((await owner.post(`/tenants/${id}/erase`, {})).status).toBe(200);
  expect(await namesOf(owner)).toEqual(['Tenant list']);
});
