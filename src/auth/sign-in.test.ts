import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openBrowser, password, signUp } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { changePassword, resetPassword } from '../users/users.ts';

let service: Service;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
});
afterAll(() => service.close());

const newPassword = 'a wholly different one';

test('the session cookie is HttpOnly, SameSite=Lax and for the whole site, and its token is in no body', async () => {
  const { email } = await signUp(service);
  const answer = await openBrowser(service).post('/sign-in', { email, password });
  const [cookie = '', ...others] = answer.headers.getSetCookie();
  expect(others).toEqual([expect.stringMatching(/^tenure\.device=/)]);
  expect(cookie).toMatch(/^tenure\.session_token=/);
  expect(cookie).toMatch(/; HttpOnly/);
  expect(cookie).toMatch(/; SameSite=Lax/);
  expect(cookie).toMatch(/; Path=\/(;|$)/);
  expect(cookie).not.toMatch(/; Secure/);
  expect(answer.text).not.toContain(/=([^.;]+)/.exec(cookie)?.[1]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('behind https the cookie is Secure', async () => {
  const secure = await testService({ SIGN_UP: 'open', PUBLIC_URL: 'https://rent.example.com' });
  const proxied = await testService({ SIGN_UP: 'open', TRUST_PROXY: 'true' });
  try {
    const person = { name: 'Ada', email: 'ada@example.com', password };
    const first = await openBrowser(secure).post('/sign-up', person, { origin: 'https://rent.example.com' });
    expect(first.status).toBe(201);
    expect(first.headers.getSetCookie()[0]).toMatch(/^__Secure-tenure\.session_token=.*; Secure/);
    const second = await openBrowser(proxied).post('/sign-up', person, { 'x-forwarded-proto': 'https' });
    expect(second.headers.getSetCookie()[0]).toMatch(/; Secure/);
  } finally {
    await secure.close();
    await proxied.close();
  }
});

// test/abuse/sign-in.test.ts counts that both cost the same work.
test('an unknown e-mail address and a wrong password get the same answer, headers included', async () => {
  const { email } = await signUp(service);
  const attempt = (address: string) =>
    openBrowser(service).post('/sign-in', { email: address, password: 'wrong password' });
  const wrong = await attempt(email);
  const unknown = await attempt(`nobody-${email}`);
  expect(unknown.status).toBe(401);
  const told = ({ text, body }: { text: string; body: { error: { request_id: string } } }) =>
    text.replace(body.error.request_id, '');
  expect(told(unknown)).toBe(told(wrong));
  const names = ({ headers }: { headers: Headers }) =>
    [...headers.keys()].filter((name) => name !== 'x-request-id');
  expect(names(unknown)).toEqual(names(wrong));
});

test('wrong passwords are limited per person and affect nobody else', async () => {
  const limited = await testService({ SIGN_UP: 'open' });
  try {
    const [{ email }, other] = [await signUp(limited), await signUp(limited)];
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      const answer = await openBrowser(limited).post('/sign-in', { email, password: 'wrong password' });
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await openBrowser(limited).post('/sign-in', { email, password })).status).toBe(429);
    expect((await openBrowser(limited).post('/sign-in', { email: other.email, password })).status).toBe(200);
    // 30 seconds later one more attempt is allowed.
    limited.app.now = () => new Date(Date.now() + 31_000);
    expect((await openBrowser(limited).post('/sign-in', { email, password })).status).toBe(200);
  } finally {
    await limited.close();
  }
});

test('after signing out the old cookie opens nothing', async () => {
  const person = await signUp(service);
  const old = person.cookies();
  expect((await person.get('/properties')).status).toBe(200);
  const out = await person.post('/sign-out');
  expect(out.body.data.signed_in).toBe(false);
  expect(person.cookies()).toBe('');
  const stranger = openBrowser(service);
  expect((await stranger.get('/properties', { cookie: old })).status).toBe(401);
  expect((await stranger.get('/session', { cookie: old })).body.data.signed_in).toBe(false);
});

test('a changed cookie opens nothing', async () => {
  const person = await signUp(service);
  const cookie = person.cookies();
  const forged = cookie.replace(/=(.)/, (_, first) => `=${first === 'a' ? 'b' : 'a'}`);
  expect((await openBrowser(service).get('/properties', { cookie: forged })).status).toBe(401);
  const unsigned = cookie.replace(/\..{20}[^.]*$/, '');
  expect((await openBrowser(service).get('/properties', { cookie: unsigned })).status).toBe(401);
});

test('changing the password needs the current one and signs out everywhere else', async () => {
  const here = await signUp(service);
  const elsewhere = openBrowser(service);
  await elsewhere.post('/sign-in', { email: here.email, password });
  expect((await elsewhere.get('/properties')).status).toBe(200);

  const wrong = await here.post('/password', {
    current_password: 'not it at all',
    new_password: newPassword,
  });
  expect(wrong.status).toBe(400);
  expect(wrong.body.error.message.fieldErrors.current_password).toEqual(['Is not your password.']);

  const changed = await here.post('/password', { current_password: password, new_password: newPassword });
  expect(changed.status).toBe(200);
  expect(changed.body.data.signed_in).toBe(true);
  expect((await here.get('/properties')).status).toBe(200);
  expect((await elsewhere.get('/session')).body.data.signed_in).toBe(false);
  expect((await elsewhere.get('/properties')).status).toBe(401);
  const { email } = here;
  expect((await openBrowser(service).post('/sign-in', { email, password })).status).toBe(401);
  expect((await openBrowser(service).post('/sign-in', { email, password: newPassword })).status).toBe(200);
});

test('somebody who signs in with the old password while it is being changed does not stay signed in', async () => {
  const { email } = await signUp(service);
  const { pool } = service.database.db;
  // The password is changed right after the check. The change could sign out only those who were signed in by then.
  await pool.query(`
    create function change_meanwhile() returns trigger language plpgsql as $$ begin
      update credentials set password = 'another' where user_id = new.user_id; return new; end $$`);
  await pool.query(
    'create trigger change_meanwhile before insert on sessions for each row execute function change_meanwhile()',
  );
  onTestFinished(async () => void (await pool.query('drop function change_meanwhile cascade')));
  const late = openBrowser(service);
  expect((await late.post('/sign-in', { email, password })).status).toBe(401);
  expect((await late.get('/session')).body.data.signed_in).toBe(false);
  const left = await pool.query(
    'select s.created_at from sessions s join users u on u.id = s.user_id where u.email = $1',
    [email],
  );
  // Only the session of the sign-up is left.
  expect(left.rows).toHaveLength(1);
});

test('of two simultaneous password changes, one succeeds', async () => {
  const { email } = await signUp(service);
  const { db } = service.database;
  const change = (next: string) => changePassword(db, email, { current: password, next }, new Date());
  const changed = await Promise.all([change(newPassword), change('another wholly different one')]);
  expect(changed.filter(Boolean)).toHaveLength(1);
});

test('a password reset on the command line signs the person out everywhere, and the new one works', async () => {
  const person = await signUp(service);
  const { email } = person;
  expect(await resetPassword(service.database.db, email, newPassword, new Date())).toBe(true);
  expect((await person.get('/session')).body.data.signed_in).toBe(false);
  expect((await openBrowser(service).post('/sign-in', { email, password })).status).toBe(401);
  expect((await openBrowser(service).post('/sign-in', { email, password: newPassword })).status).toBe(200);
  expect(await resetPassword(service.database.db, 'nobody@example.com', newPassword, new Date())).toBe(false);
});

test('a person changes their name', async () => {
  const person = await signUp(service);
  const answer = await person.patch('/me', { name: '  Grace Hopper ' });
  expect(answer.body.data.user).toMatchObject({ name: 'Grace Hopper', email: person.email });
  expect((await person.patch('/me', { name: '' })).body.error.message.fieldErrors.name).toBeDefined();
});

test('an expired session opens nothing', async () => {
  const person = await signUp(service);
  await service.database.db.pool.query(
    "update sessions set expires_at = now() - interval '1 second' where user_id = (select id from users where email = $1)",
    [person.email],
  );
  expect((await person.get('/session')).body.data.signed_in).toBe(false);
});

test('a session records the real address and browser, not what a header claims', async () => {
  const { email } = await signUp(service);
  await openBrowser(service).post(
    '/sign-in',
    { email, password },
    {
      'user-agent': 'Testzilla/1.0',
      'x-forwarded-for': '203.0.113.9',
      'x-tenure-client-address': '203.0.113.9',
    },
  );
  const { rows } = await service.database.db.pool.query(
    "select ip_address from sessions where user_agent = 'Testzilla/1.0'",
  );
  expect(rows).toEqual([{ ip_address: '127.0.0.1' }]);
});

test("better-auth's own endpoints cannot be reached", async () => {
  for (const path of [
    '/api/auth/ok',
    '/api/auth/get-session',
    '/api/auth/sign-up/email',
    '/api/auth/list-sessions',
    '/internal/v1/auth/sign-in/email',
    '/internal/v1/organization/list',
  ]) {
    for (const method of ['GET', 'POST']) {
      expect((await service.request(method, `${service.url}${path}`)).status).toBe(404);
    }
  }
});
