import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { availableParallelism } from 'node:os';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openBrowser, type Person, password, signUp, signUpAs, tokenOf } from '../support/browser.ts';
import { type Answer, type Service, testService } from '../support/service.ts';

/*
 * Guessing, shutting people out and finding out who exists, tried against the real sign-in over HTTP. With TRUST_PROXY
 * one machine can have many addresses.
 */

let service: Service;
beforeAll(async () => {
  service = await serviceOutOfTime({ SIGN_UP: 'open', TRUST_PROXY: 'true' });
});
afterAll(() => service.close());
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** The limits forget as time passes, so here the clock stands still. */
async function serviceOutOfTime(settings: Record<string, string>): Promise<Service> {
  const made = await testService(settings);
  const now = new Date();
  made.app.now = () => now;
  return made;
}

const from = (ip: string) => ({ 'x-forwarded-for': ip });
const signIn = (email: string, given: string, ip: string) =>
  openBrowser(service).post('/sign-in', { email, password: given }, from(ip));

/** How often a password was hashed during the work. This is the cost, counted and not timed. */
async function hashesDuring(work: () => Promise<Answer>): Promise<{ hashes: number; answer: Answer }> {
  const scrypt = vi.spyOn(crypto, 'scrypt');
  syncBuiltinESMExports();
  const answer = await work();
  const hashes = scrypt.mock.calls.length;
  scrypt.mockRestore();
  syncBuiltinESMExports();
  return { hashes, answer };
}

/** Failed attempts by these people from these addresses, without the time that hashing would take. */
async function failedBefore(
  count: number,
  who: (at: number) => [email: string, ip: string],
  { app }: Service = service,
): Promise<void> {
  const { attempts } = app.auth;
  for (let at = 0; at < count; at++) await attempts.begin(...who(at), app.now(), async () => false);
}

/** The answer without the id of its request. */
const said = ({ text }: { text: string }): string => text.replace(/req_[0-9a-f]{32}/, 'req_');

test('an unknown e-mail address costs the same work and gets the same answer as a wrong password', async () => {
  const { email } = await signUp(service);
  const wrong = await hashesDuring(() => signIn(email, 'not the password', '10.1.0.1'));
  const unknown = await hashesDuring(() => signIn(`nobody-${email}`, 'not the password', '10.1.0.1'));
  expect(wrong.hashes).toBe(1);
  expect(unknown.hashes).toBe(1);
  expect([unknown.answer.status, said(unknown.answer)]).toEqual([401, said(wrong.answer)]);
});

test('an outage does not use up tries', async () => {
  const slow = await serviceOutOfTime({ SIGN_UP: 'open', DATABASE_TIMEOUT_MS: '5000' });
  try {
    const { email } = await signUp(slow);
    const attempt = () => openBrowser(slow).post('/sign-in', { email, password });
    const holder = await slow.database.db.connect();
    await holder.query('begin; lock table users in access exclusive mode');
    const answers = await Promise.all(Array.from({ length: 10 }, attempt));
    await holder.query('rollback');
    holder.release();
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(503));
    expect((await attempt()).status).toBe(200);
  } finally {
    await slow.close();
  }
});

test('strangers do not learn who is signed up if they may not sign up', async () => {
  const closed = await testService({ SIGN_UP: 'first' });
  try {
    const { email } = await signUp(closed);
    const ask = (address: string) =>
      hashesDuring(() => openBrowser(closed).post('/sign-up', { name: 'Eve', email: address, password }));
    const [known, unknown] = [await ask(email), await ask(`nobody-${email}`)];
    expect([known.answer.status, known.hashes]).toEqual([403, 0]);
    expect([unknown.answer.status, said(unknown.answer), unknown.hashes]).toEqual([
      403,
      said(known.answer),
      0,
    ]);
  } finally {
    await closed.close();
  }
});

test('if they may, finding addresses by signing up is limited as guessing is', async () => {
  const { email } = await signUp(service);
  await failedBefore(8, () => [email, '10.2.0.1']);
  const statuses: number[] = [];
  for (let time = 0; time < 3; time++) {
    const again = { name: 'Eve', email, password: 'another password' };
    statuses.push((await openBrowser(service).post('/sign-up', again, from('10.2.0.1'))).status);
  }
  expect(statuses).toEqual([400, 400, 429]);
});

