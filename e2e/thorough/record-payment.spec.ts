import type { Page } from '@playwright/test';
import { sql } from '../../src/db/sql.ts';
import { parseId } from '../../src/ids.ts';
import { withDatabase } from '../database.ts';
import { expect, test } from '../fixtures.ts';
import type { Person } from '../people.ts';
import type { Service } from '../service.ts';

/* What the dialog that records a payment says about deposits, late fees and pending payments. */

interface Named {
  id: string;
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const dialog = (page: Page) => page.getByRole('dialog');
const preview = (page: Page) => dialog(page).getByLabel('What this pays');

/** Ada moved in twelve days ago and has paid neither the rent nor the deposit. */
async function movedIn(owner: Person, more: object = {}) {
  const { id: property_id } = await owner.post<Named>('/properties', { name: 'Maple Court' });
  const unit = await owner.post<Named>('/units', { property_id, name: '1A' });
  const ada = await owner.post<Named>('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const lease = await owner.post<Named>('/leases', {
    unit_id: unit.id,
    tenant_ids: [ada.id],
    start_date: day(-12),
    ledger_from: day(-12),
    due_day: Math.min(28, Number(day(-12).slice(8))),
    proration: 'none',
    rent_cents: 100_000,
    ...more,
  });
  return { lease, ada };
}

/** $40.00 after three days of grace, then $5.00 a day: nine fees by now. */
async function fineFromTheBeginning(owner: Person, service: Service): Promise<void> {
  const late_fees = { grace_days: 3, first: { fixed_cents: 4_000 }, daily: { fixed_cents: 500 } };
  await owner.patch('/account', { late_fees });
  // It is backdated by a year, since a policy applies to what falls due after it was set.
  await withDatabase(service.dataDir, (db) =>
    db.query(sql`
      update late_fee_policies set set_on = set_on - 365 where account_id = ${parseId('acct', owner.accountId)}`),
  );
}

test('late fees that a payment of an earlier day may void are not said to be paid by it', async ({
  page,
  owner,
  service,
}) => {
  await fineFromTheBeginning(owner, service);
  const { lease } = await movedIn(owner);
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Record payment' }).click();
  // The fees of all days have one row, which says for which rent they are.
  const fees = preview(page).getByRole('row', { name: /^Late fees for \w+ \d{4} \(9\)/ });
  await expect(fees).toContainText(/\$80\.00.*\$80\.00$/);
  await expect(dialog(page)).toContainText('Nothing owed after this payment.');
  await expect(dialog(page).getByLabel('Pays', { exact: true })).toContainText(
    /Late fee for \w+ \d{4} · due/,
  );

  await dialog(page).getByLabel('Amount').fill('900');
  await dialog(page).getByLabel('Paid on').fill(day(-12));
  await expect(fees).toContainText(/\$80\.00–$/);
  await expect(dialog(page)).toContainText(
    /\$100\.00 still owed after this payment, apart from late fees after /,
  );
  await expect(preview(page)).toContainText(
    /Late fees charged after .* \(\$80\.00\) are looked at again: those for rent that this payment pays on time are voided\./,
  );
});

test('late fees that are paid already, and which a payment of an earlier day may void, are mentioned', async ({
  page,
  owner,
  service,
}) => {
  await fineFromTheBeginning(owner, service);
  const { lease, ada } = await movedIn(owner);
  await owner.post('/payments', { tenant_id: ada.id, lease_id: lease.id, amount_cents: 108_000 });
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Record payment' }).click();
  await expect(preview(page)).toContainText('Nothing is owed.');
  await expect(preview(page)).not.toContainText('looked at again');
  await dialog(page).getByLabel('Amount').fill('1000');
  await dialog(page).getByLabel('Paid on').fill(day(-12));
  await expect(preview(page)).toContainText(
    /Late fees charged after .* and paid already \(\$80\.00\) are looked at again, too/,
  );
  await dialog(page).getByRole('button', { name: 'Record payment' }).click();
  await dialog(page).getByRole('button', { name: 'Record anyway' }).click();
  await expect(page.getByText('$1,000.00 from Ada Okafor recorded')).toBeVisible();
  await expect(page.getByLabel('Balance', { exact: true })).toContainText('In credit$1,080.00');
});

