import { afterAll, beforeAll, expect, test } from 'vitest';
import { appCode } from '../../test/support/authenticator.ts';
import {
  type Browser,
  openBrowser,
  type Person,
  password,
  signUp,
  signUpAs,
} from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { sql } from '../db/sql.ts';
import { rotateSecretKey } from '../secret-keys/secret-keys.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { resetPassword } from '../users/users.ts';
import { stepOfCode } from './app-codes.ts';
import { resetSecondFactor } from './two-factor.ts';

let service: Service;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
});
afterAll(() => service.close());

/** A person with an authenticator app. */
interface Guarded extends Person {
  /** A code that was not used yet. The app shows a new one only every 30 seconds. */
  code(): Promise<string>;
  recoveryCodes: string[];
}

async function guard(person: Person): Promise<Guarded> {
  const setUp = await person.post('/two-factor/set-up', { password });
  expect(setUp.status, setUp.text).toBe(200);
  const { secret } = setUp.body.data;
  const enabled = await person.post('/two-factor/enable', { code: appCode(secret) });
  expect(enabled.status, enabled.text).toBe(200);
  const code = async () => {
    await service.database.db.query(sql`
      update two_factors t set last_step = null from users u where u.id = t.user_id and u.email = ${person.email}`);
    // This is the next code. It is valid for another minute, however slow the machine is.
    return appCode(secret, 1);
  };
  return { ...person, code, recoveryCodes: enabled.body.data.recovery_codes };
}
const newGuarded = async () => guard(await signUp(service));

/** A browser in which only the password was given. */
async function halfIn({ email }: { email: string }, browser = openBrowser(service)): Promise<Browser> {
  const answer = await browser.post('/sign-in', { email, password });
  expect([answer.status, answer.body.data?.signed_in, answer.body.data?.code_wanted], answer.text).toEqual([
    200,
    false,
    true,
  ]);
  return browser;
}
const giveCode = (browser: Browser, code: string, more: object = {}) =>
  browser.post('/sign-in/code', { code, ...more });
const isIn = async (browser: Browser) => (await browser.get('/properties')).status === 200;
/** The latest actions without wrong passwords, which are recorded a little later. */
const actions = async (owner: Person, limit = 5) =>
  (await owner.get(`/audit-log?limit=${limit}`)).body.data
    .map(({ action }: { action: string }) => action)
    .filter((action: string) => action !== 'person.sign_in_failed');

test('turning it on requires the password and a right code, and the session stays', async () => {
  const person = await signUp(service);
  const stolen = await person.post('/two-factor/set-up', { password: 'wrong password' });
  expect(stolen.body.error.message.fieldErrors.password).toEqual(['Is not your password.']);
  expect((await person.post('/two-factor/enable', { code: '000000' })).status).toBe(409);
  const { uri, secret } = (await person.post('/two-factor/set-up', { password })).body.data;
  expect(uri).toBe(
    `otpauth://totp/Tenure:${encodeURIComponent(person.email)}?secret=${secret}&issuer=Tenure&digits=6&period=30`,
  );
  const wrong = await person.post('/two-factor/enable', { code: appCode(secret, 9) });
  expect(wrong.body.error.message.fieldErrors.code).toEqual(['Is wrong, or was used before.']);
  // No code is asked for yet.
  expect(
    (await openBrowser(service).post('/sign-in', { email: person.email, password })).body.data,
  ).toMatchObject({ signed_in: true, code_wanted: false });
  const before = person.cookies();
  const enabled = await person.post('/two-factor/enable', {
    code: ` ${appCode(secret).replace(/^.../, '$& ')}`,
  });
  expect(enabled.status, enabled.text).toBe(200);
  expect(new Set(enabled.body.data.recovery_codes).size).toBe(10);
  expect(person.cookies()).toBe(before);
  expect((await person.get('/security')).body.data).toEqual({
    has_password: true,
    two_factor: { enabled: true, has_app: true, recovery_codes_left: 10 },
    passkeys: [],
  });
  expect((await actions(person))[0]).toBe('person.two_factor_enabled');
  expect((await person.post('/two-factor/set-up', { password })).status).toBe(409);
  // The secret cannot be read in the database.
  const [row] = await service.database.db.query<{ text: string }>(
    sql`select string_agg(t::text, ' ') as text from two_factors t`,
  );
  for (const each of [secret, ...enabled.body.data.recovery_codes]) expect(row?.text).not.toContain(each);
});

