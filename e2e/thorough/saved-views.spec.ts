import type { Page } from '@playwright/test';
import { axe } from '../axe.ts';
import { buildEstate } from '../estate.ts';
import { expect, settled, test } from '../fixtures.ts';
import { newEmail, signUp, tokenOf } from '../people.ts';

const views = (page: Page) => page.getByRole('navigation', { name: 'Views' });
const saveView = (page: Page) => page.getByRole('button', { name: 'Save view' });

test('a person saves a view of a list, opens it elsewhere, renames, overwrites and deletes it', async ({
  page,
  owner,
  receiver,
  watch,
}) => {
  await buildEstate(owner, receiver.url());
  await page.goto('/payments');
  await settled(page);
  await expect(saveView(page)).toHaveCount(0);
  await expect(views(page)).toHaveCount(0);
  await page.goto('/payments?q=okafor&status=paid&sort=-paid_on');
  await saveView(page).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('What Ada paid');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  const link = views(page).getByRole('link', { name: 'What Ada paid' });
  await expect(link).toHaveAttribute('aria-current', 'page');
  await expect(saveView(page)).toHaveCount(0);

  // Coming from another search of the same list, the field shows what the view searches for.
  await page.goto('/payments');
  await page.getByRole('searchbox', { name: 'Search' }).fill('nowhere');
  await expect(page).toHaveURL(/q=nowhere/);
  await link.click();
  await expect(page).toHaveURL('/payments?q=okafor&status=paid&sort=-paid_on');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('okafor');
  await expect(page.getByRole('table', { name: 'Payments' }).getByRole('row')).toHaveCount(2);

  // Each name appears only once.
  await page.goto('/payments?status=failed');
  watch.expectStatus(400);
  // Before the views are there, the button offers only a new one.
  await expect(link).toBeVisible();
  await saveView(page).click();
  await page.getByRole('menuitem', { name: 'Save as a new view' }).click();
  await dialog.getByLabel('Name').fill('what ada paid');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(dialog).toContainText('A view with this name already exists.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await saveView(page).click();
  await page.getByRole('menuitem', { name: 'What Ada paid' }).click();
  await expect(link).toHaveAttribute('aria-current', 'page');
  await page.getByRole('button', { name: 'Options of What Ada paid' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog.getByLabel('Name').fill('Failed');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(views(page).getByRole('link', { name: 'Failed' })).toHaveAttribute('aria-current', 'page');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await axe(page);
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  }
  await page.setViewportSize({ width: 375, height: 800 });
  await expect(views(page).getByRole('link', { name: 'Failed' })).toBeInViewport();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);

  await page.reload();
  await page.getByRole('button', { name: 'Options of Failed' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete view' }).click();
  await expect(views(page)).toHaveCount(0);
  // It stays beside the built-in views.
  await page.goto('/units');
  await expect(views(page).getByRole('link')).toHaveText(['All', 'Vacancies']);
});

test('a viewer saves views and sees those of the team, which managers share', async ({
  page,
  owner,
  service,
  browser,
}) => {
  const email = newEmail();
  const { link } = await owner.post<{ link: string }>('/team/invitations', { email, role: 'viewer' });
  await owner.post('/properties', { name: 'Maple Court' });
  await page.goto('/properties?status=archived');
  await saveView(page).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Sold');
  await page.getByLabel('Share with the team').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
  await expect(views(page).getByRole('link', { name: 'Sold (shared)' })).toBeVisible();

  const context = await browser.newContext({ baseURL: service.url });
  await signUp(context.request, service.url, { email, name: 'Vera Viewer', invitation: tokenOf(link) });
  const other = await context.newPage();
  await other.goto('/properties');
  await views(other).getByRole('link', { name: 'Sold (shared)' }).click();
  await expect(other).toHaveURL('/properties?status=archived');
  await expect(other.getByRole('button', { name: 'Options of Sold' })).toHaveCount(0);
  await other.getByRole('searchbox', { name: 'Search' }).fill('elm');
  await saveView(other).click();
  await expect(other.getByLabel('Share with the team')).toHaveCount(0);
  await other.getByRole('dialog').getByLabel('Name').fill('Mine');
  await other.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
  await expect(views(other).getByRole('link', { name: 'Mine' })).toHaveAttribute('aria-current', 'page');
  await context.close();
  await page.reload();
  await expect(views(page).getByRole('link')).toHaveText(['All', 'Sold(shared)']);
});
