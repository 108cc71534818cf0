import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makePasskey } from '../../test/support/authenticator.ts';
import {
  type Browser,
  openBrowser,
  password,
  signUp as signUpByPassword,
  tokenOf,
} from '../../test/support/browser.ts';
import { type Issuer, startIssuer, visitIssuer } from '../../test/support/issuer.ts';
import { type Answer, type Service, testService } from '../../test/support/service.ts';
import { sql } from '../db/sql.ts';
import { resetPassword, unlinkPerson } from '../users/users.ts';

let issuer: Issuer;
/** A service where anybody may sign up. */
let open: Service;
let others: Service[] = [];
beforeAll(async () => {
  issuer = await startIssuer();
  open = await testService({ ...issuer.settings, SIGN_UP: 'open' });
});
afterEach(async () => {
  for (const service of others) await service.close();
  others = [];
});
afterAll(async () => {
  await open.close();
  await issuer.close();
});

async function serve(settings: Record<string, string> = {}): Promise<Service> {
  const service = await testService({ ...issuer.settings, ...settings });
  others.push(service);
  return service;
}

let people = 0;
/** Makes the issuer answer for somebody new. */
function somebody(more: Record<string, unknown> = {}) {
  const number = ++people;
  const claims = {
    sub: `subject-${number}`,
    email: `somebody-${number}@office.test`,
    email_verified: true,
    name: `Somebody ${number}`,
    ...more,
  };
  issuer.says(claims);
  return claims;
}

/** Goes to the issuer and comes back. */
async function visit(browser: Browser, intent: object = {}): Promise<Record<string, string>> {
  const begun = await browser.post('/sign-in/openid', intent);
  expect(begun.status, begun.text).toBe(200);
  return visitIssuer(begun.body.data.url);
}

const finish = (browser: Browser, returned: object): Promise<Answer> =>
  browser.post('/sign-in/openid/finish', returned);

async function signIn(service: Service, intent: object = {}): Promise<{ browser: Browser; answer: Answer }> {
  const browser = openBrowser(service);
  return { browser, answer: await finish(browser, await visit(browser, intent)) };
}

const sessionOf = async (browser: Browser) => (await browser.get('/session')).body.data;

async function expectRefusal(browser: Browser, answer: Answer, sentence: string): Promise<void> {
  expect([answer.status, answer.body.error.message]).toEqual([403, sentence]);
  expect((await sessionOf(browser)).signed_in).toBe(false);
}

test('the first person signs up with the issuer, owns the account, and comes back as the same person', async () => {
  const service = await serve();
  const { email, name } = somebody();
  const browser = openBrowser(service);
  expect((await sessionOf(browser)).sso).toEqual({ name: 'Office Login', only: false });
  const begun = await browser.post('/sign-in/openid', { next: '/payments', time_zone: 'Europe/Berlin' });
  const asked = new URL(begun.body.data.url).searchParams;
  expect(asked.get('redirect_uri')).toBe('http://rent.test/sign-in/return');
  expect(asked.get('scope')).toBe('openid email profile');
  expect(asked.get('code_challenge_method')).toBe('S256');
  for (const each of ['state', 'nonce', 'code_challenge']) expect(asked.get(each)).toMatch(/.{32}/);
  expect(begun.headers.getSetCookie().join()).toMatch(/^tenure\.state=.*HttpOnly.*SameSite=Lax/);

  const answer = await finish(browser, await visitIssuer(begun.body.data.url));
  expect([answer.status, answer.body.data]).toEqual([200, { next: '/payments' }]);
  const session = await sessionOf(browser);
  expect(session).toMatchObject({ user: { name, email }, role: 'owner' });
  expect(session.account.time_zone).toBe('Europe/Berlin');

  const again = await signIn(service);
  expect((await sessionOf(again.browser)).user.id).toBe(session.user.id);
  const log = await browser.get('/audit-log?action=person.signed_in');
  expect(log.body.data).toHaveLength(2);
  expect(log.body.data[0]).toMatchObject({ actor: { name }, subject: email });
  // The issuer's tokens give access to the issuer, not to us, so they are not stored.
  const rows = await service.database.db.query(sql`
    select coalesce(password, access_token, refresh_token, id_token) as secret from credentials`);
  expect(rows).toEqual([{ secret: null }]);

  somebody();
  const second = await signIn(service);
  await expectRefusal(
    second.browser,
    second.answer,
    'Sign-up is closed here; ask an owner of the account for an invitation.',
  );
});

