import { afterEach, expect, test } from 'vitest';
import { openBrowser, password, signUp } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { createAccount } from '../accounts/accounts.ts';
import { hashPassword } from '../users/passwords.ts';

const services: Service[] = [];
async function serve(settings: Record<string, string> = {}): Promise<Service> {
  const service = await testService(settings);
  services.push(service);
  return service;
}
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});

const ada = { name: 'Ada Okafor', email: 'Ada@Example.com', password };

test('the first person signs up, owns an account and is signed in; the second is refused', async () => {
  const service = await serve();
  const browser = openBrowser(service);
  expect((await browser.get('/session')).body.data).toMatchObject({
    signed_in: false,
    code_wanted: false,
    can_sign_up: true,
    user: null,
    account: null,
    role: null,
    permission: null,
    accounts: [],
  });

  const answer = await browser.post('/sign-up', ada);
  expect(answer.status).toBe(201);
  const session = {
    signed_in: true,
    code_wanted: false,
    can_sign_up: false,
    user: { name: 'Ada Okafor', email: 'ada@example.com' },
    account: { name: "Ada Okafor's properties", currency: 'USD' },
    role: 'owner',
    permission: 'write',
  };
  expect(answer.body.data).toMatchObject(session);
  expect((await browser.get('/session')).body.data).toMatchObject(session);

  const second = await openBrowser(service).post('/sign-up', { ...ada, email: 'ben@example.com' });
  expect(second.status).toBe(403);
  expect(second.body.error.message).toMatch(/invitation/);
});

test('of many who sign up first at the same moment, exactly one wins', async () => {
  const service = await serve();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      openBrowser(service).post('/sign-up', { ...ada, email: `racer-${at}@example.com` }),
    ),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(7).fill(403)]);
  const { rows } = await service.database.db.pool.query(
    'select (select count(*)::int from users) as users, (select count(*)::int from accounts) as accounts, (select count(*)::int from members) as members',
  );
  expect(rows).toEqual([{ users: 1, accounts: 1, members: 1 }]);
});

test('with SIGN_UP=open everybody may sign up, each with an account of their own', async () => {
  const service = await serve({ SIGN_UP: 'open' });
  const one = await signUp(service, { account_name: 'North Side Rentals' });
  const two = await signUp(service);
  const [first, second] = [(await one.get('/session')).body.data, (await two.get('/session')).body.data];
  expect(first.account.name).toBe('North Side Rentals');
  expect(second.account.id).not.toBe(first.account.id);
  expect(second.accounts).toHaveLength(1);
});

test('with SIGN_UP=closed nobody signs up, and people made on the command line sign in', async () => {
  const service = await serve({ SIGN_UP: 'closed' });
  const browser = openBrowser(service);
  expect((await browser.get('/session')).body.data.can_sign_up).toBe(false);
  expect((await browser.post('/sign-up', ada)).status).toBe(403);
  await createAccount(service.database.db, {
    name: 'Riverton',
    email: 'Owner@Example.com',
    hash: await hashPassword(password),
  });
  const answer = await browser.post('/sign-in', { email: ' OWNER@example.com ', password });
  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({ role: 'owner', account: { name: 'Riverton' } });
});

test('mistakes in a sign-up are reported at their fields', async () => {
  const service = await serve({ SIGN_UP: 'open' });
  const browser = openBrowser(service);
  const nothing = await browser.post('/sign-up', {});
  expect(nothing.status).toBe(400);
  expect(Object.keys(nothing.body.error.message.fieldErrors).sort()).toEqual(['email', 'name', 'password']);
  const bad = await browser.post('/sign-up', { name: ' ', email: 'nonsense', password: 'short' });
  expect(bad.body.error.message.fieldErrors).toMatchObject({
    name: ['Must not be empty.'],
    email: ['Must be an e-mail address.'],
    password: ['Must have at least 10 characters.'],
  });
  const person = await signUp(service);
  const taken = await browser.post('/sign-up', { ...ada, email: person.email.toUpperCase() });
  expect(taken.status).toBe(400);
  expect(taken.body.error.message.fieldErrors.email[0]).toMatch(/sign in/);
  expect(taken.headers.getSetCookie()).toEqual([]);
});
