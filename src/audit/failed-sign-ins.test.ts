import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openBrowser, type Person, signUp, signUpAs } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { hours } from '../clock.ts';
import { noteFailedSignIn } from './failed-sign-ins.ts';

let service: Service;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open', TRUST_PROXY: 'true' });
});
afterAll(() => service.close());

const failures = async (owner: Pick<Person, 'get'>) =>
  (await owner.get('/audit-log?action=person.sign_in_failed')).body.data;
const fail = async (email: string, ip: string) => {
  const wrong = { email, password: 'not the password' };
  const answer = await openBrowser(service).post('/sign-in', wrong, { 'x-forwarded-for': ip });
  expect(answer.status).toBe(401);
};

test('failed sign-ins are in the audit log of the accounts of the person, and of no other', async () => {
  const [owner, stranger] = [await signUp(service), await signUp(service)];
  const member = await signUpAs(service, owner, 'viewer');
  await fail(member.email, '203.0.113.7');
  await vi.waitFor(async () => expect(await failures(owner)).toHaveLength(1), { timeout: 20_000 });
  expect((await failures(owner))[0]).toMatchObject({
    actor: { type: 'person', id: null, name: 'Somebody' },
    ip_address: '203.0.113.7',
    subject: member.email,
    changes: [
      { field: 'attempts', from: null, to: 1 },
      { field: 'addresses', from: null, to: ['203.0.113.7'] },
    ],
  });
  await fail(`nobody-${member.email}`, '203.0.113.8');
  expect(await failures(stranger)).toEqual([]);
});

test('so is a wrong password of somebody who sits at an open browser', async () => {
  const owner = await signUp(service);
  for (const path of ['/two-factor/set-up', '/passkeys/options'])
    expect((await owner.post(path, { password: 'not the password' })).status).toBe(400);
  await vi.waitFor(
    async () => expect((await failures(owner))[0]?.changes[0]).toMatchObject({ field: 'attempts', to: 2 }),
    { timeout: 20_000 },
  );
});

test('an hour of them is one entry, with their number and up to ten addresses, however many come at once', async () => {
  const owner = await signUp(service);
  const { db } = service.app;
  const [{ account_id: accountId }] = (
    await db.pool.query(
      'select account_id from members m join users u on u.id = m.user_id where u.email = $1',
      [owner.email],
    )
  ).rows;
  const note = (at: number, now = new Date()) =>
    noteFailedSignIn(db, accountId, { email: owner.email, address: `10.0.0.${at}`, now });
  await Promise.all(Array.from({ length: 30 }, (_, at) => note(at % 15)));
  const [entry, ...more] = await failures(owner);
  expect(more).toEqual([]);
  const [attempts, addresses] = entry.changes;
  expect(attempts.to).toBe(30);
  expect(addresses.to).toHaveLength(10);
  // Seen from a later time, that hour is over.
  await note(1, new Date(Date.now() + hours(2)));
  expect(await failures(owner)).toHaveLength(2);
});