test('a person is known by the name that the issuer has for them, not by their address', async () => {
  const { sub, email } = somebody();
  const { browser } = await signIn(open);
  somebody({ sub, email: 'married@office.test' });
  const later = await signIn(open);
  expect((await sessionOf(later.browser)).user).toEqual((await sessionOf(browser)).user);
  // Whoever gets the old address later is somebody else.
  somebody({ email });
  const heir = await signIn(open);
  const sentence = `Somebody else at Office Login already signs in as ${email}. Ask whoever runs this service.`;
  await expectRefusal(heir.browser, heir.answer, sentence);
  await unlinkPerson(open.database.db, email);
  expect((await sessionOf(browser)).signed_in).toBe(false);
  expect((await signIn(open)).answer.status).toBe(200);
});

test('a verified address signs in as the existing person, whose password and sessions end', async () => {
  const person = await signUpByPassword(open);
  const { user } = await sessionOf(person);
  somebody({ email: person.email.toUpperCase() });
  const { browser, answer } = await signIn(open);
  expect(answer.status, answer.text).toBe(200);
  expect((await sessionOf(browser)).user).toEqual(user);
  expect((await sessionOf(person)).signed_in).toBe(false);
  const byPassword = { email: person.email, password };
  expect((await person.post('/sign-in', byPassword)).status).toBe(401);
  const log = await browser.get('/audit-log?action=person.sso_linked');
  expect(log.body.data).toMatchObject([{ subject: person.email, actor: { id: user.id } }]);
  // The operator can give them a password again.
  await resetPassword(open.database.db, person.email, password, new Date());
  expect((await person.post('/sign-in', byPassword)).status).toBe(200);
});

test.each([{ email_verified: false }, { email_verified: undefined }, { email_verified: 'false' }])(
  'an address that the issuer does not call verified proves nothing: %o',
  async (said) => {
    const closed = await serve({ SIGN_UP: 'first' });
    const owner = openBrowser(closed);
    const email = 'ada@office.test';
    await owner.post('/sign-up', { name: 'Ada', email, password });
    const sentence = (address: string) =>
      `Office Login does not say that it has verified ${address}, so nobody can be let in by that address.`;
    somebody({ email, ...said });
    const thief = await signIn(closed);
    await expectRefusal(thief.browser, thief.answer, sentence(email));
    expect((await sessionOf(owner)).signed_in).toBe(true);
    expect((await openBrowser(closed).post('/sign-in', { email, password })).status).toBe(200);
    // Nobody finds out whether an address is known here.
    somebody({ email: 'nobody@office.test', ...said });
    const stranger = await signIn(closed);
    await expectRefusal(stranger.browser, stranger.answer, sentence('nobody@office.test'));
    // Nobody can take an address before its owner comes, either.
    const early = await signIn(await serve({ SIGN_UP: 'open' }));
    await expectRefusal(early.browser, early.answer, sentence('nobody@office.test'));
  },
);

test('an issuer that says nothing about addresses is believed if the operator does', async () => {
  const service = await serve({ SIGN_UP: 'open', OIDC_TRUST_EMAIL: 'true' });
  const person = await signUpByPassword(service);
  somebody({ email: person.email, email_verified: false });
  expect((await signIn(service)).answer.status).toBe(403);
  somebody({ email: person.email, email_verified: undefined });
  expect((await signIn(service)).answer.status).toBe(200);
});

test('an invitation lets a new person in, for its address alone, and is shown to whoever is known', async () => {
  const service = await serve();
  const owner = openBrowser(service);
  await owner.post('/sign-up', { name: 'Ada', email: 'ada@office.test', password });
  const invite = async (email: string) =>
    tokenOf((await owner.post('/team/invitations', { email, role: 'viewer' })).body.data.link);
  const invitation = await invite('guest@office.test');

  somebody({ email: 'other@office.test' });
  const wrong = await signIn(service, { invitation });
  const sentence =
    'This invitation is for guest@office.test, but Office Login says you are other@office.test.';
  await expectRefusal(wrong.browser, wrong.answer, sentence);

  const { sub, email } = somebody({ email: 'guest@office.test', email_verified: undefined });
  const guest = await signIn(service, { invitation, next: '/tenants' });
  expect(guest.answer.body.data, guest.answer.text).toEqual({ next: '/' });
  expect(await sessionOf(guest.browser)).toMatchObject({
    role: 'viewer',
    account: { name: "Ada's properties" },
  });

  somebody({ email: 'late@office.test' });
  const late = await signIn(service, { invitation });
  expect([late.answer.status, late.answer.body.error.message]).toEqual([
    403,
    'This invitation does not exist, was used or has expired; ask for a new one.',
  ]);
  somebody({ sub, email });
  const known = await signIn(service, { invitation });
  expect(known.answer.body.data).toEqual({ next: `/invite/${invitation}` });
});