test('the password alone opens nothing', async () => {
  const person = await newGuarded();
  const half = await halfIn(person);
  expect(half.cookies()).toMatch(/^tenure\.two_factor=[^;]+$/);
  expect((await half.get('/session')).body.data).toMatchObject({
    signed_in: false,
    user: null,
    account: null,
  });
  for (const path of ['/properties', '/home', '/team', '/security'])
    expect((await half.get(path)).status, path).toBe(401);
  const asOwn = { password, code: await person.code() };
  for (const path of ['/two-factor/disable', '/two-factor/recovery-codes', '/passkeys/options', '/accounts'])
    expect((await half.post(path, asOwn)).status, path).toBe(401);
  // The challenge does not work in place of the session's cookie, nor a session's cookie in place of the challenge.
  const challenge = half.cookies().replace('two_factor', 'session_token');
  expect((await openBrowser(service).get('/properties', { cookie: challenge })).status).toBe(401);
  const session = person.cookies().replace('session_token', 'two_factor');
  const swapped = await openBrowser(service).post('/sign-in/code', { code: '000000' }, { cookie: session });
  expect(swapped.status).toBe(401);
  expect((await giveCode(openBrowser(service), await person.code())).status).toBe(401);
  expect((await giveCode(half, await person.code())).body.data).toMatchObject({ signed_in: true });
  expect(await isIn(half)).toBe(true);
});

