import type { Page } from '@playwright/test';
import { expect, settled, test } from '../fixtures.ts';
import { newEmail, signUp, tokenOf } from '../people.ts';

test('Enter takes what was typed, however late its list comes', async ({ page, owner }) => {
  await owner.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  await owner.post('/tenants', { first_name: 'Zoe', last_name: 'Newest' });
  const { promise: asked, resolve: letThrough } = Promise.withResolvers<void>();
  await page.route('**/internal/v1/tenants?*q=*', async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto('/payments');
  await page.getByRole('button', { name: 'Record payment' }).click();
  const tenant = page.getByRole('dialog').getByLabel('Tenant');
  await tenant.click();
  await expect(page.getByRole('option', { name: 'Zoe' })).toBeVisible();
  await page.keyboard.type('ada');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(tenant).toHaveValue('ada');
  // What is not chosen yet cannot be sent, and the focus stays where the person has moved it.
  await page.getByLabel('Reference').fill('Check 10');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveCount(0);
  letThrough();
  await expect(tenant).toHaveValue('Ada Okafor');
  await expect(page.getByLabel('Reference')).toBeFocused();
  await tenant.click();
  await page.keyboard.type('nobody');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No tenant found')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tenant).toHaveValue('Ada Okafor');
});

test('a choice stays until it is deleted, and keys move through the whole list', async ({ page, owner }) => {
  const names = Array.from({ length: 20 }, (_, index) => `Flat ${index + 1}`);
  const property = await owner.post<{ id: string }>('/properties', {
    name: 'Maple Court',
    units: names.map((name) => ({ name })),
  });
  const request = await owner.post<{ id: string }>('/maintenance', {
    property_id: property.id,
    title: 'Tap',
  });
  await page.goto(`/maintenance/${request.id}/edit`);
  // While their lists are open, these have the same label.
  const picker = (name: string) => page.getByRole('combobox', { name, exact: true });
  const unit = picker('Unit');
  const options = page.getByRole('listbox').getByRole('option');
  await unit.focus();
  await page.keyboard.press('ArrowDown');
  await expect(options).toHaveCount(20);
  for (let step = 0; step < 15; step++) await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { name: 'Flat 16' })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await expect(unit).toHaveValue('Flat 16');

  await unit.click();
  await expect(options).toHaveCount(20);
  await expect(options.and(page.getByRole('option', { selected: true }))).toHaveText(/^Flat 16/);
  await picker('Property').click();
  await expect(page.getByRole('option', { name: 'Maple Court' })).toBeVisible();
  await page.getByLabel('Title').click();
  await expect(options).toHaveCount(0);
  await expect(picker('Property')).toHaveValue('Maple Court');
  await expect(unit).toHaveValue('Flat 16');

  await unit.fill('');
  await page.keyboard.press('Enter');
  await expect(options).toHaveCount(0);
  await expect(unit).toHaveValue('');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { name: 'Tap' })).toBeVisible();
  expect(await owner.get(`/maintenance/${request.id}`)).toMatchObject({
    property_id: property.id,
    unit_id: null,
  });
});

