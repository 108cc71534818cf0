import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openBrowser, type Person, password, signUp } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { days, hours } from '../clock.ts';
import { sweepCommon } from '../deliveries/retention.ts';
import { forgetEndedSessions, forgetEndedVerifications } from './sessions.ts';

let service: Service;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
});
afterAll(() => service.close());

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0';
const signInAgain = async ({ email }: Person, userAgent = firefox) => {
  const browser = openBrowser(service);
  const answer = await browser.post('/sign-in', { email, password }, { 'user-agent': userAgent });
  expect(answer.status, answer.text).toBe(200);
  return browser;
};
const listOf = async (person: Pick<Person, 'get'>) => (await person.get('/sessions')).body.data.sessions;
const isSignedIn = async (person: Pick<Person, 'get'>): Promise<boolean> =>
  (await person.get('/session')).body.data.signed_in;

test('a person sees where they are signed in, by device, address and time, and which one is this', async () => {
  const person = await signUp(service);
  const elsewhere = await signInAgain(person);
  const [here, other, ...more] = await listOf(person);
  expect(more).toEqual([]);
  expect(here).toMatchObject({ device: 'Unknown device', current: true });
  expect(other).toMatchObject({
    id: expect.stringMatching(/^ses_[0-9a-f]{32}$/),
    device: 'Firefox on Windows',
    ip_address: '127.0.0.1',
    current: false,
  });
  expect(Date.parse(other.expires_at) - Date.parse(other.last_used_at)).toBe(days(30));
  expect((await listOf(elsewhere))[0]).toMatchObject({ id: other.id, current: true });
});

test('signing one out ends that one, and nobody can end those of another person', async () => {
  const [person, stranger] = [await signUp(service), await signUp(service)];
  const [one, two] = [await signInAgain(person), await signInAgain(person)];
  const [{ id }] = await listOf(one);
  expect((await listOf(stranger)).map((session: { id: string }) => session.id)).not.toContain(id);
  expect((await stranger.delete(`/sessions/${id}`)).status).toBe(404);
  expect(await isSignedIn(one)).toBe(true);
  const ended = await person.delete(`/sessions/${id}`);
  expect(ended.body.data).toEqual({ id, ended: true });
  expect([await isSignedIn(one), await isSignedIn(two), await isSignedIn(person)]).toEqual([
    false,
    true,
    true,
  ]);
  expect((await person.delete(`/sessions/${id}`)).status).toBe(404);
  const [entry] = (await person.get('/audit-log?limit=1')).body.data;
  expect(entry).toMatchObject({
    action: 'person.signed_out',
    subject: person.email,
    changes: [{ field: 'device', from: 'Firefox on Windows', to: null }],
  });
});

test('signing out everywhere else ends all others and leaves this one', async () => {
  const [person, stranger] = [await signUp(service), await signUp(service)];
  const others = [await signInAgain(person), await signInAgain(person)];
  expect((await person.delete('/sessions')).body.data).toEqual({ ended: 2 });
  for (const other of others) expect(await isSignedIn(other)).toBe(false);
  expect(await isSignedIn(person)).toBe(true);
  expect(await isSignedIn(stranger)).toBe(true);
  expect((await person.delete('/sessions')).body.data).toEqual({ ended: 0 });
});

/** Stops the clock of the whole process, better-auth's included, so that the test can move it. Timers keep running. */
function holdClock() {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  onTestFinished(() => void vi.useRealTimers());
  return { to: (ms: number) => vi.setSystemTime(start + ms) };
}

test('a session ends after 30 days without use, and one that is used continues', async () => {
  const clock = holdClock();
  const person = await signUp(service);
  const idle = await signInAgain(person);
  // The session is not prolonged within the first day, but this use counts, too.
  clock.to(hours(20));
  expect(await isSignedIn(idle)).toBe(true);
  clock.to(days(20));
  expect(await isSignedIn(person)).toBe(true);
  clock.to(hours(20) + days(30) - 1000);
  expect(await listOf(person)).toHaveLength(2);
  expect(await isSignedIn(idle)).toBe(true);
  clock.to(days(45));
  expect(await isSignedIn(person)).toBe(true);
  clock.to(hours(20) + days(60) + 1000);
  expect(await isSignedIn(idle)).toBe(false);
  expect(await listOf(person)).toHaveLength(1);
});

test('a session ends after 90 days however much it is used, and its cookie with it', async () => {
  const clock = holdClock();
  const person = await signUp(service);
  const maxAges: number[] = [];
  for (let day = 20; day <= 80; day += 20) {
    clock.to(days(day));
    const answer = await person.get('/session');
    expect(answer.body.data.signed_in, `day ${day}`).toBe(true);
    const [cookie = ''] = answer.headers.getSetCookie();
    maxAges.push(Number(/Max-Age=(\d+)/i.exec(cookie)?.[1]) / 86_400);
  }
  expect(maxAges.map(Math.floor)).toEqual([31, 31, 30, 10]);
  clock.to(days(90) - 5_000);
  expect(await isSignedIn(person)).toBe(true);
  clock.to(days(90) + 5_000);
  expect(await isSignedIn(person)).toBe(false);
  expect((await person.get('/properties')).status).toBe(401);
});

test('sessions that ended are deleted, and others stay', async () => {
  const person = await signUp(service);
  const { db } = service.database;
  const begun = async (created: number, used: number) => {
    const [{ id }] = await listOf(await signInAgain(person));
    await db.pool.query(
      `update sessions set created_at = now() - $2 * interval '1 day', updated_at = now() - $3 * interval '1 day'
       where id = $1`,
      [id.slice(4), created, used],
    );
    return id;
  };
  const kept = await begun(89, 1);
  const gone = [await begun(91, 0), await begun(40, 31)];
  expect(await sweepCommon(db, new Date(), [forgetEndedSessions])).toBeGreaterThanOrEqual(gone.length);
  const { rows } = await db.pool.query(
    'select id from sessions where user_id = (select id from users where email = $1)',
    [person.email],
  );
  const left = rows.map(({ id }: { id: string }) => `ses_${id.replaceAll('-', '')}`);
  expect(left).toContain(kept);
  for (const id of gone) expect(left).not.toContain(id);
});

test('sign-ins that were begun and have ended are deleted, others are kept', async () => {
  const { db } = service.database;
  const begin = async (identifier: string, endsIn: string) =>
    db.pool.query(
      `insert into verifications (id, identifier, value, expires_at)
       values (gen_random_uuid(), $1, 'x', now() + $2::interval)`,
      [identifier, endsIn],
    );
  await begin('ended', '-1 minute');
  await begin('open', '1 minute');
  await sweepCommon(db, new Date(), [forgetEndedVerifications]);
  const { rows } = await db.pool.query(
    `select identifier from verifications where identifier in ('ended', 'open')`,
  );
  expect(rows).toEqual([{ identifier: 'open' }]);
});
