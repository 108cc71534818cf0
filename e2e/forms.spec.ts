import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Person } from './people.ts';

interface Named {
  id: string;
  name: string;
}

/** Ada pays 1250 dollars a month, Bob 900 euros. */
async function twoTenants(owner: Person) {
  const property = await owner.post<Named>('/properties', {
    name: 'Maple Court',
    units: [{ name: '1A' }, { name: '1B' }],
  });
  const units = await owner.get<Named[]>(`/units?property_id=${property.id}`);
  const move = async (first_name: string, unit: string, terms: object) => {
    const tenant = await owner.post<Named>('/tenants', { first_name, last_name: 'Okafor' });
    const unit_id = units.find(({ name }) => name === unit)?.id;
    await owner.post('/leases', { unit_id, tenant_ids: [tenant.id], start_date: '2026-01-01', ...terms });
    return tenant;
  };
  const ada = await move('Ada', '1A', { rent_cents: 125_000 });
  const bob = await move('Bob', '1B', { rent_cents: 90_000, currency: 'EUR' });
  return { ada, bob };
}

/** Answers about single tenants wait until they are let go. */
async function holdTenants(page: Page): Promise<() => void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/internal\/v1\/tenants\/ten_/, async (route) => {
    await held;
    await route.continue();
  });
  return () => letGo();
}

test('a payment is what was typed, of whom was chosen, in the currency of their lease', async ({
  page,
  owner,
}) => {
  const { ada } = await twoTenants(owner);
  const dialog = page.getByRole('dialog');
  const amount = dialog.getByLabel('Amount');
  const submit = dialog.getByRole('button', { name: 'Record payment' });
  const open = async (path: string) => {
    await page.goto(path);
    await page.getByRole('button', { name: 'Record payment' }).click();
  };
  const choose = async (name: string) => {
    await dialog.getByLabel('Tenant').fill(name);
    const found = page.getByRole('listbox', { name: 'Tenant' }).getByRole('option');
    await expect(found).toHaveText([new RegExp(name)]);
    await page.keyboard.press('Enter');
  };

  await test.step('an amount that stands there before the tenant is chosen stays', async () => {
    await open('/payments');
    await amount.fill('500');
    await choose('Ada');
    await submit.click();
    await expect(page.getByText('$500.00 from Ada Okafor recorded')).toBeVisible();
  });

  await test.step('nothing is sent before the lease is known', async () => {
    await open('/payments');
    const letGo = await holdTenants(page);
    await choose('Bob');
    await amount.fill('500');
    await page.keyboard.press('Enter');
    await expect(submit).toBeDisabled();
    letGo();
    await submit.click();
    await expect(page.getByText('€500.00 from Bob Okafor recorded')).toBeVisible();
  });

  await test.step("another tenant's payment is filled with their own rent", async () => {
    await open(`/tenants/${ada.id}`);
    await expect(amount).toHaveValue('1250');
    await expect(amount).toBeFocused();
    const letGo = await holdTenants(page);
    await choose('Bob');
    await page.keyboard.press('Enter');
    await expect(amount).toHaveValue('');
    letGo();
    await expect(amount).toHaveValue('900');
    await expect(amount).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('€900.00 from Bob Okafor recorded')).toBeVisible();
  });

  expect(await owner.get<unknown[]>('/payments')).toMatchObject([
    { amount: '900.00', currency: 'EUR' },
    { amount: '500.00', currency: 'EUR' },
    { amount: '500.00', currency: 'USD' },
  ]);
});