test.each(['//evil.test', '/\\evil.test', 'https://evil.test', '/\t/evil.test', 'javascript:alert(1)'])(
  'a sign-in leads only to our own pages, never to %j',
  async (next) => {
    somebody();
    expect((await signIn(open, { next })).answer.body.data).toEqual({ next: '/' });
  },
);

const begunElsewhere = 'This sign-in took too long, or was begun in another browser. Try again.';
const notVerified = 'The answer of Office Login could not be verified, so nobody was signed in.';

test("the issuer's answer can be used once, and only in the browser that set off", async () => {
  somebody();
  const victim = openBrowser(open);
  const attacker = openBrowser(open);
  const returned = await visit(attacker);
  await expectRefusal(victim, await finish(victim, returned), begunElsewhere);
  // It does not help if the victim is signing in at the same time.
  await visit(victim);
  await expectRefusal(victim, await finish(victim, returned), begunElsewhere);

  const here = openBrowser(open);
  const kept = await visit(here);
  const cookie = here.cookies();
  await expectRefusal(here, await finish(here, { ...kept, state: 'x'.repeat(32) }), begunElsewhere);
  await expectRefusal(here, await finish(here, { code: kept.code }), begunElsewhere);
  expect((await finish(here, kept)).status).toBe(200);
  const replayed = openBrowser(open);
  const again = await replayed.post('/sign-in/openid/finish', kept, { cookie });
  await expectRefusal(replayed, again, begunElsewhere);
  // With the attacker's own state, the code alone is worth nothing: the issuer asks for the verifier that belongs to
  // it.
  const thief = openBrowser(open);
  const loot = await visit(openBrowser(open));
  const own = await visit(thief);
  const stolen = await finish(thief, { ...own, code: loot.code });
  await expectRefusal(thief, stolen, 'Office Login did not sign you in. Try again.');
});

test('a sign-in expires after ten minutes', async () => {
  somebody();
  const browser = openBrowser(open);
  const returned = await visit(browser);
  await open.database.db.query(sql`
    update verifications set value = jsonb_set(value::jsonb, '{expiresAt}', '0')::text`);
  await expectRefusal(browser, await finish(browser, returned), begunElsewhere);
});

test.each<[string, Record<string, unknown>]>([
  ['made for another service', { aud: 'another service' }],
  ['of another issuer', { iss: 'https://evil.test' }],
  ['of another sign-in', { nonce: 'of another sign-in' }],
  ['that has expired', { exp: 1_700_000_000 }],
])('a token %s signs nobody in', async (_what, claims) => {
  somebody(claims);
  const { browser, answer } = await signIn(open);
  await expectRefusal(browser, answer, notVerified);
});

const rewritten = (part: string, change: object): string =>
  Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...change }),
  ).toString('base64url');

test.each<[string, (token: string) => string | undefined]>([
  [
    'with other claims than were signed',
    (token) => {
      const [header = '', payload = '', signature] = token.split('.');
      return [header, rewritten(payload, { sub: 'somebody else' }), signature].join('.');
    },
  ],
  [
    'without a signature',
    (token) => {
      const [header = '', payload] = token.split('.');
      return [rewritten(header, { alg: 'none' }), payload, ''].join('.');
    },
  ],
  ['that is none', () => 'opaque'],
  ['that is missing', () => undefined],
])('a token %s signs nobody in', async (_what, forge) => {
  somebody();
  issuer.answersOnce((body) => {
    body.id_token = forge(String(body.id_token));
  });
  const { browser, answer } = await signIn(open);
  await expectRefusal(browser, answer, notVerified);
});

test('a refusal of the issuer, and a person without an address, are reported in a sentence', async () => {
  const browser = openBrowser(open);
  const { state } = await visit(browser);
  const denied = await finish(browser, { state, error: 'access_denied' });
  await expectRefusal(browser, denied, 'Office Login was told not to sign you in.');
  somebody({ email: undefined });
  const nameless = await signIn(open);
  const sentence = 'Office Login did not say what your e-mail address is, which is needed here.';
  await expectRefusal(nameless.browser, nameless.answer, sentence);
});

