import { expect, test } from './fixtures.ts';

test('what was typed for one record survives a slip of the mouse, and is never saved to another', async ({
  page,
  owner,
}) => {
  const ada = await owner.post<{ id: string }>('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  await owner.post('/tenants', { first_name: 'Bob', last_name: 'Brown' });
  await page.goto(`/tenants/${ada.id}`);
  await expect(page.getByRole('heading', { name: 'Ada Okafor' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Find a property').fill('bob');
  await page.getByRole('option', { name: /Bob/ }).click();
  await expect(page.getByRole('heading', { name: 'Bob Brown' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Phone').fill('555 0100');
  await page.mouse.click(20, 800);
  await expect(page.getByLabel('Phone')).toHaveValue('555 0100');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Ada Okafor' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('an endpoint whose answer was lost is added once, and its secret is shown after all', async ({
  page,
  owner,
  receiver,
  watch,
}) => {
  watch.expectFailures();
  await page.goto('/settings/webhooks/new');
  await page.getByLabel('URL').fill(receiver.url());
  await page.getByLabel('tenant.created').check();
  const path = '**/internal/v1/webhooks';
  await page.route(
    path,
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(page.getByRole('alert')).toContainText('The server could not be reached');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await page.mouse.click(20, 800);
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  expect(await owner.get<unknown[]>('/webhooks')).toHaveLength(1);
});
