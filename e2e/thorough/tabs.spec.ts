import type { Browser, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { newEmail, type Person, signUp, tokenOf } from '../people.ts';

/** The person comes back to a tab so much later that it asks again who they are. */
async function comeBack(page: Page, minutesLater: number): Promise<void> {
  await page.clock.setFixedTime(Date.now() + minutesLater * 60_000);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
}

/** A link that invites this address into another account. */
async function invitedBy(browser: Browser, url: string, name: string, email: string): Promise<string> {
  const context = await browser.newContext();
  const host = await signUp(context.request, url, { name });
  const { link } = await host.post<{ link: string }>('/team/invitations', { email, role: 'manager' });
  await context.close();
  return tokenOf(link);
}

const properties = (person: Person) => person.get<unknown[]>('/properties');

test('a tab stays with its account when another one switches, and leaves when another one signs out', async ({
  page,
  owner,
  context,
  browser,
  service,
  watch,
}) => {
  const token = await invitedBy(browser, service.url, 'Otto Other', owner.email);
  await owner.post(`/invitations/${token}/accept`);
  await owner.post('/account/switch', { account_id: owner.accountId });
  await page.goto('/properties/new');
  await page.getByLabel('Name').fill('Maple Court');

  const other = await context.newPage();
  await other.goto('/');
  await expect(other.getByRole('heading', { name: "Olivia Owner's houses" })).toBeVisible();
  await other.getByRole('button', { name: /Switch account/ }).click();
  await other.getByRole('menuitem', { name: "Otto Other's houses" }).click();
  await expect(other.getByRole('heading', { name: "Otto Other's houses" })).toBeVisible();

  watch.expectStatus(409);
  await comeBack(page, 5);
  await expect(page.getByRole('status')).toContainText('You switched to another account in another tab.');
  await page.getByRole('button', { name: 'Add property' }).click();
  await expect(page.getByRole('alert')).toContainText('You switched to another account');
  await expect(page.getByLabel('Name')).toHaveValue('Maple Court');
  expect(await properties(owner)).toEqual([]);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('button', { name: /Switch account/ })).toContainText("Otto Other's houses");
  await expect(page.getByRole('status').filter({ hasText: 'another tab' })).toHaveCount(0);

  await other.getByRole('button', { name: new RegExp(owner.email) }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await comeBack(page, 10);
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fproperties%2Fnew$/);
});

test('a tab exports the records of the account that it shows, or none', async ({
  page,
  owner,
  browser,
  service,
}) => {
  await owner.post('/properties', { name: 'Maple Court' });
  await page.goto('/properties');
  const address = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  const exported = () => page.request.get(`${service.url}${address}`);
  expect(await (await exported()).text()).toContain('Maple Court');
  await owner.post(`/invitations/${await invitedBy(browser, service.url, 'Otto Other', owner.email)}/accept`);
  expect((await exported()).status()).toBe(409);
});

test('a new role, and a sign-out before an invitation, are seen at once', async ({
  page,
  owner,
  browser,
  service,
  watch,
}) => {
  const invitation = await owner.post<{ email: string; link: string }>('/team/invitations', {
    email: newEmail(),
    role: 'owner',
  });
  const second = await browser.newContext();
  const { email } = invitation;
  await signUp(second.request, service.url, {
    email,
    name: 'Second Owner',
    invitation: tokenOf(invitation.link),
  });
  await second.close();
  await page.goto('/settings/team');
  await page.getByLabel('Role of Olivia Owner').selectOption('viewer');
  await page.getByRole('button', { name: 'Change role' }).click();
  await expect(page.getByText('Owners invite people and change roles.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Invite' })).toHaveCount(0);

  watch.expectStatus(503);
  const path = '**/internal/v1/invitations/*';
  await page.route(path, (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto(`/invite/${await invitedBy(browser, service.url, 'Otto Other', newEmail())}`);
  await expect(page.getByText('The service is starting or busy.')).toBeVisible();
  await page.unroute(path);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: "Join Otto Other's houses" })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign up' })).toBeVisible();
});

test('a link to the sign-in leads to no other site', async ({ page, owner, context, service }) => {
  for (const next of ['//other.example', '/\t/other.example']) {
    await context.clearCookies();
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('heading', { name: "Olivia Owner's houses" })).toBeVisible();
    expect(new URL(page.url()).origin).toBe(service.url);
  }
});
