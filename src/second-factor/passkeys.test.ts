import { afterAll, beforeAll, expect, test } from 'vitest';
import { appCode, makePasskey, type Passkey } from '../../test/support/authenticator.ts';
import { type Browser, openBrowser, type Person, password, signUp } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { sql } from '../db/sql.ts';
import { resetSecondFactor } from './two-factor.ts';

let service: Service;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
});
afterAll(() => service.close());

async function add(person: Browser, passkey: Passkey, how: Parameters<Passkey['create']>[1] = {}) {
  const { body } = await person.post('/passkeys/options', { password });
  return person.post('/passkeys', { name: 'Phone', credential: passkey.create(body.data, how) });
}

async function signInWith(
  passkey: Passkey,
  how: Parameters<Passkey['get']>[1] = {},
  browser = openBrowser(service),
) {
  const { body } = await browser.post('/sign-in/passkey/options');
  return browser.post('/sign-in/passkey', { credential: passkey.get(body.data, how) });
}

async function withPasskey(): Promise<{ person: Person; passkey: Passkey; id: string }> {
  const person = await signUp(service);
  const passkey = makePasskey(service.url);
  const answer = await add(person, passkey);
  expect(answer.status, answer.text).toBe(201);
  return { person, passkey, id: answer.body.data.id };
}
/** The latest actions without wrong passwords, which are recorded a little later. */
const latest = async (owner: Person) =>
  (await owner.get('/audit-log?limit=5')).body.data.find(
    ({ action }: { action: string }) => action !== 'person.sign_in_failed',
  );

test('adding a passkey requires the password; it has a name, and signs in without code or password', async () => {
  const { person, passkey, id } = await withPasskey();
  expect((await person.post('/passkeys/options', { password: 'wrong password' })).status).toBe(400);
  expect((await person.post('/passkeys/options', {})).status).toBe(400);
  expect(await latest(person)).toMatchObject({
    action: 'person.passkey_added',
    subject: person.email,
    changes: [{ field: 'name', from: null, to: 'Phone' }],
  });
  const { secret } = (await person.post('/two-factor/set-up', { password })).body.data;
  expect((await person.post('/two-factor/enable', { code: appCode(secret) })).status).toBe(200);

  const browser = openBrowser(service);
  const answer = await signInWith(passkey, {}, browser);
  expect(answer.body.data, answer.text).toMatchObject({ signed_in: true, user: { email: person.email } });
  expect((await browser.get('/properties')).status).toBe(200);
  expect((await latest(person)).action).toBe('person.signed_in');
  const [shown] = (await person.get('/security')).body.data.passkeys;
  expect(shown).toMatchObject({ id, name: 'Phone', synced: false, last_used_at: expect.any(String) });

  const renamed = await person.patch(`/passkeys/${id}`, { name: 'Old phone' });
  expect(renamed.body.data, renamed.text).toMatchObject({ id, name: 'Old phone' });
  expect((await latest(person)).changes).toEqual([{ field: 'name', from: 'Phone', to: 'Old phone' }]);
  expect((await person.delete(`/passkeys/${id}`)).status).toBe(200);
  expect((await latest(person)).action).toBe('person.passkey_removed');
  expect((await signInWith(passkey)).status).toBe(401);
  // Nobody was signed out.
  expect((await browser.get('/properties')).status).toBe(200);
});

test('an answer counts once, for the challenge it was made for, in the browser that asked', async () => {
  const { passkey } = await withPasskey();
  const browser = openBrowser(service);
  const { body } = await browser.post('/sign-in/passkey/options');
  const credential = passkey.get(body.data);
  const elsewhere = openBrowser(service);
  expect((await elsewhere.post('/sign-in/passkey', { credential })).status).toBe(401);
  await elsewhere.post('/sign-in/passkey/options');
  expect((await elsewhere.post('/sign-in/passkey', { credential })).status).toBe(401);
  const cookie = browser.cookies();
  expect((await browser.post('/sign-in/passkey', { credential })).status).toBe(200);
  expect((await openBrowser(service).post('/sign-in/passkey', { credential }, { cookie })).status).toBe(401);
});