test('an invitation says the same to its owner whether the person is known or not', async () => {
  const owner = await signUp(service);
  const stranger = await signUp(service);
  const invite = (email: string) => owner.post('/team/invitations', { email, role: 'viewer' });
  const [known, unknown] = [await invite(stranger.email), await invite(`nobody-${stranger.email}`)];
  expect([known.status, unknown.status]).toEqual([201, 201]);
  expect(Object.keys(known.body.data)).toEqual(Object.keys(unknown.body.data));
});

test('guessing from many addresses is slowed down, and the person still gets in from where they are known', async () => {
  const home = '10.3.0.1';
  const { email } = await signUp(service);
  expect((await signIn(email, password, home)).status).toBe(200);
  await failedBefore(99, (at) => [email, `10.3.1.${at}`]);
  expect((await signIn(email, 'a wrong guess', '10.3.2.0')).status).toBe(401);
  const limited = await signIn(email, 'a wrong guess', '10.3.2.1');
  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  // A stranger with the right password has to wait as well. Otherwise the limit would tell which guess was right.
  expect((await signIn(email, password, '10.3.2.2')).status).toBe(429);
  expect((await signIn(email, password, home)).status).toBe(200);
});

test('one address cannot try one password on many people', async () => {
  await failedBefore(49, (at) => [`person-${at}@example.net`, '10.4.0.1']);
  expect((await signIn('person-49@example.net', 'password123', '10.4.0.1')).status).toBe(401);
  expect((await signIn('person-50@example.net', 'password123', '10.4.0.1')).status).toBe(429);
});

test('an IPv6 network is one place, however many addresses it has', async () => {
  const { email } = await signUp(service);
  await failedBefore(9, () => [email, '2001:0db8:0000:0007:0000:0000:0000:0000']);
  expect((await signIn(email, 'a wrong guess', '2001:db8:0:7::1')).status).toBe(401);
  expect((await signIn(email, 'a wrong guess', '2001:db8:0:7:ffff::2')).status).toBe(429);
  expect((await signIn(email, password, '2001:db8:0:8::1')).status).toBe(200);
  // Strangers cannot shut out a person at an address where the person is known.
  await failedBefore(90, (at) => [email, `10.9.0.${at}`]);
  expect((await signIn(email, password, '10.9.1.1')).status).toBe(429);
  expect((await signIn(email, password, '2001:db8:0:8::2')).status).toBe(200);
});

test('a caller who lies about their address is not believed without TRUST_PROXY', async () => {
  const plain = await serviceOutOfTime({ SIGN_UP: 'open' });
  try {
    const { email } = await signUp(plain);
    await failedBefore(8, () => [email, '127.0.0.1'], plain);
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++) {
      const guess = { email, password: 'a wrong guess' };
      const headers = {
        ...from(`10.5.0.${time}`),
        forwarded: `for=10.5.0.${time}`,
        'x-real-ip': `10.5.0.${time}`,
      };
      statuses.push((await openBrowser(plain).post('/sign-in', guess, headers)).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
  } finally {
    await plain.close();
  }
});

test('behind proxies that are counted or named, what the caller wrote into the header is ignored', async () => {
  for (const TRUST_PROXY of ['1', '127.0.0.0/8, ::1']) {
    const behind = await serviceOutOfTime({ SIGN_UP: 'open', TRUST_PROXY });
    const { email } = await signUp(behind);
    await failedBefore(8, () => [email, '203.0.113.9'], behind);
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++) {
      const headers = { 'x-forwarded-for': `10.5.1.${time}, 203.0.113.9` };
      const guess = { email, password: 'a wrong guess' };
      statuses.push((await openBrowser(behind).post('/sign-in', guess, headers)).status);
    }
    expect(statuses, TRUST_PROXY).toEqual([401, 401, 429]);
    await behind.close();
  }
});

