import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openBrowser, type Person, password, signUp, signUpAs, tokenOf } from '../../test/support/browser.ts';
import { countLockWaits } from '../../test/support/database.ts';
import { withinASecond } from '../../test/support/process.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { lockAccount } from '../db/account-lock.ts';
import { sql } from '../db/sql.ts';
import { parseId } from '../ids.ts';

let service: Service;
let owner: Person;
beforeAll(async () => {
  // They sign up while that is open, so that each test has its own owner. Invitations work in every mode (below).
  service = await testService({ SIGN_UP: 'open' });
  owner = await signUp(service, { account_name: 'Maple Rentals' });
});
afterAll(() => service.close());

const later = (ms: number) => {
  service.app.now = () => new Date(Date.now() + ms);
  return () => {
    service.app.now = () => new Date();
  };
};
const day = 86_400_000;

test('an invited newcomer sees what it is for, signs up although sign-up is closed, and belongs to the team', async () => {
  const closed = await testService({ SIGN_UP: 'first' });
  try {
    const first = await signUp(closed, { account_name: 'Maple Rentals' });
    const email = 'New@Example.com';
    const made = await first.post('/team/invitations', { email, role: 'manager' });
    expect(made.status).toBe(201);
    const { link, ...invitation } = made.body.data;
    expect(invitation).toMatchObject({ email: 'new@example.com', role: 'manager', status: 'pending' });
    expect(link).toMatch(new RegExp(`^${closed.url}/invite/[\\w-]{40}$`));
    expect(Date.parse(invitation.expires_at) - Date.now()).toBeGreaterThan(6.9 * day);
    expect(Date.parse(invitation.expires_at) - Date.now()).toBeLessThan(7.1 * day);

    const newcomer = openBrowser(closed);
    const token = tokenOf(link);
    expect((await newcomer.get(`/invitations/${token}`)).body.data).toEqual({
      account: { name: 'Maple Rentals' },
      email: 'new@example.com',
      role: 'manager',
      expires_at: invitation.expires_at,
      user_exists: false,
    });
    const person = { name: 'Newcomer', password, invitation: token };
    const other = await newcomer.post('/sign-up', { ...person, email: 'somebody-else@example.com' });
    expect(other.status).toBe(400);
    expect(other.body.error.message.fieldErrors.email).toEqual(['This invitation is for new@example.com.']);
    const joined = await newcomer.post('/sign-up', { ...person, email });
    expect(joined.status).toBe(201);
    expect(joined.body.data).toMatchObject({ role: 'manager', account: { name: 'Maple Rentals' } });
    expect(joined.body.data.accounts).toHaveLength(1);

    const { members, invitations } = (await first.get('/team')).body.data;
    expect(members.map((member: { role: string }) => member.role)).toEqual(['owner', 'manager']);
    expect(invitations).toEqual([]);
    // The invitation is used up.
    expect((await newcomer.get(`/invitations/${token}`)).status).toBe(404);
    const again = { ...person, email: 'third@example.com' };
    expect((await openBrowser(closed).post('/sign-up', again)).status).toBe(404);
  } finally {
    await closed.close();
  }
});

test('an existing person accepts it and can switch between the accounts', async () => {
  const person = await signUp(service);
  const own = (await person.get('/session')).body.data.account;
  const { body } = await owner.post('/team/invitations', { email: person.email, role: 'viewer' });
  const token = tokenOf(body.data.link);
  expect((await person.get(`/invitations/${token}`)).body.data.user_exists).toBe(true);
  const taken = await openBrowser(service).post('/sign-up', {
    name: 'Impostor',
    email: person.email,
    password,
    invitation: token,
  });
  expect(taken.body.error.message.fieldErrors.email[0]).toMatch(/sign in/);

  expect((await openBrowser(service).post(`/invitations/${token}/accept`)).status).toBe(401);
  const accepted = await person.post(`/invitations/${token}/accept`);
  expect(accepted.status).toBe(200);
  expect(accepted.body.data).toMatchObject({ role: 'viewer', account: { name: 'Maple Rentals' } });
  expect(accepted.body.data.accounts).toHaveLength(2);
  expect((await person.post('/properties', { name: 'Not mine' })).status).toBe(403);

  const back = await person.post('/account/switch', { account_id: own.id });
  expect(back.body.data).toMatchObject({ role: 'owner', account: { id: own.id } });
  expect((await person.post('/properties', { name: 'Mine' })).status).toBe(201);
  expect((await owner.get('/properties')).text).not.toContain('Mine');
  expect((await person.post(`/invitations/${token}/accept`)).status).toBe(404);
});

