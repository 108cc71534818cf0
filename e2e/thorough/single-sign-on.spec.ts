import { type Browser, expect, type Page, test } from '@playwright/test';
import { startIssuer } from '../../test/support/issuer.ts';
import { dataFolder, freePort, ready, removeFolder, spawnServer } from '../../test/support/process.ts';
import { axe } from '../axe.ts';

// These pages are not those of fixtures.ts, which may not contact another host. Here everything is about doing so.

async function newPage(browser: Browser, baseURL: string): Promise<Page> {
  return (await browser.newContext({ baseURL })).newPage();
}

const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in with Office Login' }).click();
const isSignedIn = (page: Page, email: string) =>
  expect(page.getByRole('button', { name: new RegExp(email) })).toBeVisible();

async function flaws(page: Page): Promise<string[]> {
  return (await axe(page)).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}

test('people sign up, in and by invitation with the issuer alone, and learn why they cannot', async ({
  browser,
}) => {
  const issuer = await startIssuer();
  const folder = await dataFolder();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = spawnServer({
    ...issuer.settings,
    PUBLIC_URL: url,
    OIDC_ONLY: 'true',
    PORT: String(port),
    DATA_DIR: folder,
  });
  try {
    await ready(server);
    const owner = await newPage(browser, url);

    await test.step('the first person signs up', async () => {
      issuer.says({ sub: '1', email: 'ada@office.test', email_verified: true, name: 'Ada Lee' });
      await owner.goto('/');
      await expect(owner.getByRole('heading', { name: 'Create your account' })).toBeVisible();
      await expect(owner.getByLabel('Password')).toHaveCount(0);
      expect(await flaws(owner)).toEqual([]);
      await signIn(owner);
      await isSignedIn(owner, 'ada@office.test');
      await owner.goto('/settings/security');
      await expect(owner.getByRole('heading', { name: 'Security' })).toBeVisible();
      await expect(owner.getByText('Change password')).toHaveCount(0);
    });

    await test.step('somebody else learns that they are not invited', async () => {
      issuer.says({ sub: '2', email: 'eve@office.test', email_verified: true, name: 'Eve' });
      const page = await newPage(browser, url);
      await page.goto('/tenants');
      await signIn(page);
      await expect(page.getByRole('alert')).toContainText('Sign-up is closed here');
      expect(page.url()).toBe(`${url}/sign-in`);
      expect(await flaws(page)).toEqual([]);
    });

    await test.step('an invited person joins', async () => {
      const invited = await owner.request.post('/internal/v1/team/invitations', {
        data: { email: 'ben@office.test', role: 'viewer' },
      });
      const { link } = ((await invited.json()) as { data: { link: string } }).data;
      issuer.says({ sub: '3', email: 'ben@office.test', email_verified: true, name: 'Ben' });
      const page = await newPage(browser, url);
      await page.goto(link);
      await expect(page.getByRole('heading', { name: "Join Ada Lee's properties" })).toBeVisible();
      await signIn(page);
      await isSignedIn(page, 'ben@office.test');
    });

    await test.step('a known person gets to the page they wanted', async () => {
      issuer.says({ sub: '1', email: 'ada@office.test', email_verified: true, name: 'Ada Lee' });
      const page = await newPage(browser, url);
      await page.goto('/leases?status=active');
      await signIn(page);
      await isSignedIn(page, 'ada@office.test');
      await expect(page).toHaveURL(`${url}/leases?status=active`);
    });
  } finally {
    server.kill('SIGTERM');
    await server.ended;
    await removeFolder(folder);
    await issuer.close();
  }
});
