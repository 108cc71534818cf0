import type { Page } from '@playwright/test';
import { guides, guidesPath, referencePath } from '../src/http/guides/list.ts';
import { thorough } from '../test/support/thorough.ts';
import { axe, type Limits } from './axe.ts';
import { buildEstate, walkOf } from './estate.ts';
import { expect, settled, test, thoroughTest, walkTo } from './fixtures.ts';
import { newEmail, signUp, tokenOf } from './people.ts';
import { scale } from './scale.ts';

const desktop = { width: 1280, height: 860 };
const phone = { width: 375, height: 780 };

/** Checks the whole page by all rules, or only a part or some where nothing else can have changed. */
async function expectAccessible(page: Page, what: string, limits?: Limits): Promise<void> {
  const grave = (await axe(page, limits)).filter(
    ({ impact }) => impact === 'serious' || impact === 'critical',
  );
  const told = grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`);
  expect(told, what).toEqual([]);
}

/** Waits for it: where React makes the layout of a phone, it comes a moment after the window has changed. */
async function expectNoSidewaysScroll(page: Page, what: string): Promise<void> {
  const excess = () =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await expect.poll(excess, { message: what, timeout: 15_000 }).toBeLessThanOrEqual(0);
}

async function expectGood(page: Page, path: string, open = walkTo): Promise<void> {
  await page.setViewportSize(desktop);
  await open(page, path);
  await expectNoSidewaysScroll(page, `${path} at 1280`);
  await expectAccessibleInColours(page, path);
  await expectFitsAPhone(page, path);
}

async function expectFitsAPhone(page: Page, what: string): Promise<void> {
  await page.setViewportSize(phone);
  await expectNoSidewaysScroll(page, `${what} at 375`);
}

/** Loads the page anew, for pages that depend on who is signed in. */
async function load(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

const schemes = ['light', 'dark'] as const;

/**
 * Checks all rules in light or dark colours, about as often in each. A thorough run also checks the contrast in the others,
 * and the whole page where a part is named.
 */
async function expectAccessibleInColours(page: Page, what: string, part?: string): Promise<void> {
  // Ids all have the same length, so a page has the same colours in every run.
  const [first, second] = what.length % 2 === 0 ? schemes : [schemes[1], schemes[0]];
  await page.emulateMedia({ colorScheme: first });
  await expectAccessible(page, `${what} ${first}`, { part: thorough ? undefined : part });
  if (!thorough) return;
  await page.emulateMedia({ colorScheme: second });
  await expectAccessible(page, `${what} ${second}`, { rules: ['color-contrast'] });
}

const areas: [string, RegExp][] = [
  ['home and properties', /^\/($|properties|units)/],
  ['tenants and leases', /^\/(tenants|leases)/],
  ['payments, debts and maintenance', /^\/(payments|overdue|charges|maintenance)/],
  ['reports', /^\/reports/],
  ['settings', /^\/settings/],
];

for (const [area, paths] of areas) {
  test(`the pages of ${area} are accessible and fit`, async ({ page, owner, receiver }) => {
    const estate = await buildEstate(owner, receiver.url());
    await receiver.count(1);
    for (const path of walkOf(estate).filter((address) => paths.test(address))) {
      await test.step(path, () => expectGood(page, path));
    }
  });
}

test('pages of an empty account are accessible and fit', async ({ page, owner }) => {
  expect(owner.accountId).toMatch(/^acct_/);
  const empty = [
    '/',
    '/properties',
    '/overdue',
    '/maintenance?view=board',
    '/reports/rent-roll',
    '/settings/webhooks',
    '/no-such-page',
    '/tenants',
    '/leases',
    '/payments',
    '/maintenance',
    '/reports/rent-collected',
    '/reports/rent-collected?by=property',
    '/settings/api-keys',
  ];
  for (const path of empty.slice(0, scale(14, 7))) {
    await test.step(path, () => expectGood(page, path));
  }
});

thoroughTest('the dialogs are accessible and fit', async ({ page, owner, receiver }) => {
  const { lease } = await buildEstate(owner, receiver.url());
  const openings: [string, string][] = [
    ['/payments', 'Record payment'],
    ...['Record payment', 'Charge', 'Statement', 'Renew', 'End lease'].map((name): [string, string] => [
      `/leases/${lease.id}`,
      name,
    ]),
    ['/settings/api-keys', 'Create API key'],
    ['/settings/api-keys', 'Revoke'],
    ['/settings/team', 'Invite'],
  ];
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  for (const [path, name] of openings) {
    await page.setViewportSize(desktop);
    await walkTo(page, path);
    await page.getByRole('button', { name, exact: true }).click();
    await expect(dialog).toBeVisible();
    // The page behind it was judged without it.
    await expectAccessibleInColours(page, name, '[role=dialog], [role=alertdialog]');
    await expectFitsAPhone(page, name);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
});

thoroughTest(
  'the palette, the menu and the pages outside are accessible and fit',
  async ({ page, owner, receiver, context }) => {
    await buildEstate(owner, receiver.url());
    await page.setViewportSize(desktop);
    await walkTo(page, '/');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Find a property').fill('maple');
    await expect(page.getByRole('option', { name: /Maple Court/ }).first()).toBeVisible();
    await expectAccessibleInColours(page, 'palette');
    await page.keyboard.press('Escape');
    await page.setViewportSize(phone);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('link', { name: 'Properties' })).toBeVisible();
    await expectAccessibleInColours(page, 'menu');
    await page.keyboard.press('Escape');
    await context.clearCookies();
    for (const path of ['/sign-in', '/sign-up']) await expectGood(page, path, load);
  },
);

thoroughTest(
  'the ways in are accessible and fit: by invitation, without one, and without an account',
  async ({ page, context, browser, service, watch }) => {
    const hosts = await browser.newContext();
    const host = await signUp(hosts.request, service.url, { name: 'Otto Other' });
    const invite = async (email: string): Promise<string> => {
      const { link } = await host.post<{ link: string }>('/team/invitations', { email, role: 'manager' });
      return tokenOf(link);
    };
    /**
     * In a thorough run, checks all rules once more on a screen as narrow as a phone, in the colours that the check before
     * left.
     */
    const expectGoodAt = (path: string, name: string) =>
      test.step(`${path}: ${name}`, async () => {
        await expectGood(page, path, load);
        if (thorough) await expectAccessible(page, `${path} at 375`);
        const what = page.getByRole('button', { name, exact: true }).or(page.getByRole('heading', { name }));
        await expect(what).toBeVisible();
      });

    await expectGoodAt(`/invite/${await invite(newEmail())}`, 'Sign up');
    const person = await signUp(page.request, service.url);
    const theirs = await invite(person.email);
    await expectGoodAt(`/invite/${theirs}`, `Join as ${person.email}`);
    await expectGoodAt(`/invite/${await invite(newEmail())}`, 'Sign out');
    await context.clearCookies();
    await expectGoodAt(`/invite/${theirs}`, 'Sign in');
    watch.expectStatus(404);
    await expectGoodAt('/invite/no-such-invitation', 'This invitation does not work');

    // The page looks as it does on a service that only invited people may join.
    const session = '**/internal/v1/session';
    await page.route(session, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"can_sign_up":true', '"can_sign_up":false');
      await route.fulfill({ response, body });
    });
    await expectGoodAt('/sign-up', 'By invitation only');
    await page.unroute(session);

    const email = newEmail();
    await signUp(page.request, service.url, { email, invitation: await invite(email) });
    const { members } = await host.get<{ members: { id: string; user: { email: string } }[] }>('/team');
    const member = members.find(({ user }) => user.email === email);
    expect(await host.try('DELETE', `/team/members/${member?.id}`)).toBe(200);
    await expectGoodAt('/', 'You are not in any account');
    await hosts.close();
  },
);

thoroughTest('the guides are accessible, and they and the reference fit', async ({ page }) => {
  const paths = [guidesPath, ...guides.map(({ name }) => `${guidesPath}/${name}`)];
  // All guides consist of the same few elements, and these have every one of them.
  const some = ['errors', 'verifying-signatures', 'delivery'].map((name) => `${guidesPath}/${name}`);
  for (const path of scale(paths, [guidesPath, ...some])) await test.step(path, () => expectGood(page, path));
  await page.goto(referencePath);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expectFitsAPhone(page, referencePath);
});