test('a page showing another account than the session gets an error instead of writing into it', async () => {
  const person = await signUp(service);
  const shown = (await person.get('/session')).body.data.account.id;
  const { body } = await owner.post('/team/invitations', { email: person.email, role: 'manager' });
  await person.post(`/invitations/${tokenOf(body.data.link)}/accept`);
  const refused = await person.post('/properties', { name: 'Astray' }, { 'x-account': shown });
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toMatch(/another window/);
  await person.post('/account/switch', { account_id: shown });
  expect((await person.post('/properties', { name: 'Home' }, { 'x-account': shown })).status).toBe(201);
});

test('a link of a page to a file says which account it is of, and gets no other', async () => {
  const person = await signUp(service);
  const shown = (await person.get('/session')).body.data.account.id;
  await person.post('/properties', { name: 'Home' });
  const path = `/properties?format=csv&account=${shown}`;
  expect((await person.get(path)).text).toContain('Home');
  const { body } = await owner.post('/team/invitations', { email: person.email, role: 'manager' });
  await person.post(`/invitations/${tokenOf(body.data.link)}/accept`);
  expect((await person.get(path)).status).toBe(409);
});

test('nobody else can accept it', async () => {
  const { body } = await owner.post('/team/invitations', { email: 'right@example.com', role: 'owner' });
  const wrong = await signUp(service);
  const answer = await wrong.post(`/invitations/${tokenOf(body.data.link)}/accept`);
  expect(answer.status).toBe(403);
  expect(answer.body.error.message).toContain('right@example.com');
  expect((await wrong.get('/session')).body.data.accounts).toHaveLength(1);
});

test('it expires after seven days', async () => {
  const person = await signUp(service);
  const { body } = await owner.post('/team/invitations', { email: person.email, role: 'viewer' });
  const token = tokenOf(body.data.link);
  const restore = later(7 * day + 1000);
  try {
    expect((await person.get(`/invitations/${token}`)).status).toBe(404);
    expect((await person.post(`/invitations/${token}/accept`)).status).toBe(404);
    const listed = (await owner.get('/team')).body.data.invitations;
    expect(listed.find(({ id }: { id: string }) => id === body.data.id)).toMatchObject({
      status: 'expired',
      link: null,
    });
  } finally {
    restore();
  }
});

test('it can be cancelled, and a new one replaces the old one', async () => {
  const email = 'twice@example.com';
  const first = (await owner.post('/team/invitations', { email, role: 'viewer' })).body.data;
  const second = (await owner.post('/team/invitations', { email, role: 'manager' })).body.data;
  const anyone = openBrowser(service);
  expect((await anyone.get(`/invitations/${tokenOf(first.link)}`)).status).toBe(404);
  expect((await anyone.get(`/invitations/${tokenOf(second.link)}`)).body.data.role).toBe('manager');
  expect((await owner.delete(`/team/invitations/${second.id}`)).body.data).toEqual({
    id: second.id,
    cancelled: true,
  });
  expect((await anyone.get(`/invitations/${tokenOf(second.link)}`)).status).toBe(404);
  expect((await owner.delete(`/team/invitations/${second.id}`)).status).toBe(404);
});

test('a token cannot be made from the id of an invitation', async () => {
  const { body } = await owner.post('/team/invitations', { email: 'guess@example.com', role: 'owner' });
  const bytes = Buffer.from(tokenOf(body.data.link), 'base64url');
  expect(bytes.subarray(0, 16).toString('hex')).toBe(body.data.id.slice(4));
  bytes[29] = (bytes[29] ?? 0) ^ 1;
  const { status } = await openBrowser(service).get(`/invitations/${bytes.toString('base64url')}`);
  expect(status).toBe(404);
});

