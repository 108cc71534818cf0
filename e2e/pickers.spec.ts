import { expect, test } from './fixtures.ts';

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
  // What is not chosen yet cannot be sent, and where the person has gone on to is left to them.
  await page.getByLabel('Reference').fill('Check 10');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveCount(0);
  letThrough();
  await expect(tenant).toHaveValue('Ada Okafor');
  await expect(page.getByLabel('Reference')).toBeFocused();
  await tenant.click();
  await page.keyboard.type('nobody');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No tenant with such a name')).toBeVisible();
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
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const unit = field('Unit');
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
  await field('Property').click();
  await expect(page.getByRole('option', { name: 'Maple Court' })).toBeVisible();
  await field('Title').click();
  await expect(options).toHaveCount(0);
  await expect(field('Property')).toHaveValue('Maple Court');
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