test('a payment can be recorded without knowing what is owed, and the dialog says so', async ({
  page,
  owner,
  watch,
}) => {
  await movedIn(owner);
  watch.expectStatus(500);
  const path = '**/internal/v1/balances?*';
  const message = 'Internal server error';
  await page.route(path, (route) => route.fulfill({ status: 500, json: { error: { code: 500, message } } }));
  await page.goto('/payments');
  await page.getByRole('button', { name: 'Record payment' }).click();
  await dialog(page).getByRole('combobox', { name: 'Tenant' }).fill('ada');
  await page.getByRole('option', { name: /Ada Okafor/ }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('What is owed could not be loaded.');
  await page.unroute(path);
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await expect(dialog(page)).toContainText('Nothing owed after this payment.');
  await expect(dialog(page).getByRole('alert')).toHaveCount(0);
});

test('a charge that was voided in another tab is not paid, and what is owed is shown anew', async ({
  page,
  owner,
  watch,
}) => {
  const { lease } = await movedIn(owner);
  const fee = { lease_id: lease.id, kind: 'repair', amount_cents: 8_000, due_on: day(-1) };
  const { id } = await owner.post<Named>('/charges', fee);
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Record payment' }).click();
  const pays = dialog(page).getByLabel('Pays', { exact: true });
  await pays.selectOption(id);
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('80');
  await owner.post(`/charges/${id}/void`, { reason: 'In another tab' });
  watch.expectStatus(400);
  await dialog(page).getByRole('button', { name: 'Record payment' }).click();
  await expect(dialog(page)).toContainText('This charge has been voided.');
  await expect(pays).toHaveValue('');
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('1000');
  await expect(preview(page)).not.toContainText('Repair');
  await dialog(page).getByRole('button', { name: 'Record payment' }).click();
  await expect(page.getByText('$1,000.00 from Ada Okafor recorded')).toBeVisible();
});

interface Recorded {
  amount_cents: number;
  charge_id: string | null;
}

/** What each payment of a lease is for. */
async function recorded(owner: Person, lease: Named): Promise<string[]> {
  const payments = await owner.get<Recorded[]>(`/payments?lease_id=${lease.id}`);
  return payments
    .map(({ amount_cents, charge_id }) => `${amount_cents} ${charge_id ? 'named' : 'any'}`)
    .sort();
}

test('what a payment pays of the deposit is recorded as a payment of its own, unless somebody wants it otherwise', async ({
  page,
  owner,
  watch,
}) => {
  const { lease } = await movedIn(owner, { deposit_cents: 150_000 });
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Record payment' }).click();
  const apart = dialog(page).getByLabel('Record $1,500.00 as a payment of its own for the deposit');
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('2500');
  await expect(apart).toBeChecked();
  await expect(dialog(page)).toContainText('Then rent that falls due later does not use it.');
  await expect(preview(page).getByRole('row', { name: /^Deposit/ })).toContainText(
    /\$1,500\.00.*\$1,500\.00$/,
  );
  await apart.uncheck();
  await expect(dialog(page)).toContainText('This money will pay rent that falls due later first.');
  await apart.check();
  await dialog(page).getByLabel('Amount').fill('1000');
  await expect(apart).toHaveCount(0);
  await dialog(page).getByLabel('Amount').fill('2500');

  // Both are recorded or none, and what is wrong is said at its field.
  watch.expectStatus(422);
  await dialog(page).getByLabel('Reference').fill('7'.repeat(300));
  await dialog(page).getByRole('button', { name: 'Record payment' }).click();
  await expect(dialog(page).getByLabel('Reference')).toHaveAccessibleDescription(/./);
  expect(await recorded(owner, lease)).toEqual([]);
  await dialog(page).getByLabel('Reference').fill('');
  await dialog(page).getByRole('button', { name: 'Record payment' }).click();
  await expect(page.getByText('$2,500.00 from Ada Okafor recorded')).toBeVisible();
  expect(await recorded(owner, lease)).toEqual(['100000 any', '150000 named']);

  // The deposit is still held when a later rent is not paid.
  await owner.post('/charges', { lease_id: lease.id, kind: 'utility', amount_cents: 6_000, due_on: day(0) });
  await page.reload();
  await expect(page.getByLabel('Balance', { exact: true })).toContainText('Deposit held$1,500.00');
});

test('an amount of which a part is pending is probably the same', async ({ page, owner }) => {
  const { lease, ada } = await movedIn(owner, { deposit_cents: 150_000 });
  await owner.post('/payments', { tenant_id: ada.id, amount_cents: 100_000, status: 'pending' });
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Record payment' }).click();
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('2500');
  await expect(dialog(page).getByRole('alert')).toContainText(/Is this the same payment\?.*\$1,000\.00/);

  // It is pending, and says so wherever the debt is shown.
  await expect(preview(page)).toContainText('$1,000.00 pending: it pays nothing until it is marked as paid.');
  await expect(dialog(page).getByRole('alert')).toContainText(
    'If that one has arrived, mark it as paid instead.',
  );
  await dialog(page)
    .getByRole('link', { name: /^a pending payment of / })
    .click();
  await expect(page).toHaveURL(/\/payments\/pay_/);
  await expect(dialog(page)).toHaveCount(0);
  await page.goto('/overdue');
  await expect(page.getByRole('table', { name: 'Overdue' }).getByRole('row').nth(1)).toContainText(
    '$1,000.00 pending',
  );
  await page.getByLabel('Choose row 1', { exact: true }).check();
  await page.getByRole('button', { name: 'Record payments' }).click();
  await dialog(page).getByRole('button', { name: 'Record 2 payments' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText(
    /\$1,000\.00, a pending payment of .*If a pending payment has arrived, mark that one as paid instead\./,
  );
});

test('deposits are payments of their own when all that is owed is recorded for many leases', async ({
  page,
  owner,
}) => {
  const { lease } = await movedIn(owner, { deposit_cents: 150_000 });
  await page.goto('/overdue');
  await page.getByLabel('Choose row 1', { exact: true }).check();
  await page.getByRole('button', { name: 'Record payments' }).click();
  await expect(dialog(page)).toContainText('$2,500.00 in all');
  await expect(dialog(page)).toContainText('Deposits are payments of their own');
  await expect(dialog(page).getByRole('listitem').filter({ hasText: ': deposit' })).toContainText(
    '$1,500.00',
  );
  await dialog(page).getByRole('button', { name: 'Record 2 payments' }).click();
  await expect(page.getByText('1 row paid')).toBeVisible();
  expect(await recorded(owner, lease)).toEqual(['100000 any', '150000 named']);
});

test('what remains and the buttons stay in view, however much is owed', async ({ page, owner }) => {
  const { lease } = await movedIn(owner, { deposit_cents: 150_000 });
  for (const kind of ['utility', 'parking', 'pet', 'repair'])
    await owner.post('/charges', { lease_id: lease.id, kind, amount_cents: 4_500, due_on: day(-2) });
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Record payment' }).click();
  const outcome = dialog(page).getByText('Nothing owed after this payment.');
  for (const [width, height] of [
    [1280, 800],
    [1366, 657],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(outcome).toBeInViewport({ ratio: 1 });
    for (const name of ['Cancel', 'Record payment'])
      await expect(dialog(page).getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  }
});