test('of two people who use one link at once, only one joins', async () => {
  const { body } = await owner.post('/team/invitations', { email: 'race@example.com', role: 'viewer' });
  const person = { name: 'R', email: 'race@example.com', password, invitation: tokenOf(body.data.link) };
  const answers = await Promise.all([1, 2, 3].map(() => openBrowser(service).post('/sign-up', person)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
});

test('only owners see the links, and a member cannot be invited again', async () => {
  const alone = await signUp(service);
  const viewer = await signUpAs(service, alone, 'viewer');
  await alone.post('/team/invitations', { email: 'pending@example.com', role: 'owner' });
  expect((await alone.get('/team')).body.data.invitations[0].link).toContain('/invite/');
  expect((await viewer.get('/team')).body.data.invitations).toMatchObject([
    { email: 'pending@example.com', link: null },
  ]);
  const again = await alone.post('/team/invitations', { email: viewer.email.toUpperCase(), role: 'owner' });
  expect(again.status).toBe(409);
});

test('a changed role and a removal take effect within a second', async () => {
  const alone = await signUp(service);
  const helper = await signUpAs(service, alone, 'manager');
  const id = (await alone.get('/team')).body.data.members[1].id;
  expect((await helper.post('/properties', { name: 'One' })).status).toBe(201);

  const changed = await alone.patch(`/team/members/${id}`, { role: 'viewer' });
  expect(changed.body.data).toMatchObject({ id, role: 'viewer', user: { email: helper.email } });
  expect((await helper.post('/properties', { name: 'Two' })).status).toBe(403);

  const removed = await alone.delete(`/team/members/${id}`);
  expect(removed.body.data).toEqual({ id, removed: true, keys: [] });
  await withinASecond(async () => (await helper.get('/properties')).status === 403);
  expect((await helper.get('/session')).body.data).toMatchObject({
    signed_in: true,
    account: null,
    role: null,
    accounts: [],
  });
  expect((await alone.delete(`/team/members/${id}`)).status).toBe(404);
});

test('the last owner can neither be removed nor get another role, not even by two requests at once', async () => {
  const one = await signUp(service);
  const id = (await one.get('/team')).body.data.members[0].id;
  expect((await one.patch(`/team/members/${id}`, { role: 'viewer' })).status).toBe(409);
  expect((await one.delete(`/team/members/${id}`)).status).toBe(409);
  expect((await one.patch(`/team/members/${id}`, { role: 'owner' })).status).toBe(200);

  const two = await signUpAs(service, one, 'owner');
  const other = (await one.get('/team')).body.data.members[1].id;
  const answers = await Promise.all([
    one.patch(`/team/members/${other}`, { role: 'manager' }),
    two.delete(`/team/members/${id}`),
  ]);
  // The second one is no longer an owner, or no longer a member.
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
});

test('a removed person cannot stay by a quick invitation, role change or key', async () => {
  const one = await signUp(service);
  const two = await signUpAs(service, one, 'owner');
  const viewer = await signUpAs(service, one, 'viewer');
  const { members } = (await one.get('/team')).body.data;
  const idOf = ({ email }: Person) =>
    members.find((member: { user: { email: string } }) => member.user.email === email).id;
  // The page that was just loaded is cached for a moment.
  expect((await two.get('/team')).status).toBe(200);
  expect((await one.delete(`/team/members/${idOf(two)}`)).status).toBe(200);
  const answers = await Promise.all([
    two.post('/team/invitations', { email: 'friend@example.com', role: 'owner' }),
    two.patch(`/team/members/${idOf(viewer)}`, { role: 'owner' }),
    two.delete(`/team/members/${idOf(viewer)}`),
    two.post('/api-keys', { name: 'mine', permission: 'write' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});

test('nor while the change that removes them is under way', async () => {
  const one = await signUp(service);
  const two = await signUpAs(service, one, 'owner');
  const { db } = service.app;
  const account = parseId('acct', (await one.get('/session')).body.data.account.id);
  let invited: ReturnType<Person['post']> | undefined;
  await db.transaction(async (tx) => {
    await lockAccount(tx, account ?? '');
    invited = two.post('/team/invitations', { email: 'friend@example.com', role: 'owner' });
    await vi.waitUntil(async () => (await countLockWaits(db)) > 0, { timeout: 2_500 });
    await tx.query(sql`delete from members where account_id = ${account}
      and user_id = (select id from users where email = ${two.email})`);
  });
  expect((await invited)?.status).toBe(403);
});

test('the links of an owner who is removed no longer work', async () => {
  const one = await signUp(service);
  const two = await signUpAs(service, one, 'owner');
  const { body } = await two.post('/team/invitations', { email: 'friend@example.com', role: 'owner' });
  const id = (await one.get('/team')).body.data.members[1].id;
  await one.delete(`/team/members/${id}`);
  expect((await one.get(`/invitations/${tokenOf(body.data.link)}`)).status).toBe(404);
});

test('the owner changes the name and the currency of the account and sees it at once', async () => {
  const one = await signUp(service);
  const answer = await one.patch('/account', { name: 'Casa Verde', currency: 'eur' });
  expect(answer.body.data).toMatchObject({ name: 'Casa Verde', currency: 'EUR' });
  expect((await one.get('/session')).body.data.account).toMatchObject({
    name: 'Casa Verde',
    currency: 'EUR',
  });
  expect((await one.get('/home')).body.data.currency).toBe('EUR');
  expect((await one.patch('/account', {})).status).toBe(400);
  expect((await one.patch('/account', { currency: 'XXY' })).body.error.message.fieldErrors).toHaveProperty(
    'currency',
  );
});

test('where sign-up is open a person may open further accounts', async () => {
  const one = await signUp(service);
  const answer = await one.post('/accounts', { name: 'Second', currency: 'GBP' });
  expect(answer.status).toBe(201);
  expect(answer.body.data).toMatchObject({ account: { name: 'Second', currency: 'GBP' }, role: 'owner' });
  expect(answer.body.data.accounts).toHaveLength(2);
});