test("nobody signs in with, adds to, renames or removes another person's passkey", async () => {
  const [ada, eve] = [await withPasskey(), await withPasskey()];
  // Eve's device signs in Ada's name.
  const adasId = ada.passkey.get({ challenge: '' }).id;
  expect((await signInWith(eve.passkey, { id: adasId })).status).toBe(401);
  expect((await signInWith(makePasskey(service.url))).status).toBe(401);
  // Eve's device is added with the challenge that Ada got, and Ada's passkey as if it were Eve's.
  const { body } = await ada.person.post('/passkeys/options', { password });
  const [, challenge = ''] = /(tenure\.passkey=[^;]+)/.exec(ada.person.cookies()) ?? [];
  const cookie = `${eve.person.cookies()}; ${challenge}`;
  const credential = makePasskey(service.url).create(body.data);
  const planted = await openBrowser(service).post('/passkeys', { name: 'Mine', credential }, { cookie });
  expect(planted.status).toBe(400);
  expect((await add(eve.person, ada.passkey)).status).toBe(400);
  // A challenge for signing in cannot be used for adding a passkey.
  const asked = (await eve.person.post('/sign-in/passkey/options')).body.data;
  const other = makePasskey(service.url).create(asked);
  expect((await eve.person.post('/passkeys', { name: 'Mine', credential: other })).status).toBe(400);

  expect((await eve.person.patch(`/passkeys/${ada.id}`, { name: 'Mine' })).status).toBe(404);
  expect((await eve.person.delete(`/passkeys/${ada.id}`)).status).toBe(404);
  expect((await signInWith(ada.passkey)).body.data.user.email).toBe(ada.person.email);
  for (const { person, id } of [ada, eve])
    expect((await person.get('/security')).body.data.passkeys).toEqual([
      expect.objectContaining({ id, name: 'Phone' }),
    ]);
});

test('a passkey counts only for our pages, and only if its device asked who holds it', async () => {
  const { person, passkey } = await withPasskey();
  expect((await signInWith(passkey, { origin: 'https://evil.example.com' })).status).toBe(401);
  expect((await signInWith(passkey, { verified: false })).status).toBe(401);
  expect((await signInWith(passkey)).status).toBe(200);
  const fresh = makePasskey(service.url);
  expect((await add(person, fresh, { origin: 'https://evil.example.com' })).status).toBe(400);
  expect((await add(person, fresh, { verified: false })).status).toBe(400);
  expect((await add(person, makePasskey(service.url, 'evil.example.com'))).status).toBe(400);
  expect((await add(person, fresh)).status).toBe(201);
});

test('PUBLIC_URL says which pages and which name passkeys are for', async () => {
  const origin = 'https://rent.example.com';
  const secure = await testService({ SIGN_UP: 'open', PUBLIC_URL: `${origin}/` });
  try {
    const headers = { origin };
    const browser = openBrowser(secure);
    await browser.post('/sign-up', { name: 'Ada', email: 'ada@example.com', password }, headers);
    const { body } = await browser.post('/passkeys/options', { password }, headers);
    expect(body.data.rp.id).toBe('rent.example.com');
    const passkey = makePasskey(origin, 'rent.example.com');
    const created = { name: 'Phone', credential: passkey.create(body.data) };
    const added = await browser.post('/passkeys', created, headers);
    expect(added.status, added.text).toBe(201);
    const asked = await browser.post('/sign-in/passkey/options', {}, headers);
    expect(asked.headers.getSetCookie()[0]).toMatch(
      /^__Secure-tenure\.passkey=.*; HttpOnly; Secure; SameSite=Lax/,
    );
    const credential = passkey.get(asked.body.data);
    expect((await browser.post('/sign-in/passkey', { credential }, headers)).status).toBe(200);
  } finally {
    await secure.close();
  }
});

test('a person has at most 20, and one who lost everything none', async () => {
  const { person, passkey } = await withPasskey();
  await service.database.db.query(sql`
    insert into passkeys (id, user_id, name, credential_id, public_key, counter, device_type, backed_up, created_at)
    select gen_random_uuid(), user_id, name, credential_id || n, public_key, 0, device_type, false, now()
    from passkeys, generate_series(1, 19) n
    where user_id = (select id from users where email = ${person.email})`);
  expect((await person.post('/passkeys/options', { password })).status).toBe(409);
  expect(await resetSecondFactor(service.database.db, person.email)).toBe(true);
  expect((await person.get('/security')).body.data.passkeys).toEqual([]);
  expect((await signInWith(passkey)).status).toBe(401);
});