test('many passwords at once are checked a few at a time, and further callers are asked to come back', async () => {
  const { email } = await signUp(service);
  // A hash takes 32 MB and a core. Only a few are made at the same time, a hundred wait, and the others are refused.
  const [atOnce, waiting, tooMany] = [Math.max(2, availableParallelism()), 100, 30];
  const release = Promise.withResolvers<void>();
  const hash = crypto.scrypt;
  let [underWay, most] = [0, 0];
  const held = (...[password, salt, length, options, done]: Parameters<typeof hash>) => {
    most = Math.max(most, ++underWay);
    void release.promise.then(() =>
      hash(password, salt, length, options, (error, key) => {
        underWay--;
        done(error, key);
      }),
    );
  };
  vi.spyOn(crypto, 'scrypt').mockImplementation(held as never);
  syncBuiltinESMExports();
  const refused: Answer[] = [];
  const answers = Array.from({ length: atOnce + waiting + tooMany }, async (_, at) => {
    const answer = await signIn(`nobody-${at}@example.com`, 'password123', `10.7.${at}.1`);
    if (answer.status === 503) refused.push(answer);
    return answer;
  });
  await vi.waitUntil(() => refused.length === tooMany, { timeout: 60_000 });
  for (const { headers } of refused) expect(headers.get('retry-after')).toBe('5');
  release.resolve();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(atOnce + waiting);
  expect(most).toBe(atOnce);
  expect((await signIn(email, password, '10.7.200.1')).status).toBe(200);
});

test('signing in over a session ends that one', async () => {
  const person = await signUp(service);
  const other = await signUp(service);
  const cookie = person.cookies();
  expect((await person.post('/sign-in', { email: other.email, password })).status).toBe(200);
  const old = await fetch(`${service.url}/internal/v1/session`, { headers: { cookie } });
  expect(await old.json()).toMatchObject({ data: { signed_in: false } });
  expect((await person.get('/session')).body.data.user.email).toBe(other.email);
});

test('a cookie that is longer than any of ours counts as none', async () => {
  const cookie = `tenure.session_token=${'x'.repeat(15_000)}`;
  const answer = await fetch(`${service.url}/internal/v1/session`, { headers: { cookie } });
  expect(await answer.json()).toMatchObject({ data: { signed_in: false } });
  expect(answer.headers.getSetCookie()).toEqual([]);
});

test('a password longer than any is refused before it is hashed', async () => {
  const { email } = await signUp(service);
  const long = await hashesDuring(() => signIn(email, 'x'.repeat(15_000), '10.6.0.1'));
  expect([long.answer.status, long.hashes]).toEqual([400, 0]);
  const tooLong = await hashesDuring(() => signIn(email, 'x'.repeat(500_000), '10.6.0.1'));
  expect([tooLong.answer.status, tooLong.hashes]).toEqual([413, 0]);
});

test('an invitation lets one person in once, and no token can be made of another', async () => {
  const owner = await signUp(service);
  const { body } = await owner.post('/team/invitations', { email: 'guest@example.com', role: 'viewer' });
  const token = tokenOf(body.data.link);
  expect(Buffer.from(token, 'base64url').length).toBe(30);
  for (const at of [0, 10, 20, 30, 39]) {
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    expect((await openBrowser(service).get(`/invitations/${changed}`)).status).toBe(404);
  }
  const guest: Person = await signUp(service, { email: 'guest@example.com', invitation: token });
  expect((await guest.get('/session')).body.data.role).toBe('viewer');
  expect((await openBrowser(service).get(`/invitations/${token}`)).status).toBe(404);
  expect((await guest.post(`/invitations/${token}/accept`, {})).status).toBe(404);
});

test('a session is not one that was there before signing in, and ends with the password', async () => {
  const person = await signUp(service);
  const planted = 'tenure.session_token=planted.by-somebody-else';
  const answer = await openBrowser(service).post(
    '/sign-in',
    { email: person.email, password },
    { cookie: planted, ...from('10.7.0.1') },
  );
  expect(answer.headers.getSetCookie()[0]).not.toContain('planted');
  const elsewhere = openBrowser(service);
  await elsewhere.post('/sign-in', { email: person.email, password }, from('10.7.0.2'));
  const changed = { current_password: password, new_password: 'a wholly different one' };
  expect((await person.post('/password', changed)).status).toBe(200);
  expect((await elsewhere.get('/session')).body.data.signed_in).toBe(false);
});

test('wrong current passwords are limited too', async () => {
  const owner = await signUp(service);
  const person = await signUpAs(service, owner, 'viewer');
  await failedBefore(8, () => [person.email, '10.8.0.1']);
  const statuses: number[] = [];
  for (let time = 0; time < 3; time++) {
    const body = { current_password: 'a wrong guess', new_password: 'a wholly different one' };
    statuses.push((await person.post('/password', body, from('10.8.0.1'))).status);
  }
  expect(statuses).toEqual([400, 400, 429]);
});
