import { expect, settled, test } from '../fixtures.ts';
import { password } from '../people.ts';

interface Made {
  id: string;
}

test('a record added by mistake can be deleted; a record in use says what refers to it', async ({
  page,
  owner,
  watch,
}) => {
  watch.expectStatus(409);
  const property = await owner.post<Made>('/properties', { name: 'Old Mill', units: [{ name: '1' }] });
  await page.goto(`/properties/${property.id}`);
  await settled(page);
  const remove = async (noun: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: `Delete ${noun}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  };
  await remove('property');
  await expect(page.getByText('1 unit refers to this property')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: '1', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete unit' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Unit deleted')).toBeVisible();
  await remove('property');
  await expect(page.getByText('Property deleted')).toBeVisible();
  await expect(page).toHaveURL(/\/properties$/);
  await expect(page.getByText('Old Mill')).toHaveCount(0);
});

test('an owner closes the account, keeps their sign-in, and opens another', async ({
  page,
  owner,
  watch,
}) => {
  watch.expectStatus(400, 403);
  const { account } = await owner.get<{ account: { name: string } }>('/session');
  await page.goto('/settings/account');
  await settled(page);
  await page.getByRole('button', { name: 'Close account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the account').fill('Something else');
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Close account' }).click();
  await expect(dialog.getByText('Is not the name of this account')).toBeVisible();
  await dialog.getByLabel('Name of the account').fill(account.name);
  await dialog.getByRole('button', { name: 'Close account' }).click();
  await expect(page.getByRole('heading', { name: 'You are not in any account' })).toBeVisible();
  await page.getByRole('button', { name: 'Open an account' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Anew');
  await page.getByRole('dialog').getByRole('button', { name: 'Open account' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect((await owner.get<{ account: { name: string } }>('/session')).account.name).toBe('Anew');
});
