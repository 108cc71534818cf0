import { expect, settled, test } from '../fixtures.ts';
import { password, signUp, tokenOf } from '../people.ts';

test('a person sees where they are signed in, and signs out of one session and of all others', async ({
  page,
  owner,
  playwright,
  service,
}) => {
  const elsewhere = async (userAgent: string) => {
    const context = await playwright.request.newContext({ userAgent });
    const data = { email: owner.email, password };
    const answer = await context.post(`${service.url}/internal/v1/sign-in`, { data });
    expect(answer.status()).toBe(200);
    const isSignedIn = async () =>
      (await (await context.get(`${service.url}/internal/v1/session`)).json()).data.signed_in;
    return { isSignedIn, close: () => context.dispose() };
  };
  const firefox = await elsewhere('Mozilla/5.0 (Windows NT 10.0; rv:144.0) Gecko/20100101 Firefox/144.0');
  const iPhone = await elsewhere('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1');

  await page.goto('/settings/account');
  await page.getByRole('link', { name: 'Security', exact: true }).click();
  await settled(page);
  const sessions = page.getByRole('table', { name: 'Sessions' });
  await expect(sessions.getByRole('row')).toHaveCount(4);
  await expect(sessions.getByRole('row').nth(1)).toContainText('(this one)');
  await sessions.getByRole('button', { name: 'Sign out of Firefox on Windows' }).click();
  await expect(page.getByText('Signed out: Firefox on Windows')).toBeVisible();
  await expect(sessions.getByRole('row')).toHaveCount(3);
  expect([await firefox.isSignedIn(), await iPhone.isSignedIn()]).toEqual([false, true]);

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('Signed out everywhere else')).toBeVisible();
  await expect(sessions.getByRole('row')).toHaveCount(2);
  expect(await iPhone.isSignedIn()).toBe(false);
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0);

  await sessions.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await Promise.all([firefox.close(), iPhone.close()]);
});

test('an easily guessed password is refused at its field', async ({ page, owner, watch }) => {
  watch.expectStatus(400);
  await page.goto('/settings/security');
  await page.getByLabel('Current password').fill(owner.password);
  await page.getByLabel('New password').fill('Sunshine2026!');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByLabel('New password')).toHaveAccessibleDescription(/guessed first/);
});

test('a person leaves a team, and their keys with them', async ({ page, owner, playwright, service }) => {
  const theirs = await playwright.request.newContext();
  const host = await signUp(theirs, service.url, { name: 'Otto Other' });
  const invitation = { email: owner.email, role: 'manager' };
  const { link } = await host.post<{ link: string }>('/team/invitations', invitation);
  await owner.post(`/invitations/${tokenOf(link)}/accept`);
  await owner.post('/api-keys', { name: 'Bookkeeping', permission: 'read' });

  await page.goto('/settings/team');
  await page.getByRole('button', { name: 'Leave team' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText("Leave Otto Other's houses?");
  await expect(dialog).toContainText('Bookkeeping');
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { name: "Olivia Owner's houses" })).toBeVisible();
  const { members } = await host.get<{ members: unknown[] }>('/team');
  expect(members).toHaveLength(1);
  const [key] = await host.get<{ status: string }[]>('/api-keys');
  expect(key?.status).toBe('revoked');
  await theirs.dispose();
});
