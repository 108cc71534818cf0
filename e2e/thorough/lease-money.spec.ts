import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import type { Person } from '../people.ts';

/* Recurring charges, and the deposit: taken, applied to what is owed, and given back. */

interface Named {
  id: string;
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const dialog = (page: Page) => page.getByRole('dialog');
const entries = (page: Page) => page.getByRole('table', { name: 'Ledger' }).getByRole('row');
const balance = (page: Page) => page.getByLabel('Balance', { exact: true });

/** Ada moved in twenty days ago and owes her deposit. No rent has come due yet. */
async function movedIn(owner: Person) {
  const { id: property_id } = await owner.post<Named>('/properties', { name: 'Maple Court' });
  const unit = await owner.post<Named>('/units', { property_id, name: '1A' });
  const ada = await owner.post<Named>('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const lease = await owner.post<Named>('/leases', {
    unit_id: unit.id,
    tenant_ids: [ada.id],
    start_date: day(-20),
    ledger_from: day(-20),
    rent_cents: 100_000,
    deposit_cents: 80_000,
  });
  // Any rent that has come due since is left out, so that the test is the same on every day.
  for (const { id } of await owner.get<Named[]>(`/charges?lease_id=${lease.id}&kind=rent`))
    await owner.post(`/charges/${id}/void`, { reason: 'Not part of this' });
  return { lease, ada };
}

test('a recurring charge is added, changed and ended on the page of its lease', async ({ page, owner }) => {
  const { lease } = await movedIn(owner);
  await page.goto(`/leases/${lease.id}`);
  await expect(page.getByText('Nothing beside the rent.')).toBeVisible();
  await page.getByRole('button', { name: 'Add recurring charge' }).click();
  await dialog(page).getByLabel('For').selectOption('parking');
  await dialog(page).getByLabel('Amount').fill('40');
  await dialog(page).getByLabel('How often').selectOption('week');
  await dialog(page).getByLabel('First due on').fill(day(-8));
  await dialog(page).getByLabel('Memo').fill('Space 12');
  await dialog(page).getByRole('button', { name: 'Add recurring charge' }).click();
  await expect(page.getByText('Recurring charge added')).toBeVisible();
  const listed = page.getByRole('list', { name: 'Recurring charges' }).getByRole('listitem');
  await expect(listed).toContainText(/Parking: Space 12.*\$40\.00/);
  await expect(entries(page).filter({ hasText: 'Space 12' })).toHaveCount(2);

  const change = async (item: string, fill: () => Promise<void>) => {
    await page.getByRole('button', { name: 'Change Parking: Space 12' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await fill();
    await dialog(page).getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog(page)).toHaveCount(0);
  };
  await change('Change amount', async () => {
    await dialog(page).getByLabel('Amount').fill('45');
    await dialog(page).getByLabel('From').fill(day(-1));
  });
  await expect(entries(page).filter({ hasText: 'Space 12' }).filter({ hasText: '$45.00' })).toHaveCount(1);
  await expect(listed).toContainText('$45.00');
  await change('End it', () => dialog(page).getByLabel('Last day').fill(day(-2)));
  await expect(entries(page).filter({ hasText: 'Space 12' })).toHaveCount(1);
  await expect(listed).toContainText('ended');
});

test('a deposit is taken as such, pays what is owed, and the rest is given back', async ({
  page,
  owner,
  watch,
}) => {
  const { lease } = await movedIn(owner);
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Record payment' }).click();
  // Nothing else is owed, so the payment names the deposit. It still pays the deposit when rent is missed later.
  await expect(dialog(page).getByLabel('Pays', { exact: true })).toHaveValue(/^chg_/);
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('800');
  await dialog(page).getByLabel('Paid on').fill(day(-19));
  await dialog(page).getByRole('button', { name: 'Record payment' }).click();
  await expect(page.getByText('$800.00 from Ada Okafor recorded')).toBeVisible();
  const [payment] = await owner.get<{ charge_id: string | null }[]>(`/payments?lease_id=${lease.id}`);
  expect(payment?.charge_id).toMatch(/^chg_/);

  await page.getByRole('button', { name: 'Charge', exact: true }).click();
  await dialog(page).getByLabel('For').selectOption('repair');
  await dialog(page).getByLabel('Amount').fill('180');
  await dialog(page).getByLabel('Due on').fill(day(-2));
  await dialog(page).getByRole('button', { name: 'Add charge' }).click();
  await expect(balance(page)).toContainText('Owed$180.00');
  await expect(balance(page)).toContainText('Deposit held$800.00');

  const take = async (item: string, amount: string, submit: string) => {
    await page.getByRole('button', { name: 'Deposit', exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await expect(dialog(page).getByLabel('Amount')).toHaveValue(amount);
    return dialog(page).getByRole('button', { name: submit });
  };
  await (await take('Apply to what is owed', '180', 'Apply deposit')).click();
  // It is announced, and then appears among the entries.
  await expect(entries(page).filter({ hasText: 'Deposit applied' }).first()).toBeVisible();
  await expect(balance(page)).toContainText('Owed$0.00');
  await expect(balance(page)).toContainText('Deposit held$620.00');

  const refund = await take('Refund', '620', 'Record refund');
  watch.expectStatus(409);
  await dialog(page).getByLabel('Amount').fill('620.01');
  await refund.click();
  await expect(dialog(page)).toContainText('Only 620.00 USD is held');
  await dialog(page).getByLabel('Amount').fill('620');
  await refund.click();
  await expect(page.getByText('Refund recorded')).toBeVisible();
  // It changes nothing that is owed, so it is not among the amounts.
  await expect(entries(page).filter({ hasText: 'refund' })).toContainText(/\$620\.00 of the deposit held.*–/);
  await expect(page.getByRole('button', { name: 'Deposit', exact: true })).toHaveCount(0);
});

test('before a charge is voided, it is said what becomes of the money that paid it', async ({
  page,
  owner,
}) => {
  const { lease, ada } = await movedIn(owner);
  const repair = { lease_id: lease.id, kind: 'repair', amount_cents: 18_000, due_on: day(-2) };
  const { id: charge_id } = await owner.post<Named>('/charges', repair);
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Void Repair' }).click();
  await expect(dialog(page)).toContainText('Repair ($180.00) will no longer count');
  await expect(dialog(page)).not.toContainText('is paid');
  await page.keyboard.press('Escape');

  await owner.post('/payments', { tenant_id: ada.id, amount_cents: 5_000, charge_id });
  await page.reload();
  await page.getByRole('button', { name: 'Void Repair' }).click();
  await expect(dialog(page)).toContainText(
    '$50.00 of it is paid: that money pays what else is owed, or becomes credit.',
  );
});

test('charges of all leases are found by what they are for and whether they are open', async ({
  page,
  owner,
}) => {
  const { lease } = await movedIn(owner);
  await owner.post('/charges', { lease_id: lease.id, kind: 'utility', amount_cents: 4_500, due_on: day(0) });
  const rows = page.getByRole('table', { name: 'Charges' }).getByRole('row');
  await page.goto('/charges');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(rows).toHaveCount(1 + 2);
  await page.getByRole('button', { name: 'Overdue', exact: true }).click();
  await expect(rows).toHaveCount(1 + 1);
  await expect(rows.nth(1)).toContainText(/Deposit.*Maple Court, 1A.*Open.*\$800\.00/);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByLabel('For', { exact: true }).selectOption('utility');
  await expect(rows).toHaveCount(1 + 1);
  await rows.nth(1).getByRole('link').click();
  await expect(page).toHaveURL(`/leases/${lease.id}`);
});
