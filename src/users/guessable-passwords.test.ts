import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, password, signUp, tokenOf } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { createAccount } from '../accounts/accounts.ts';
import { whyGuessable } from './guessable-passwords.ts';
import { hashPassword } from './passwords.ts';

const ada = { name: 'Ada Okafor', email: 'ada.okafor@example.com' };
const common = /guessed first/;
const own = /your name, your e-mail address/;

test.each([
  ['qwertyuiop', common],
  ['1234567890', common],
  ['1234567890!', common],
  ['#1q2w3e4r5t!', common],
  ['Password123', common],
  ['!Sunshine2024', common],
  ['basketball', common],
  ['aaaaaaaaaaaa', common],
  ['1212121212', common],
  ['Ada.Okafor@example.com', own],
  ['ada.okafor', own],
  ['Ada Okafor', own],
  ['adaokafor1', own],
  ['okafor1985!', own],
  ['tenure2026', own],
])('%s is refused', async (given, reason) => {
  expect(await whyGuessable(given, ada)).toMatch(reason);
});

test.each([
  password,
  'a wholly different one',
  'sunshine on Elm Street',
  '8462957301',
  '"\\"\\"\\"quoted',
  'jrkQwm48-Tz',
  'пароль на каждый день',
])('%s is not', async (given) => {
  expect(await whyGuessable(given, ada)).toBeNull();
});

describe('wherever a password is set,', () => {
  let service: Service;
  beforeAll(async () => {
    service = await testService({ SIGN_UP: 'open' });
  });
  afterAll(() => service.close());
  const guessable = 'password1234';

  test('a commonly guessed one is a 400 at its field: at sign-up, with an invitation, and at a change', async () => {
    const owner = await signUp(service);
    const { link } = (await owner.post('/team/invitations', { email: ada.email, role: 'viewer' })).body.data;
    for (const more of [{ email: 'new@example.com' }, { email: ada.email, invitation: tokenOf(link) }]) {
      const answer = await openBrowser(service).post('/sign-up', {
        name: 'Ada',
        password: guessable,
        ...more,
      });
      expect(answer.status).toBe(400);
      expect(answer.body.error.message.fieldErrors).toEqual({ password: [expect.stringMatching(common)] });
    }
    const changed = { current_password: password, new_password: guessable };
    const answer = await owner.post('/password', changed);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message.fieldErrors).toEqual({ new_password: [expect.stringMatching(common)] });
    expect((await owner.get('/session')).body.data.signed_in).toBe(true);
  });

  test('and people who already have one keep it', async () => {
    const email = 'old@example.com';
    await createAccount(service.database.db, { name: 'Old', email, hash: await hashPassword(guessable) });
    expect((await openBrowser(service).post('/sign-in', { email, password: guessable })).status).toBe(200);
  });
});
