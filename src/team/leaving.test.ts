import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp, signUpAs, tokenOf } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
});
afterAll(() => service.close());

const accountOf = async (person: Pick<Person, 'get'>): Promise<string> =>
  (await person.get('/session')).body.data.account.id;
const leave = (person: Person, account: string, body: object = {}) =>
  person.post(`/accounts/${account}/leave`, body);

test.each(['owner', 'manager', 'viewer'] as const)('%s leaves the team, and it is noted', async (role) => {
  const owner = await signUp(service);
  const account = await accountOf(owner);
  const person = await signUpAs(service, owner, role);
  const left = await leave(person, account);
  expect(left.status, left.text).toBe(200);
  expect(left.body.data).toEqual({ id: expect.stringMatching(/^mem_/), removed: true, keys: [] });
  expect((await person.get('/session')).body.data).toMatchObject({
    signed_in: true,
    account: null,
    accounts: [],
  });
  expect((await person.get('/properties')).status).toBe(403);
  expect((await owner.get('/team')).body.data.members).toHaveLength(1);
  const [entry] = (await owner.get('/audit-log?limit=1')).body.data;
  expect(entry).toMatchObject({
    action: 'member.left',
    actor: { type: 'person', name: person.name },
    subject: person.email,
    ip_address: '127.0.0.1',
  });
  expect((await leave(person, account)).status).toBe(404);
});

test('the only owner stays, and of two owners who leave at once one does', async () => {
  const one = await signUp(service);
  const account = await accountOf(one);
  const alone = await leave(one, account);
  expect(alone.status).toBe(409);
  expect(alone.body.error.message).toMatch(/only owner/);
  const two = await signUpAs(service, one, 'owner');
  const answers = await Promise.all([leave(one, account), leave(two, account)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('nobody leaves an account that they do not belong to, nor takes anybody out of it', async () => {
  const [owner, stranger] = [await signUp(service), await signUp(service)];
  const account = await accountOf(owner);
  expect((await leave(stranger, account)).status).toBe(404);
  expect((await owner.get('/team')).body.data.members).toHaveLength(1);
  expect((await stranger.get('/session')).body.data.accounts).toHaveLength(1);
});

test('a person who leaves chooses what happens to their keys; their invitations end', async () => {
  const owner = await signUp(service);
  const account = await accountOf(owner);
  for (const revoke_keys of [false, true]) {
    const person = await signUpAs(service, owner, 'owner');
    const { key } = (await person.post('/api-keys', { name: 'Sync', permission: 'read' })).body.data;
    const { link } = (await person.post('/team/invitations', { email: 'friend@example.com', role: 'owner' }))
      .body.data;
    const left = await leave(person, account, { revoke_keys });
    expect(left.body.data.keys).toEqual([
      { id: expect.stringMatching(/^key_/), name: 'Sync', revoked: revoke_keys },
    ]);
    expect((await service.request('GET', '/properties', { key })).status).toBe(revoke_keys ? 401 : 200);
    expect((await person.get(`/invitations/${tokenOf(link)}`)).status).toBe(404);
  }
});

test('a viewer who made keys as a manager cannot revoke them on the way out', async () => {
  const owner = await signUp(service);
  const account = await accountOf(owner);
  const person = await signUpAs(service, owner, 'manager');
  const { key } = (await person.post('/api-keys', { name: 'Sync', permission: 'read' })).body.data;
  const { members } = (await owner.get('/team')).body.data;
  const { id } = members.find((member: { role: string }) => member.role === 'manager');
  await owner.patch(`/team/members/${id}`, { role: 'viewer' });
  expect((await leave(person, account, { revoke_keys: true })).status).toBe(403);
  expect((await leave(person, account)).status).toBe(200);
  expect((await service.request('GET', '/properties', { key })).status).toBe(200);
});