test("a lease's unit is in the chosen property, whatever is fetched in the meantime", async ({
  page,
  owner,
}) => {
  const build = (name: string, unit: string) =>
    owner.post<{ id: string }>('/properties', { name, units: [{ name: unit }] });
  const maple = await build('Maple Court', 'Flat 1');
  const oak = await build('Oak House', 'Flat 2');
  await owner.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(`**/internal/v1/properties/${oak.id}/units*`, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/leases/new?property_id=${maple.id}`);
  const property = page.getByRole('combobox', { name: 'Property', exact: true });
  const unit = page.getByRole('combobox', { name: 'Unit', exact: true });
  const options = page.getByRole('listbox').getByRole('option');
  await expect(property).toHaveValue('Maple Court');
  await unit.click();
  await expect(options).toHaveText([/^Flat 1/]);
  await property.fill('oak');
  await page.getByRole('option', { name: 'Oak House' }).click();
  await unit.click();
  await expect(page.getByText('Searching…')).toBeVisible();
  await expect(options).toHaveCount(0);
  letGo();
  await expect(options).toHaveText([/^Flat 2/]);
  await page.keyboard.press('Escape');

  expect(await owner.try('PATCH', `/properties/${maple.id}`, { name: 'Maple Lodge' })).toBe(200);
  const fetched = page.waitForResponse(`**/internal/v1/properties/${maple.id}`);
  await page.clock.setFixedTime(Date.now() + 30_000);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await (await fetched).finished();
  await unit.click();
  await options.click();
  await expect(property).toHaveValue('Oak House');
  await page.getByRole('combobox', { name: 'Tenants', exact: true }).fill('ada');
  await page.getByRole('option', { name: 'Ada Okafor' }).click();
  await page.getByLabel('Monthly rent').fill('900');
  await page.getByRole('button', { name: 'Add lease' }).click();
  await expect(page.getByRole('heading', { name: 'Oak House, Flat 2' })).toBeVisible();
});

const paletteField = (page: Page) => page.getByPlaceholder('Find a property');

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(paletteField(page)).toBeFocused();
}

test('in the palette Enter takes what was typed last, however late its records come', async ({
  page,
  owner,
}) => {
  for (const [first_name, last_name] of [
    ['Ada', 'Okafor'],
    ['Zoe', 'Newest'],
  ])
    await owner.post('/tenants', { first_name, last_name });
  for (const moment of ['before it is asked for', 'before it is answered']) {
    await page.goto('/');
    await settled(page);
    await openPalette(page);
    await page.keyboard.type('ada');
    await expect(page.getByRole('option', { name: /Ada Okafor/ })).toBeVisible();

    const { promise: entered, resolve: letThrough } = Promise.withResolvers<void>();
    const path = '**/internal/v1/search?q=zoe';
    await page.route(path, async (route) => {
      await entered;
      await route.continue();
    });
    const asked = moment === 'before it is answered' ? page.waitForRequest(path) : null;
    await paletteField(page).fill('zoe');
    await asked;
    await page.keyboard.press('Enter');
    letThrough();
    await expect(page.getByRole('heading', { level: 1 }), moment).toHaveText('Zoe Newest');
    await page.unroute(path);
  }
});

test('in the palette Enter takes a page without waiting for records', async ({ page, owner }) => {
  expect(owner.accountId).toBeTruthy();
  await page.goto('/');
  await settled(page);
  // These requests are never answered.
  await page.route('**/internal/v1/search?*', () => undefined);
  await openPalette(page);
  await page.keyboard.type('pay');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/payments');
});

test('the palette leads to the reference, and opens what is made in a dialog, for those who may', async ({
  page,
  owner,
  context,
  browser,
  service,
}) => {
  const dialogs: [typed: string, title: string, path: string][] = [
    ['create api', 'New API key', '/settings/api-keys'],
    ['create api', 'New API key', '/settings/api-keys'],
    ['invite', 'Invite someone', '/settings/team'],
  ];
  await page.goto('/');
  await settled(page);
  for (const [typed, title, path] of dialogs) {
    await openPalette(page);
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: title }).getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page).toHaveURL(path);
  }
  await openPalette(page);
  await page.keyboard.type('api ref');
  const opened = context.waitForEvent('page');
  await page.keyboard.press('Enter');
  await expect(await opened).toHaveTitle('Tenure API reference');
  await expect(page).toHaveURL('/settings/team');

  const email = newEmail();
  const { link } = await owner.post<{ link: string }>('/team/invitations', { email, role: 'manager' });
  const second = await browser.newContext();
  await signUp(second.request, service.url, { email, name: 'Mara Manager', invitation: tokenOf(link) });
  const theirs = await second.newPage();
  await theirs.goto(`${service.url}/settings/team?invite=new`);
  await settled(theirs);
  await expect(theirs.getByRole('dialog')).toHaveCount(0);
  await openPalette(theirs);
  await paletteField(theirs).fill('invite');
  await expect(theirs.getByText('Nothing found')).toBeVisible();
  await paletteField(theirs).fill('create api');
  await expect(theirs.getByRole('option', { name: 'Create API key' })).toBeVisible();
  await second.close();
});