test('a code is accepted once, even if it is given several times at once', async () => {
  const person = await newGuarded();
  const browsers = await Promise.all([halfIn(person), halfIn(person), halfIn(person)]);
  const code = await person.code();
  const answers = await Promise.all(browsers.map((browser) => giveCode(browser, code)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  expect((await giveCode(await halfIn(person), code)).status).toBe(400);
  const proof = { password, code };
  expect((await person.post('/two-factor/disable', proof)).body.error.message.fieldErrors.code).toHaveLength(
    1,
  );
});

test('codes cannot be guessed', async () => {
  const person = await newGuarded();
  const guess = async (browser: Browser) => (await giveCode(browser, '000000')).status;
  const half = await halfIn(person);
  for (let tries = 0; tries < 5; tries++) expect(await guess(half)).toBe(400);
  // That challenge is over, even for the right code.
  expect((await giveCode(half, await person.code())).status).toBe(401);
  const second = await halfIn(person);
  for (let tries = 0; tries < 5; tries++) expect(await guess(second)).toBe(400);
  // Every other challenge is over too, wherever it is used, for an hour.
  const locked = await giveCode(await halfIn(person), await person.code());
  expect(locked.status).toBe(429);
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(3500);
  expect((await person.post('/two-factor/disable', { password, code: await person.code() })).status).toBe(
    429,
  );
  expect((await giveCode(await halfIn(person), person.recoveryCodes[0] ?? '')).status).toBe(429);
  expect(await actions(person, 10)).toEqual(Array(10).fill('person.code_refused'));
  await service.database.db.query(sql`
    update two_factors t set locked_until = now() - interval '1 second' from users u
    where u.id = t.user_id and u.email = ${person.email}`);
  expect((await giveCode(await halfIn(person), await person.code())).status).toBe(200);
});

test('of many simultaneous codes, no more than ten are compared', async () => {
  const person = await newGuarded();
  const used = await person.code();
  expect((await giveCode(await halfIn(person), used)).status).toBe(200);
  const browsers: Browser[] = [];
  // Five are tried at a time, since passwords that are being checked count as wrong ones.
  while (browsers.length < 25)
    browsers.push(...(await Promise.all(Array.from({ length: 5 }, () => halfIn(person)))));
  const statuses = await Promise.all(
    browsers.map(async (browser) => (await giveCode(browser, '000000')).status),
  );
  expect(statuses.toSorted()).toEqual([...Array(10).fill(400), ...Array(15).fill(429)]);
  // A right code that was used before gets the same refusal, and is not recorded.
  expect((await giveCode(await halfIn(person), used)).status).toBe(429);
  expect((await actions(person, 11)).toSorted()).toEqual([
    ...Array(10).fill('person.code_refused'),
    'person.signed_in',
  ]);
});

test('the tenth try counts if it is right, and forgets the wrong ones', async () => {
  const person = await newGuarded();
  const prove = async (code: string) =>
    (await person.post('/two-factor/recovery-codes', { password, code })).status;
  for (let tries = 0; tries < 9; tries++) expect(await prove('000000')).toBe(400);
  expect((await giveCode(await halfIn(person), await person.code())).status).toBe(200);
  for (let tries = 0; tries < 9; tries++) expect(await prove('000000')).toBe(400);
  expect(await prove(await person.code())).toBe(200);
  expect(await prove('000000')).toBe(400);
});

test('strangers who have the password keep nobody out of a browser that they have signed in with', async () => {
  // The limits forget as time passes, so here the clock stands still.
  const { app } = service;
  const { now } = app;
  const moment = now();
  app.now = () => moment;
  try {
    const person = await newGuarded();
    const wrong = async (browser: Browser) => {
      await halfIn(person, browser);
      for (let tries = 0; tries < 5; tries++) expect((await giveCode(browser, '000000')).status).toBe(400);
    };
    const [stranger, own] = [openBrowser(service), person];
    for (let time = 0; time < 2; time++) await wrong(stranger);
    await halfIn(person, own);
    expect((await giveCode(own, await person.code())).status).toBe(200);
    // That has not given the stranger any more tries.
    await halfIn(person, stranger);
    expect((await giveCode(stranger, await person.code())).status).toBe(429);
    // The device has ten tries of its own.
    for (let time = 0; time < 2; time++) await wrong(own);
    await halfIn(person, own);
    expect((await giveCode(own, await person.code())).status).toBe(429);
  } finally {
    app.now = now;
  }
});

test('codes given by somebody who is signed in count as well', async () => {
  const person = await newGuarded();
  for (let tries = 0; tries < 10; tries++)
    expect((await person.post('/two-factor/disable', { password, code: 'abcd-efgh' })).status).toBe(400);
  expect((await person.post('/two-factor/disable', { password, code: await person.code() })).status).toBe(
    429,
  );
  expect((await giveCode(await halfIn(person), await person.code())).status).toBe(429);
});

test('a recovery code opens once, and new ones replace all', async () => {
  const person = await newGuarded();
  const [first = '', second = ''] = person.recoveryCodes;
  const half = await halfIn(person);
  expect((await giveCode(half, first.toUpperCase())).status).toBe(200);
  expect(await isIn(half)).toBe(true);
  expect(await actions(person, 2)).toEqual(['person.signed_in', 'person.recovery_code_used']);
  expect((await giveCode(await halfIn(person), first)).status).toBe(400);
  expect((await person.get('/security')).body.data.two_factor.recovery_codes_left).toBe(9);
  const browsers = await Promise.all([halfIn(person), halfIn(person)]);
  const answers = await Promise.all(browsers.map((browser) => giveCode(browser, second)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);

  const renewed = await person.post('/two-factor/recovery-codes', { password, code: await person.code() });
  expect(renewed.body.data.recovery_codes).toHaveLength(10);
  expect((await giveCode(await halfIn(person), person.recoveryCodes[2] ?? '')).status).toBe(400);
  expect((await giveCode(await halfIn(person), renewed.body.data.recovery_codes[2])).status).toBe(200);
});

test("nobody's code opens another person's challenge, and a challenge replaces no session by its own", async () => {
  const [person, other] = [await newGuarded(), await newGuarded()];
  expect((await giveCode(await halfIn(person), await other.code())).status).toBe(400);
  expect((await giveCode(await halfIn(person), other.recoveryCodes[0] ?? '')).status).toBe(400);
  // In a browser where somebody else is signed in, the password ends that session, and a new one begins.
  const token = other.cookies();
  await halfIn(person, other);
  expect((await openBrowser(service).get('/properties', { cookie: token })).status).toBe(401);
  expect((await giveCode(other, await person.code())).body.data.user.email).toBe(person.email);
  expect(other.cookies()).not.toContain(token);
  // A session that was planted beside the challenge is not taken over.
  const planted = (await signUp(service)).cookies();
  const victim = await halfIn(person);
  const cookie = `${planted}; ${victim.cookies()}`;
  const answer = await victim.post('/sign-in/code', { code: await person.code() }, { cookie });
  expect(answer.body.data.user.email).toBe(person.email);
  const [given = ''] = answer.headers
    .getSetCookie()
    .filter((each) => each.startsWith('tenure.session_token='));
  expect(planted).not.toContain(given.split(';')[0]);
});

test('turning it off requires the password and a code; a recovery code will do', async () => {
  const person = await newGuarded();
  const code = await person.code();
  expect((await person.post('/two-factor/disable', { code })).status).toBe(400);
  expect((await person.post('/two-factor/disable', { password: 'wrong password', code })).status).toBe(400);
  expect((await person.post('/two-factor/disable', { password, code: '000000' })).status).toBe(400);
  expect((await person.get('/security')).body.data.two_factor.enabled).toBe(true);
  const off = await person.post('/two-factor/disable', { password, code: person.recoveryCodes[0] });
  expect(off.status, off.text).toBe(200);
  expect(await isIn(person)).toBe(true);
  expect((await actions(person))[0]).toBe('person.two_factor_disabled');
  const answer = await openBrowser(service).post('/sign-in', { email: person.email, password });
  expect(answer.body.data.signed_in).toBe(true);
  expect((await person.post('/two-factor/disable', { password, code })).status).toBe(409);
});

test('a trusted device is not asked again, until the password changes', async () => {
  const person = await newGuarded();
  const device = await halfIn(person);
  await giveCode(device, await person.code(), { trust_device: true });
  await device.post('/sign-out');
  expect((await device.post('/sign-in', { email: person.email, password })).body.data.signed_in).toBe(true);
  await halfIn(person);
  await device.post('/sign-out');
  const next = 'a wholly different one';
  const half = await halfIn(person);
  const changed = await person.post('/password', { current_password: password, new_password: next });
  expect(changed.body.data.signed_in, changed.text).toBe(true);
  expect(await isIn(person)).toBe(true);
  // Somebody who knew the old password has to start again.
  expect((await giveCode(half, await person.code())).status).toBe(401);
  const again = await device.post('/sign-in', { email: person.email, password: next });
  expect(again.body.data.code_wanted).toBe(true);
  await resetPassword(service.database.db, person.email, password, new Date());
  await halfIn(person);
});

test('owners see who has it; the command line turns it off for people who have lost everything', async () => {
  const owner = await signUp(service);
  const manager = await guard(await signUpAs(service, owner, 'manager'));
  const seenBy = async (person: Person) =>
    (await person.get('/team')).body.data.members.map((each: { two_factor: unknown }) => each.two_factor);
  expect(await seenBy(owner)).toEqual([false, true]);
  expect(await seenBy(manager)).toEqual([null, null]);
  expect(await resetSecondFactor(service.database.db, manager.email.toUpperCase())).toBe(true);
  expect(await seenBy(owner)).toEqual([false, false]);
  const [entry] = (await owner.get('/audit-log?limit=1')).body.data;
  expect(entry).toMatchObject({
    action: 'person.two_factor_disabled',
    actor: { type: 'operator' },
    subject: manager.email,
  });
  const answer = await openBrowser(service).post('/sign-in', { email: manager.email, password });
  expect(answer.body.data.signed_in).toBe(true);
  expect(await resetSecondFactor(service.database.db, 'nobody@example.com')).toBe(false);
});

test('a rotated SECRET_KEY takes the secrets of apps with it, and a lost one leaves the recovery codes', async () => {
  const rotating = await testService({ SIGN_UP: 'open' });
  try {
    const { db } = rotating.database;
    const person = await signUp(rotating);
    const { secret } = (await person.post('/two-factor/set-up', { password })).body.data;
    const codes = await person.post('/two-factor/enable', { code: appCode(secret) });
    const stored = async () =>
      (await db.query<{ secret: string }>(sql`select secret from two_factors`))[0]?.secret ?? '';
    const opens = async (...keys: [string, ...string[]]) =>
      stepOfCode(createSecretBox(keys[0], keys.slice(1)), await stored(), appCode(secret), new Date()).then(
        (step) => step !== null,
        () => false,
      );
    const [old, next] = [rotating.secretKey, 'n'.repeat(32)];
    expect(await opens(next, old)).toBe(true);
    expect(await opens(next)).toBe(false);
    const now = new Date();
    const rotation = await rotateSecretKey(db, createSecretBox(next, [old]), { lost: false, now });
    expect(rotation).toMatchObject({ renewed: 1, unreadableApps: 0 });
    expect([await opens(next), await opens(old)]).toEqual([true, false]);
    // This service has only the old key.
    const lost = await rotateSecretKey(db, createSecretBox(old), { lost: true, now });
    expect(lost.unreadableApps).toBe(1);
    const half = openBrowser(rotating);
    await half.post('/sign-in', { email: person.email, password });
    expect((await giveCode(half, appCode(secret, 1))).status).toBe(400);
    expect((await giveCode(half, codes.body.data.recovery_codes[0])).body.data.signed_in).toBe(true);
    expect((await person.get('/security')).body.data.two_factor).toEqual({
      enabled: true,
      has_app: false,
      recovery_codes_left: 9,
    });
  } finally {
    await rotating.close();
  }
});
