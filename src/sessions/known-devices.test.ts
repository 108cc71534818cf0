import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Person, password, signUp } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { days } from '../clock.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { knownDevice } from './known-devices.ts';

let service: Service;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open', TRUST_PROXY: 'true' });
  // The limits forget as time passes, so here the clock stands still.
  const now = new Date();
  service.app.now = () => now;
});
afterAll(() => service.close());

const from = (ip: string) => ({ 'x-forwarded-for': ip });
const signIn = async (email: string, given: string, ip: string, cookie = '') =>
  (await openBrowser(service).post('/sign-in', { email, password: given }, { ...from(ip), cookie })).status;

/**
 * Strangers have failed to sign in from everywhere, even from the person's own address. Their passwords are not hashed,
 * which would take long.
 */
async function shutOut(email: string, home: string): Promise<void> {
  const { attempts } = service.app.auth;
  for (let at = 0; at < 100; at++)
    await attempts.begin(email, `10.66.${at}.1`, service.app.now(), async () => false);
  for (let at = 0; at < 50; at++)
    await attempts.begin(`${at}-${email}`, home, service.app.now(), async () => false);
  expect(await signIn(email, password, home)).toBe(429);
}

/** The device's cookie, for somebody who has signed out again: without a session, no address is known. */
async function deviceOf(person: Person): Promise<string> {
  expect((await person.post('/sign-out')).status).toBe(200);
  expect(person.cookies()).toBe('');
  const cookie = person.cookiesTo('/sign-in');
  expect(cookie).toMatch(/^tenure\.device=[\w-]+$/);
  return cookie;
}

test('strangers who use up every limit keep nobody out of a browser that they have signed in with', async () => {
  const person = await signUp(service);
  const device = await deviceOf(person);
  await shutOut(person.email, '10.1.0.1');
  expect(await signIn(person.email, password, '10.1.0.1', device)).toBe(200);
  // The device works wherever they take it.
  expect(await signIn(person.email, password, '10.1.0.2', device)).toBe(200);
});

test('the cookie of one person is useless for another, and so is a changed one', async () => {
  const [person, attacker] = [await signUp(service), await signUp(service)];
  const [device, theirs] = [await deviceOf(person), await deviceOf(attacker)];
  await shutOut(person.email, '10.2.0.1');
  expect(await signIn(person.email, password, '10.2.0.1', theirs)).toBe(429);
  const [name, value = ''] = device.split('=');
  const bytes = Buffer.from(value, 'base64url');
  for (let at = 0; at < bytes.length; at += 9) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const forged = `${name}=${changed.toString('base64url')}`;
    expect(await signIn(person.email, password, '10.2.0.1', forged), `byte ${at}`).toBe(429);
  }
  // This cookie was made for the attacker, and the person's id was put into it.
  const [own, foreign] = [bytes, Buffer.from(theirs.split('=')[1] ?? '', 'base64url')];
  const spliced = Buffer.concat([foreign.subarray(0, 14), own.subarray(14)]);
  const cookie = `${name}=${spliced.toString('base64url')}`;
  expect(await signIn(person.email, password, '10.2.0.1', cookie)).toBe(429);
  expect(await signIn(person.email, password, '10.2.0.1', device)).toBe(200);
});

test('a stolen cookie gives ten attempts, from however many places, and opens nothing', async () => {
  const person = await signUp(service);
  const device = await deviceOf(person);
  expect((await openBrowser(service).get('/properties', { cookie: device })).status).toBe(401);
  await shutOut(person.email, '10.3.0.1');
  expect(await signIn(person.email, 'a wrong guess', '10.3.1.9', device)).toBe(401);
  // Eight more attempts, without the time that hashing would take.
  const { app } = service;
  const visitor = { cookie: device, userAgent: '', ip: '10.3.2.9', address: '10.3.2.9', origin: '' };
  const name = await knownDevice(app, visitor, person.email, app.now());
  for (let at = 0; at < 8; at++)
    await app.auth.attempts.begin(person.email, visitor.ip, app.now(), async () => false, name);
  expect(await signIn(person.email, 'a wrong guess', '10.3.3.9', device)).toBe(401);
  expect(await signIn(person.email, 'a wrong guess', '10.3.4.9', device)).toBe(429);
  expect(await signIn(person.email, password, '10.3.5.9', device)).toBe(429);
});

test('a browser that several people use is known for each of them', async () => {
  const [one, two] = [await signUp(service), await signUp(service)];
  const shared = openBrowser(service);
  for (const { email } of [one, two])
    expect((await shared.post('/sign-in', { email, password }, from('10.4.0.1'))).status).toBe(200);
  const device = shared.cookiesTo('/sign-in');
  await shared.post('/sign-out');
  for (const [at, { email }] of [one, two].entries()) {
    await shutOut(email, `10.4.1.${at}`);
    expect(await signIn(email, password, `10.4.1.${at}`, device)).toBe(200);
  }
});

test('signing in as oneself gives no more tries at the others who use the browser', async () => {
  const [victim, attacker] = [await signUp(service), await signUp(service)];
  const shared = openBrowser(service);
  const enter = async ({ email }: Person, given: string) =>
    (await shared.post('/sign-in', { email, password: given }, from('10.6.0.1'))).status;
  for (const person of [victim, attacker]) expect(await enter(person, password)).toBe(200);
  // Nine attempts, without the time that hashing would take.
  const { app } = service;
  const cookie = shared.cookiesTo('/sign-in');
  const visitor = { cookie, userAgent: '', ip: '10.6.0.1', address: '10.6.0.1', origin: '' };
  const name = await knownDevice(app, visitor, victim.email, app.now());
  expect(name).not.toBeNull();
  for (let at = 0; at < 9; at++)
    await app.auth.attempts.begin(victim.email, visitor.ip, app.now(), async () => false, name);
  expect(await enter(victim, 'a wrong guess')).toBe(401);
  expect(await enter(victim, 'a wrong guess')).toBe(429);
  expect(await enter(attacker, password)).toBe(200);
  expect(shared.cookiesTo('/sign-in')).not.toContain(cookie);
  expect(await enter(victim, 'a wrong guess')).toBe(429);
});

test('the cookie outlives a new SECRET_KEY, and ends after a year without use', async () => {
  const person = await signUp(service);
  const device = await deviceOf(person);
  await shutOut(person.email, '10.5.0.1');
  const { secrets, now } = service.app;
  service.app.secrets = createSecretBox('another secret key of 32 characters', [service.secretKey]);
  expect(await signIn(person.email, password, '10.5.0.1', device)).toBe(200);
  service.app.secrets = createSecretBox('another secret key of 32 characters');
  expect(await signIn(person.email, password, '10.5.0.1', device)).toBe(429);
  service.app.secrets = secrets;
  const inAYear = new Date(Date.now() + days(366));
  service.app.now = () => inAYear;
  await shutOut(person.email, '10.5.0.1');
  expect(await signIn(person.email, password, '10.5.0.1', device)).toBe(429);
  service.app.now = now;
});
