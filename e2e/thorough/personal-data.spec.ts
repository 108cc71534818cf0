import { axe } from '../axe.ts';
import { expect, settled, test } from '../fixtures.ts';

test("a tenant's data is downloaded, and erased once their name is typed", async ({ page, owner }) => {
  const person = { first_name: 'Ada', last_name: 'Okafor', email: 'ada@example.com' };
  const tenant = await owner.post<{ id: string }>('/tenants', person);
  await page.goto(`/tenants/${tenant.id}`);
  await settled(page);
  const more = page.getByRole('button', { name: 'More', exact: true });
  await more.click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export data' }).click();
  expect((await download).suggestedFilename()).toMatch(/^export-[\d-]+\.zip$/);

  await more.click();
  await page.getByRole('menuitem', { name: 'Erase personal data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase Ada Okafor?' });
  const erase = dialog.getByRole('button', { name: 'Erase for good' });
  await dialog.getByLabel('Type Ada Okafor to confirm').fill('Ada');
  await expect(erase).toBeDisabled();
  await dialog.getByLabel('Type Ada Okafor to confirm').fill('Ada Okafor');
  const violations = await axe(page, { part: '[role=dialog]' });
  expect(violations.map(({ id }) => id)).toEqual([]);
  await erase.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Erased tenant' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('erased personal data');
  await expect(page.getByText('ada@example.com')).toHaveCount(0);
});
