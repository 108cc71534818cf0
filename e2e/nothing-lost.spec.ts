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