test('a dead issuer stops neither the start nor passwords, and is asked again when it is back', async () => {
  const first = await startIssuer();
  const { port } = first.server.address();
  await first.close();
  const service = await serve({ ...first.settings, SIGN_UP: 'open' });
  const person = await signUpByPassword(service);
  const begin = () => openBrowser(service).post('/sign-in/openid', {});
  const dead = await begin();
  expect([dead.status, dead.body.error.message]).toEqual([
    424,
    'Office Login does not answer at the moment. Try again in a minute.',
  ]);
  expect((await person.post('/sign-in', { email: person.email, password })).status).toBe(200);
  const back = await startIssuer(port);
  expect((await begin()).status).toBe(200);
  await back.close();
});

test.each<[string, number, (url: string) => string]>([
  ['is in order', 200, (url) => JSON.stringify(document(url))],
  ['speaks for another', 424, () => JSON.stringify(document('https://evil.test'))],
  ['talks without end', 424, (url) => JSON.stringify({ ...document(url), noise: 'x'.repeat(2_000_000) })],
  ['has no keys', 424, (url) => JSON.stringify({ ...document(url), jwks_uri: undefined })],
  ['talks nonsense', 424, () => 'nonsense'],
])('a sign-in with an issuer that %s is answered with %i', async (_what, status, says) => {
  const server = createServer((_request, response) => response.end(says(url))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = await serve({ OIDC_ISSUER: url });
  expect((await openBrowser(service).post('/sign-in/openid', {})).status).toBe(status);
  server.close();
});

const document = (url: string) => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/jwks`,
  id_token_signing_alg_values_supported: ['RS256'],
});

test('people who wait for an issuer that hangs hold no database connection, and learn when we give up', async () => {
  const asked = Promise.withResolvers<void>();
  const hanging = createServer(() => asked.resolve());
  await once(hanging.listen(0, 'localhost'), 'listening');
  const { port } = hanging.address() as AddressInfo;
  const service = await serve({ OIDC_ISSUER: `http://localhost:${port}`, SIGN_UP: 'open' });
  const waiting = [1, 2, 3].map(() => openBrowser(service).post('/sign-in/openid', {}));
  await asked.promise;
  const person = await signUpByPassword(service);
  expect((await person.get('/session')).status).toBe(200);
  const { pool } = service.database.db;
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
  hanging.closeAllConnections();
  for (const { status, body } of await Promise.all(waiting))
    expect([status, body.error.message]).toEqual([
      424,
      'Office Login does not answer at the moment. Try again in a minute.',
    ]);
  hanging.close();
});

test('with OIDC_ONLY nothing else signs anybody in or up, and no password is changed', async () => {
  const service = await serve({ OIDC_ONLY: 'true', SIGN_UP: 'open' });
  const { email } = somebody();
  const { browser } = await signIn(service);
  expect((await sessionOf(browser)).sso).toEqual({ name: 'Office Login', only: true });
  await resetPassword(service.database.db, email, password, new Date());
  const again = (await signIn(service)).browser;
  const sentence = 'People can only sign in with Office Login here.';
  for (const [path, body] of [
    ['/sign-in', { email, password }],
    ['/sign-in/code', { code: '123456', trust_device: false }],
    ['/sign-in/passkey/options', {}],
    ['/sign-in/passkey', { credential: makePasskey(service.url).get({ challenge: 'any' }) }],
    ['/sign-up', { name: 'Eve', email: 'eve@office.test', password }],
    ['/password', { current_password: password, new_password: 'a wholly different one' }],
  ] as const) {
    const answer = await again.post(path, body);
    expect([answer.status, answer.body.error.message]).toEqual([403, sentence]);
  }
});

test('failed sign-ins are limited by address, and successful ones are not', async () => {
  const service = await serve({ SIGN_UP: 'open' });
  // The clock stands still, so that no attempt is given back in the meantime, however long the attempts take.
  const now = new Date();
  service.app.now = () => now;
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 50; attempt++)
    statuses.add((await finish(openBrowser(service), { code: 'x', state: 'y' })).status);
  expect([...statuses]).toEqual([403]);
  somebody();
  expect((await signIn(service)).answer.status).toBe(429);
  service.app.now = () => new Date(now.getTime() + 6_000);
  expect((await signIn(service)).answer.status).toBe(200);
  expect((await signIn(service)).answer.status).toBe(200);
});

test('without an issuer there is nothing to sign in with', async () => {
  const service = await testService();
  others.push(service);
  const browser = openBrowser(service);
  expect((await sessionOf(browser)).sso).toBe(null);
  expect((await browser.post('/sign-in/openid', {})).status).toBe(404);
  expect((await finish(browser, {})).status).toBe(404);
});
