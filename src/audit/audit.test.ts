import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Person, password, signUp, signUpAs, tokenOf } from '../../test/support/browser.ts';
import { envelope } from '../../test/support/envelope.ts';
import { hookUrl, make } from '../../test/support/records.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { sql } from '../db/sql.ts';
import { sweepOld } from '../deliveries/retention.ts';
import { parseId } from '../ids.ts';
import { resetPassword } from '../users/users.ts';
import { forgetOldEntries } from './audit.ts';

let service: Service;
let owner: Person;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  owner = await signUp(service, { name: 'Olive Owner' });
});
afterAll(() => service.close());

const entries = async (query = '', by: Pick<Person, 'get'> = owner) => {
  const answer = await by.get(`/audit-log${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const latest = async () => (await entries('?limit=1'))[0];
const olive = { type: 'person', id: expect.stringMatching(/^usr_/), name: 'Olive Owner' };

test('owners see who signed in, from where, and who changed settings, from what to what', async () => {
  const browser = openBrowser(service);
  await browser.post('/sign-in', { email: owner.email, password });
  expect(await latest()).toMatchObject({
    action: 'person.signed_in',
    actor: olive,
    ip_address: '127.0.0.1',
    subject: owner.email,
  });
  await browser.post('/sign-out');
  expect(await latest()).toMatchObject({ action: 'person.signed_out' });
  await owner.patch('/account', { name: 'Elm Street Rentals' });
  const [change] = (await latest()).changes;
  expect(change).toEqual({ field: 'name', from: expect.any(String), to: 'Elm Street Rentals' });
});

test('keys, invitations, roles and webhooks are noted, never with a secret', async () => {
  const made = await owner.post('/api-keys', {
    name: 'Bookkeeping',
    permission: 'write',
    expires_in_days: 30,
    scopes: ['payments', 'tenants'],
    allowed_addresses: ['203.0.113.7'],
  });
  const { id, key } = made.body.data;
  await owner.delete(`/api-keys/${id}`);
  const manager = await signUpAs(service, owner, 'manager');
  const { members } = (await owner.get('/team')).body.data;
  const member = members.find(({ role }: { role: string }) => role === 'manager');
  await owner.patch(`/team/members/${member.id}`, { role: 'viewer' });
  await owner.delete(`/team/members/${member.id}`);
  const invited = await owner.post('/team/invitations', { email: 'who@example.com', role: 'viewer' });
  await owner.delete(`/team/invitations/${invited.body.data.id}`);
  const hook = (await owner.post('/webhooks', { url: hookUrl, events: ['tenant.created'] })).body.data;
  const rotated = (await owner.post(`/webhooks/${hook.id}/rotate-secret`)).body.data;
  await owner.patch(`/webhooks/${hook.id}`, { description: 'CRM' });
  await owner.delete(`/webhooks/${hook.id}`);
  const all = await owner.get('/audit-log?limit=13');
  expect(all.body.data.map(({ action }: { action: string }) => action)).toEqual([
    'webhook.deleted',
    'webhook.updated',
    'webhook.secret_rotated',
    'webhook.created',
    'invitation.cancelled',
    'invitation.created',
    'member.removed',
    'member.role_changed',
    'person.signed_in',
    'member.joined',
    'invitation.created',
    'key.revoked',
    'key.created',
  ]);
  expect(all.body.data[7]).toMatchObject({
    subject: manager.email,
    changes: [{ field: 'role', from: 'manager', to: 'viewer' }],
  });
  expect(all.body.data[12]).toMatchObject({
    subject: 'Bookkeeping',
    changes: [
      { field: 'permission', from: null, to: 'write' },
      { field: 'scopes', from: null, to: ['payments', 'tenants'] },
      { field: 'allowed_addresses', from: null, to: ['203.0.113.7/32'] },
      { field: 'expires_at', from: null, to: made.body.data.expires_at },
    ],
  });
  for (const secret of [key, hook.secret, rotated.secret, tokenOf(invited.body.data.link)])
    expect(all.text).not.toContain(secret.slice(-20));
});

test('downloads by people and keys are noted, those by a key once in a while', async () => {
  await owner.get('/tenants?format=csv');
  expect(await latest()).toMatchObject({
    action: 'export.downloaded',
    actor: olive,
    subject: '/tenants',
  });
  const { id } = (await owner.get('/session')).body.data.account;
  const client = await service.client({ accountId: parseId('acct', id) ?? '' });
  await make.tenant(client);
  for (let n = 0; n < 3; n++) await client.get('/payments', { accept: 'text/csv' });
  const exports = await entries('?action=export.downloaded');
  expect(exports.map(({ subject }: { subject: string }) => subject)).toEqual(['/payments', '/tenants']);
  expect(exports[0].actor.type).toBe('key');
});

test('a password that is reset on the command line is noted', async () => {
  const other = await signUp(service);
  const fresh = 'another wholly different one';
  expect(await resetPassword(service.database.db, other.email, fresh, new Date())).toBe(true);
  const browser = openBrowser(service);
  await browser.post('/sign-in', { email: other.email, password: fresh });
  const [, reset] = await entries('', browser);
  expect(reset).toMatchObject({
    action: 'person.password_changed',
    actor: { type: 'operator', id: null },
    subject: other.email,
  });
});

test('only owners see it, and only that of their account', async () => {
  const manager = await signUpAs(service, owner, 'manager');
  expect((await manager.get('/audit-log')).status).toBe(403);
  const stranger = await signUp(service);
  expect((await entries('', stranger)).map(({ subject }: { subject: string }) => subject)).not.toContain(
    owner.email,
  );
  const csv = await owner.get('/audit-log?format=csv');
  expect(csv.text.split('\r\n')[0]).toContain('action,actor_type,actor_id,actor_name,ip_address,subject');
});

test('a key reads it only with the scope, which only an owner gives, and only of its account', async () => {
  const keyOf = async (by: Person, limits: object) => {
    const answer = await by.post('/api-keys', { name: 'Siem', permission: 'read', ...limits });
    return answer.status === 201 ? String(answer.body.data.key) : answer;
  };
  const read = (key: unknown, query = '') =>
    service.request('GET', `/audit-log${query}`, { key: String(key) });
  const missing = envelope(403, 'This key lacks the scope audit-log.');
  expect((await read(await keyOf(owner, {}))).body).toEqual(missing);
  expect((await read(await keyOf(owner, { scopes: ['account'] }))).body).toEqual(missing);
  const manager = await signUpAs(service, owner, 'manager');
  expect(await keyOf(manager, { scopes: ['tenants', 'audit-log'] })).toMatchObject({
    status: 403,
    body: { error: { message: 'Only an owner may make a key with the scope audit-log.' } },
  });

  const key = await keyOf(owner, { scopes: ['audit-log'] });
  const first = await read(key, '?limit=2&action=key.created');
  expect(first.body.data).toHaveLength(2);
  expect(first.body.data[0]).toMatchObject({ action: 'key.created', actor: olive, subject: 'Siem' });
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await service.request('GET', next, { key: String(key) });
  expect(second.body.data[0].action).toBe('key.created');
  expect(second.body.data[0].id < first.body.data[1].id).toBe(true);
  expect((await read(key, '?created_since=2999-01-01T00:00:00Z')).body.count).toBe(0);
  const stranger = await signUp(service);
  const theirs = await read(await keyOf(stranger, { scopes: ['audit-log'] }));
  expect(theirs.text).not.toContain(owner.email);
  expect((await read(key, '?format=csv')).text).toContain(',person.signed_in,');
});

test('old entries are deleted, and those within the configured time stay', async () => {
  const other = await signUp(service);
  const browser = openBrowser(service);
  for (let n = 0; n < 2; n++) await browser.post('/sign-in', { email: other.email, password });
  expect(await entries('', other)).toHaveLength(3);
  const [oldest] = (await entries('', other)).slice(-1);
  const id = parseId('aud', oldest.id);
  await service.database.db.query(sql`
    update audit_log set id = '01900000-0000-7000-8000-000000000000' where account_id = (
      select account_id from audit_log where id = ${id}) and id = ${id}`);
  expect(await sweepOld(service.database.db, new Date(), 36_500, [forgetOldEntries(365)])).toBe(1);
  expect(await entries('', other)).toHaveLength(2);
});
