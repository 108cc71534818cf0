import { buildEstate, walkOf } from './estate.ts';
import { expect, test, thoroughTest, walkTo, watchPage } from './fixtures.ts';
import { newEmail, password, signUp, tokenOf } from './people.ts';
import { scale } from './scale.ts';

/** Everybody may change their own password and passkeys. */
const ofOnesOwn = /^(Change password|Add a passkey)$/;
/** Every button that writes something, by the names that the dashboard gives them. */
const writing =
  /^(Add|Record|New|Create|Send|Redeliver|Rotate|Revoke|Delete|Edit|Archive|Change|Give|End|Complete|Assign|Move|Invite|Remove|Withdraw|Disable|Enable|Save account|Save days|Save late fees)\b/;

test('a viewer joins by a link, sees everything, and can write nothing', async ({
  page,
  owner,
  browser,
  service,
  receiver,
}) => {
  const estate = await buildEstate(owner, receiver.url());
  const context = await browser.newContext();
  const theirs = await context.newPage();
  const watch = watchPage(theirs, service.url);

  await page.goto('/settings/team');
  await page.getByRole('button', { name: 'Invite' }).click();
  const email = newEmail();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Role', { exact: true }).selectOption('viewer');
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = (await page.getByText(/\/invite\//).textContent()) ?? '';

  await theirs.goto(link);
  await expect(theirs.getByRole('heading', { name: /^Join / })).toBeVisible();
  await theirs.getByLabel('Name').fill('Vera Viewer');
  await theirs.getByLabel('Password').fill(password);
  await theirs.getByRole('button', { name: 'Sign up' }).click();
  await expect(theirs.getByRole('button', { name: /Vera Viewer/ })).toBeVisible();

  // The same goes for forms: somebody who may only read is led away from them.
  for (const path of walkOf(estate)) {
    await walkTo(theirs, service.url + path);
    const buttons = theirs.getByRole('button', { name: writing }).filter({ hasNotText: ofOnesOwn });
    await expect(buttons, path).toHaveCount(0);
  }
  expect(watch.problems).toEqual([]);

  const origin = { origin: service.url, 'content-type': 'application/json' };
  const attempts: [string, string, object][] = [
    ['POST', '/properties', { name: 'Mine' }],
    ['PATCH', `/properties/${estate.property.id}`, { name: 'Mine' }],
    ['POST', '/payments', { tenant_id: estate.tenant.id, amount_cents: 1 }],
    ['PATCH', `/maintenance/${estate.request.id}`, { status: 'completed' }],
    ['DELETE', `/webhooks/${estate.webhook.id}`, {}],
    ['POST', `/webhooks/${estate.webhook.id}/test`, {}],
    ['POST', '/api-keys', { name: 'Mine', permission: 'read' }],
    ['POST', '/team/invitations', { email: newEmail(), role: 'owner' }],
    ['PATCH', '/account', { name: 'Mine' }],
  ];
  for (const [method, path, data] of attempts) {
    const answer = await context.request.fetch(`${service.url}/internal/v1${path}`, {
      method,
      headers: origin,
      data,
    });
    expect(answer.status(), `${method} ${path}`).toBe(403);
  }
  await context.close();
});

thoroughTest(
  'changing a role needs confirmation, because one key is enough to choose another',
  async ({ page, owner, browser, service }) => {
    const email = newEmail();
    const { link } = await owner.post<{ link: string }>('/team/invitations', { email, role: 'viewer' });
    const context = await browser.newContext();
    await signUp(context.request, service.url, { email, name: 'Vera Viewer', invitation: tokenOf(link) });
    await context.close();
    const roles = async () => {
      const { members } = await owner.get<{ members: { role: string }[] }>('/team');
      return members.map(({ role }) => role);
    };

    await page.goto('/settings/team');
    const own = page.getByLabel('Role of Olivia Owner', { exact: true });
    await own.focus();
    await page.keyboard.press('ArrowDown');
    const asked = page.getByRole('alertdialog');
    await expect(asked).toContainText('Change your own role to Manager?');
    await expect(own).toHaveValue('owner');
    await page.keyboard.press('Escape');
    await expect(own).toBeFocused();
    await expect(own).toHaveValue('owner');
    expect(await roles()).toEqual(['owner', 'viewer']);

    const theirs = page.getByLabel('Role of Vera Viewer', { exact: true });
    await theirs.focus();
    await page.keyboard.press('ArrowUp');
    await expect(asked).toContainText('Change the role of Vera Viewer to Manager?');
    await asked.getByRole('button', { name: 'Change role' }).click();
    await expect(theirs).toHaveValue('manager');
    await expect(theirs).toBeFocused();
    expect(await roles()).toEqual(['owner', 'manager']);
  },
);

test("one account's person sees nothing of another account", async ({
  page,
  owner,
  browser,
  service,
  receiver,
  watch,
}) => {
  const context = await browser.newContext();
  const stranger = await signUp(context.request, service.url, { name: 'Stella Stranger' });
  const theirs = await buildEstate(stranger, receiver.url(), (what) => `Secret ${what}`);
  await owner.post('/properties', { name: 'My own house' });

  const lists = [
    '/',
    '/tenants',
    '/settings/team',
    '/properties',
    '/leases',
    '/payments',
    '/maintenance',
    '/settings/api-keys',
    '/settings/webhooks',
  ];
  for (const path of lists.slice(0, scale(9, 3))) {
    await walkTo(page, path);
    await expect(page.getByText('Secret'), path).toHaveCount(0);
  }
  watch.expectStatus(404);
  for (const path of walkOf(theirs).filter((address) => /_[0-9a-f]{32}/.test(address))) {
    await walkTo(page, path);
    await expect(
      page.getByText('This no longer exists, or it belongs to another account.').first(),
      path,
    ).toBeVisible();
    await expect(page.getByText('Secret')).toHaveCount(0);
  }
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Find a property').fill('Secret');
  await expect(page.getByText('Nothing found')).toBeVisible();
  await context.close();
});

thoroughTest('a person in two accounts switches between them', async ({ page, owner, browser, service }) => {
  const context = await browser.newContext();
  const other = await signUp(context.request, service.url, { name: 'Otto Other' });
  const invitation = await other.post<{ link: string }>('/team/invitations', {
    email: owner.email,
    role: 'manager',
  });
  await other.post('/properties', { name: "Otto's tower" });
  await context.close();

  await page.goto(`/invite/${tokenOf(invitation.link)}`);
  await page.getByRole('button', { name: `Join as ${owner.email}` }).click();
  await page.getByRole('button', { name: /Switch account/ }).click();
  await page.getByRole('menuitem', { name: "Otto Other's houses" }).click();
  await expect(page.getByRole('heading', { name: "Otto Other's houses" })).toBeVisible();
  await page.getByRole('link', { name: 'Properties' }).click();
  await expect(page.getByRole('link', { name: "Otto's tower" })).toBeVisible();
  await page.getByRole('button', { name: /Switch account/ }).click();
  await page.getByRole('menuitem', { name: "Olivia Owner's houses" }).click();
  await expect(page.getByRole('heading', { name: "Olivia Owner's houses" })).toBeVisible();
  await page.getByRole('link', { name: 'Properties' }).click();
  await expect(page.getByText('No properties yet')).toBeVisible();
});
