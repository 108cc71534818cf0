import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, settled, test, thoroughTest } from './fixtures.ts';
import type { Person } from './people.ts';

interface Named {
  id: string;
  name: string;
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** Ada and Ben share a flat and have not paid. Cara has moved out and still owes her last rent. */
async function lateTenants(owner: Person) {
  const property = await owner.post<Named>('/properties', {
    name: 'Maple Court',
    units: [{ name: '1A' }, { name: '1B' }],
  });
  const units = await owner.get<Named[]>(`/units?property_id=${property.id}`);
  const unit = (wanted: string) => units.find(({ name }) => name === wanted)?.id;
  const tenant = (first_name: string, last_name: string) =>
    owner.post<Named>('/tenants', { first_name, last_name });
  const ada = await tenant('Ada', 'Okafor');
  const ben = await tenant('Ben', 'Ito');
  const cara = await tenant('Cara', 'Novak');
  // The whole rent is charged, so that the amounts are the same on whatever day this runs.
  const terms = { rent_cents: 100_000, proration: 'none' };
  const lease = await owner.post<Named>('/leases', {
    ...terms,
    unit_id: unit('1A'),
    tenant_ids: [ada.id, ben.id],
    start_date: day(-10),
    ledger_from: day(-10),
    due_day: 1,
  });
  const former = await owner.post<Named>('/leases', {
    ...terms,
    unit_id: unit('1B'),
    tenant_ids: [cara.id],
    start_date: day(-100),
    ended_on: day(-98),
    ledger_from: day(-100),
  });
  return { ada, ben, cara, lease, former };
}

const balance = (page: Page) => page.getByLabel('Balance', { exact: true });
const entries = (page: Page) => page.getByRole('table', { name: 'Ledger' }).getByRole('row');
const dialog = (page: Page) => page.getByRole('dialog');

test('tenants who owe are listed by oldest debt, former ones too, and payments are recorded on the row', async ({
  page,
  owner,
}) => {
  await lateTenants(owner);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overdue' }).click();
  const rows = page.getByRole('table', { name: 'Overdue' }).getByRole('row');
  await expect(rows).toHaveCount(1 + 2);
  await expect(rows.nth(1)).toContainText(/Cara Novak.*Former.*Maple Court, 1B.*100 days/);
  await expect(rows.nth(2)).toContainText(/Ada Okafor, Ben Ito.*Maple Court, 1A.*10 days/);
  // The word is not broken, even beside a name that fills its column.
  const former = rows.nth(1).getByText('Former', { exact: true });
  expect(await former.evaluate((word) => word.getClientRects().length)).toBe(1);

  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const csv = await readFile(await (await coming).path(), 'utf8');
  expect(csv.indexOf('Cara Novak')).toBeLessThan(csv.indexOf('Ada Okafor'));

  await rows.nth(1).getByRole('button', { name: 'Record payment of Cara Novak' }).click();
  await expect(dialog(page).getByLabel('Amount')).not.toHaveValue('');
  await expect(dialog(page)).toContainText('Nothing owed after this payment.');
  await dialog(page).getByRole('button', { name: 'Record payment' }).click();
  await expect(page.getByText(/from Cara Novak recorded/)).toBeVisible();
  await expect(rows).toHaveCount(1 + 1);
});

test('a payment says what it will pay and what remains, and a probable duplicate needs confirmation', async ({
  page,
  owner,
}) => {
  const { ben, lease } = await lateTenants(owner);
  await owner.post('/charges', {
    lease_id: lease.id,
    kind: 'utility',
    amount_cents: 4_500,
    due_on: day(-1),
    memo: 'Water',
  });
  const owed = (await owner.get<{ open_cents: number }>(`/leases/${lease.id}/ledger`)).open_cents;
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Record payment' }).click();
  const preview = dialog(page).getByLabel('What this pays');
  const row = (name: string) => preview.getByRole('row', { name: new RegExp(name) });
  await expect(dialog(page).getByLabel('Amount')).toHaveValue(String(owed / 100));
  await dialog(page).getByLabel('Amount').fill('300');
  // The oldest are paid first, or those that were chosen.
  await expect(preview.getByRole('row').nth(1)).toContainText(/Rent.*\$300\.00$/);
  await expect(row('Water')).toContainText('–');
  await dialog(page)
    .getByLabel('Pays', { exact: true })
    .selectOption((await dialog(page).getByRole('option', { name: /Water/ }).getAttribute('value')) ?? '');
  await expect(row('Water')).toContainText(/\$45\.00.*\$45\.00/);
  await expect(dialog(page)).toContainText(
    `$${((owed - 30_000) / 100).toLocaleString('en-US')}.00 still owed`,
  );
  await dialog(page).getByRole('button', { name: 'Record payment' }).click();
  await expect(page.getByText('$300.00 from Ada Okafor recorded')).toBeVisible();
  await expect(entries(page).filter({ hasText: 'Payment by Ada Okafor' })).toContainText(
    /Pays .*Water \$45\.00/,
  );

  // Her flatmate enters the same payment again.
  await page.goto(`/tenants/${ben.id}`);
  await expect(entries(page).filter({ hasText: 'Payment by Ada Okafor' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Record payment' }).click();
  await dialog(page).getByLabel('Amount').fill('300');
  await expect(dialog(page).getByRole('alert')).toContainText(/Is this the same payment\?.*Ada Okafor/);
  await dialog(page).getByRole('button', { name: 'Record payment' }).click();
  await dialog(page).getByRole('button', { name: 'Record anyway' }).click();
  await expect(page.getByText('$300.00 from Ben Ito recorded')).toBeVisible();
  expect(await owner.get<unknown[]>(`/payments?lease_id=${lease.id}`)).toHaveLength(2);
});

thoroughTest(
  'tenants in credit have a list of their own, apart from those who owe',
  async ({ page, owner }) => {
    const { cara, former, lease } = await lateTenants(owner);
    const owed = async (id: string) =>
      (await owner.get<{ open_cents: number }>(`/leases/${id}/ledger`)).open_cents;
    const pay = async (tenant: Named, id: string, more: number) =>
      owner.post('/payments', { tenant_id: tenant.id, lease_id: id, amount_cents: (await owed(id)) + more });
    await page.goto('/overdue?show=credit');
    await expect(page.getByText('Nobody is in credit')).toBeVisible();
    await pay(cara, former.id, 4_200);
    await page.reload();
    const rows = page.getByRole('table', { name: 'In credit' }).getByRole('row');
    await expect(rows).toHaveCount(1 + 1);
    await expect(rows.nth(1)).toContainText(/Cara Novak.*Former.*Maple Court, 1B.*\$42\.00/);
    await expect(page.getByLabel('Totals')).toHaveText('In credit$42.00');
    await expect(page.getByRole('button', { name: /Record payment/ })).toHaveCount(0);

    await page.getByLabel('Tenants', { exact: true }).selectOption({ label: 'Current' });
    await expect(page.getByText('Nothing matches these filters')).toBeVisible();
    await expect(page.getByLabel('Totals')).toHaveCount(0);
    await page.getByLabel('Tenants', { exact: true }).selectOption({ label: 'Former' });
    await expect(page.getByLabel('Totals')).toHaveText('In credit$42.00');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(rows).toHaveCount(1 + 1);
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const csv = await readFile(await (await coming).path(), 'utf8');
    expect(csv).toContain('Cara Novak');
    expect(csv).not.toContain('Ada Okafor');

    await page.getByRole('button', { name: 'Overdue', exact: true }).click();
    const late = page.getByRole('table', { name: 'Overdue' }).getByRole('row');
    await expect(late).toHaveCount(1 + 1);
    await expect(late.nth(1)).toContainText('Ada Okafor');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Find a property').fill('in credit');
    await page.getByRole('option', { name: 'In credit' }).click();
    await expect(rows).toHaveCount(1 + 1);
    expect(await owed(lease.id)).toBeGreaterThan(0);
  },
);

thoroughTest('a duplicate is not confirmed by Enter in the field of the amount', async ({ page, owner }) => {
  const { ada, lease } = await lateTenants(owner);
  await owner.post('/payments', { tenant_id: ada.id, amount_cents: 30_000 });
  // What warns is below the part of the dialog that can be seen.
  await page.setViewportSize({ width: 1280, height: 420 });
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Record payment' }).click();
  const amount = dialog(page).getByLabel('Amount');
  const note = dialog(page).getByRole('alert');
  await amount.fill('300');
  await expect(note).toContainText('Is this the same payment?');
  await amount.press('Enter');
  await expect(note).toBeFocused();
  await expect(note).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await amount.press('Enter');
  await expect(note).toBeFocused();
  expect(await owner.get<unknown[]>(`/payments?lease_id=${lease.id}`)).toHaveLength(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(dialog(page).getByRole('button', { name: 'Record anyway' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('$300.00 from Ada Okafor recorded')).toBeVisible();
  expect(await owner.get<unknown[]>(`/payments?lease_id=${lease.id}`)).toHaveLength(2);
});

thoroughTest('what does not count yet, or never, is said before it is added', async ({ page, owner }) => {
  const { lease } = await lateTenants(owner);
  const { open_cents } = await owner.get<{ open_cents: number }>(`/leases/${lease.id}/ledger`);
  const owed = `$${(open_cents / 100).toLocaleString('en-US')}.00`;
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Record payment' }).click();
  const preview = dialog(page).getByLabel('What this pays');
  const status = dialog(page).getByRole('status');
  await expect(status).toContainText('Nothing owed after this payment.');
  await dialog(page).getByLabel('Paid on').fill(day(40));
  await expect(status).toContainText(/^Counts from \w+ \d+, \d+; until then /);
  await expect(status).toContainText(`until then ${owed} stays owed.`);
  await dialog(page).getByLabel('Paid on').fill(day(-11));
  await expect(status).toContainText(/before the ledger of this lease begins \(.*\): it pays nothing/);
  await expect(status).toContainText('For money paid in advance');
  await expect(preview).not.toContainText(/Rent.*\$.*\$/);
  await page.keyboard.press('Escape');

  for (const [button, field] of [
    ['Charge', 'Due on'],
    ['Credit', 'Counts from'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect(dialog(page).getByRole('alert')).toHaveCount(0);
    await dialog(page).getByLabel(field).fill(day(-11));
    await expect(dialog(page).getByRole('alert')).toContainText(/before the ledger of this lease begins/);
    await page.keyboard.press('Escape');
  }
});

thoroughTest(
  'of a lease whose ledger begins later, what is added counts from its first day',
  async ({ page, owner }) => {
    const property = await owner.post<Named>('/properties', { name: 'Maple Court', units: [{ name: '1A' }] });
    const [unit] = await owner.get<Named[]>(`/units?property_id=${property.id}`);
    const uma = await owner.post<Named>('/tenants', { first_name: 'Uma', last_name: 'Early' });
    const lease = await owner.post<Named>('/leases', {
      unit_id: unit?.id,
      tenant_ids: [uma.id],
      start_date: day(20),
      rent_cents: 100_000,
    });
    await page.goto(`/leases/${lease.id}`);
    await page.getByRole('button', { name: 'Statement' }).click();
    await expect(dialog(page).getByRole('link', { name: 'Download PDF' })).toBeVisible();
    await page.keyboard.press('Escape');
    for (const [button, field] of [
      ['Charge', 'Due on'],
      ['Credit', 'Counts from'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await expect(dialog(page).getByLabel(field)).toHaveValue(day(20));
      await expect(dialog(page).getByRole('alert')).toHaveCount(0);
      await page.keyboard.press('Escape');
    }

    // Money that comes in before then counts only if the ledger begins by then.
    await page.getByRole('button', { name: 'Record payment' }).click();
    await expect(dialog(page).getByRole('status')).toContainText('it pays nothing');
    await dialog(page).getByRole('link', { name: 'edit the lease' }).click();
    await page.getByText('Partial months, opening balance, late fees').click();
    await page.getByLabel('Ledger begins on').fill(day(0));
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Record payment' }).click();
    await expect(dialog(page).getByRole('status')).toContainText('$1,000.00 stays in credit');
  },
);

thoroughTest(
  'a tenant with several leases sees what is owed on the others, even if one cannot be loaded',
  async ({ page, owner, watch }) => {
    const { cara, former } = await lateTenants(owner);
    const { open_cents } = await owner.get<{ open_cents: number }>(`/leases/${former.id}/ledger`);
    const owed = `$${(open_cents / 100).toLocaleString('en-US')}.00 owed`;
    const property = await owner.post<Named>('/properties', {
      name: 'Oak House',
      units: [{ name: 'House' }],
    });
    const [unit] = await owner.get<Named[]>(`/units?property_id=${property.id}`);
    const now = await owner.post<Named>('/leases', {
      unit_id: unit?.id,
      tenant_ids: [cara.id],
      start_date: day(-1),
      ledger_from: day(0),
      opening_balance_cents: -2_500,
      due_day: 28,
      rent_cents: 100_000,
    });
    watch.expectStatus(500);
    const path = new RegExp(`/internal/v1/leases/${now.id}(\\?|$)`);
    const message = 'Internal server error';
    await page.route(path, (route) =>
      route.fulfill({ status: 500, json: { error: { code: 500, message } } }),
    );
    await page.goto(`/tenants/${cara.id}`);
    await expect(page.getByText(`On other leases: ${owed}`)).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('This could not be loaded');
    await page.unroute(path);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(balance(page)).toContainText('In credit');
    const lease = page.getByLabel('Lease', { exact: true });
    await expect(lease.getByRole('option')).toContainText([
      new RegExp(`^\\${owed} · Maple Court, 1B · from `),
      /^\$25\.00 in credit · Oak House, House · from /,
    ]);
    // Whoever chooses with the keyboard stays where they are.
    await lease.focus();
    await lease.selectOption(former.id);
    await expect(balance(page)).toContainText('100 days late');
    await expect(lease).toBeFocused();
    await expect(page.getByText('On other leases: $25.00 in credit')).toBeVisible();
  },
);

thoroughTest(
  'a payment for a charge that is not due yet says that the oldest are paid until then',
  async ({ page, owner }) => {
    const { lease } = await lateTenants(owner);
    const later = { lease_id: lease.id, kind: 'repair', amount_cents: 8_000, due_on: day(40) };
    const charge = await owner.post<Named>('/charges', later);
    await page.goto(`/leases/${lease.id}`);
    await page.getByRole('button', { name: 'Record payment' }).click();
    const preview = dialog(page).getByLabel('What this pays');
    await expect(preview.getByRole('row', { name: /Rent/ }).first()).toBeVisible();
    await expect(preview).not.toContainText('Repair');
    await dialog(page).getByLabel('Pays', { exact: true }).selectOption(charge.id);
    await expect(dialog(page).getByLabel('Amount')).toHaveValue('80');
    await expect(preview.getByRole('row', { name: /Repair/ })).toContainText(/Not due until .*\$80\.00–$/);
    await expect(preview.getByRole('row', { name: /Rent/ }).first()).toContainText(/\$80\.00$/);
    await expect(preview).toContainText(/Repair is paid first once it is due, on .*pays what is oldest\./);
  },
);

thoroughTest('a lease is charged, credited and corrected on its page', async ({ page, owner, watch }) => {
  const { lease } = await lateTenants(owner);
  const { open_cents } = await owner.get<{ open_cents: number }>(`/leases/${lease.id}/ledger`);
  const owed = (more: number) => `Owed$${((open_cents + more) / 100).toLocaleString('en-US')}.00`;
  await page.goto(`/leases/${lease.id}`);
  await expect(balance(page)).toContainText(owed(0));
  await expect(balance(page)).toContainText('10 days late');

  await page.getByRole('button', { name: 'Charge', exact: true }).click();
  await dialog(page).getByLabel('Amount').fill('60');
  await dialog(page).getByLabel('Memo').fill('Water');
  await dialog(page).getByRole('button', { name: 'Add charge' }).click();
  await expect(balance(page)).toContainText(owed(6_000));
  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  await dialog(page).getByLabel('Amount').fill('25');
  await dialog(page).getByRole('button', { name: 'Add credit' }).click();
  await expect(balance(page)).toContainText(owed(3_500));
  await expect(entries(page).filter({ hasText: /Concession ?Pays Rent/ })).toHaveCount(1);

  await page.getByRole('button', { name: 'Statement' }).click();
  for (const [name, type] of [
    ['Open to print', 'text/html'],
    ['Download PDF', 'application/pdf'],
  ] as const) {
    const address = await dialog(page).getByRole('link', { name }).getAttribute('href');
    const response = await page.request.get(address ?? '');
    expect(response.headers()['content-type']).toContain(type);
    expect((await response.body()).length).toBeGreaterThan(1_000);
  }
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Void Utilities: Water' }).click();
  watch.expectStatus(400);
  await dialog(page).getByRole('button', { name: 'Void charge' }).click();
  await expect(dialog(page).getByLabel('Reason')).toHaveAccessibleDescription(/./);
  await dialog(page).getByLabel('Reason').fill('Charged twice');
  await dialog(page).getByRole('button', { name: 'Void charge' }).click();
  await expect(balance(page)).toContainText(owed(-2_500));
  await expect(entries(page).filter({ hasText: 'Water' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show voided' }).click();
  await expect(entries(page).filter({ hasText: 'Water' })).toContainText(/Voided on .*: Charged twice/);
});

thoroughTest('a payment that comes back is owed again, with a fee', async ({ page, owner }) => {
  const { ada, lease } = await lateTenants(owner);
  const payment = await owner.post<Named>('/payments', { tenant_id: ada.id, amount_cents: 40_000 });
  await page.goto(`/payments/${payment.id}`);
  await page.getByRole('button', { name: 'Change status' }).click();
  await page.getByRole('menuitem', { name: 'Mark as returned' }).click();
  await dialog(page).getByLabel('Fee for the tenant').fill('15');
  await dialog(page).getByRole('button', { name: 'Mark as returned' }).click();
  await expect(page.getByText('Payment marked as returned')).toBeVisible();
  await page.goto(`/leases/${lease.id}`);
  await expect(entries(page).filter({ hasText: 'returned' })).toHaveCount(2);
  await expect(entries(page).filter({ hasText: 'Fee for a returned payment' })).toContainText('$15.00');
});

thoroughTest(
  'a renewal and an end show what they charge and void before they are made',
  async ({ page, owner }) => {
    const { lease } = await lateTenants(owner);
    await page.goto(`/leases/${lease.id}`);
    const changes = dialog(page).getByLabel('What this changes');
    await page.getByRole('button', { name: 'Renew' }).click();
    await dialog(page).getByLabel('Monthly rent').fill('1100');
    await expect(changes.getByRole('list', { name: 'Will be charged' })).toContainText('$1,100.00');
    await expect(changes).toContainText(/Balance today.*owed/);
    await dialog(page).getByRole('button', { name: 'Renew lease' }).click();
    await expect(page.getByText('Lease renewed')).toBeVisible();
    await expect(page.getByText(/\$1,100\.00 from/)).toBeVisible();

    // The lease ends before the due day of a rent that is already charged.
    await page.getByRole('button', { name: 'End lease' }).click();
    await dialog(page).getByLabel('Ended on').fill(day(-10));
    await expect(changes.getByRole('list', { name: 'Will be voided' })).toContainText('Rent');
    await expect(changes).toContainText('Final balanceNothing owed');
    await expect(changes).toContainText('Deposit held$0.00');
    await dialog(page).getByRole('button', { name: 'End lease' }).click();
    await expect(page.getByText('Lease ended')).toBeVisible();
    await expect(balance(page)).toContainText('Owed$0.00');
    await page.getByRole('button', { name: 'Show voided' }).click();
    await expect(entries(page).filter({ hasText: 'Voided' }).first()).toContainText(
      /Voided on .*: the lease changed/,
    );
  },
);

thoroughTest('the figures of a renewal or an end add up', async ({ page, owner }) => {
  const { ada, lease } = await lateTenants(owner);
  await owner.post('/payments', { tenant_id: ada.id, amount_cents: 30_000, paid_on: day(20) });
  await page.goto(`/leases/${lease.id}`);
  const changes = dialog(page).getByLabel('What this changes');
  const dollars = async (name: string) => {
    const value = changes.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd');
    return Number((await value.textContent())?.match(/\$([\d,.]+)/)?.[1]?.replaceAll(',', ''));
  };
  const sum = async () =>
    (await dollars('Balance today')) +
    (await dollars('Charged until then in any case')) -
    (await dollars('Payments and credits that count by then'));
  await page.getByRole('button', { name: 'Renew' }).click();
  await expect(changes).toContainText('The renewal itself changes no charges.');
  await expect(changes).toContainText('−$300.00');
  await expect(changes).toContainText('if nothing more is paid, without late fees still to come');
  expect(await dollars('In a year')).toBe(await sum());
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();

  // The whole rent is charged for a month in part, so nothing changes until then.
  await page.getByRole('button', { name: 'End lease' }).click();
  await dialog(page).getByLabel('Ended on').fill(day(70));
  await expect(changes).toContainText('Charged until then in any case');
  await expect(changes).toContainText('No charges are added or voided.');
  expect(await dollars('Final balance')).toBe(await sum());
});

thoroughTest('a day that is refused is told before the form is sent', async ({ page, owner, watch }) => {
  const { lease } = await lateTenants(owner);
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'End lease' }).click();
  await expect(dialog(page).getByLabel('What this changes')).toContainText('Final balance');
  watch.expectStatus(400);
  await dialog(page).getByLabel('Ended on').fill(day(-40));
  await expect(dialog(page).getByRole('status')).toHaveText('Must not be before start date.');
  await expect(dialog(page).getByLabel('What this changes')).toHaveCount(0);
});

thoroughTest('a lease is not ended on the figures of another day', async ({ page, owner }) => {
  const { lease } = await lateTenants(owner);
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'End lease' }).click();
  const changes = dialog(page).getByLabel('What this changes');
  const submit = dialog(page).getByRole('button', { name: 'End lease' });
  await expect(changes).toContainText('Final balance');
  await expect(submit).toBeEnabled();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/leases\/lease_\w+\/end\?/, async (route) => {
    await held;
    await route.continue();
  });
  await dialog(page).getByLabel('Ended on').fill(day(-10));
  await expect(changes).toHaveAttribute('aria-busy', 'true');
  await expect(submit).toBeDisabled();
  answer();
  await expect(changes).toHaveAttribute('aria-busy', 'false');
  await expect(changes).toContainText('Final balanceNothing owed');
  await expect(submit).toBeEnabled();
});

thoroughTest('the focus stays near what a dialog has taken away', async ({ page, owner }) => {
  const { lease } = await lateTenants(owner);
  const water = { kind: 'utility', amount_cents: 6_000, due_on: day(-1), memo: 'Water' };
  await owner.post('/charges', { lease_id: lease.id, ...water });
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Void Utilities: Water' }).click();
  await dialog(page).getByLabel('Reason').fill('Charged twice');
  await page.keyboard.press('Enter');
  await expect(entries(page).filter({ hasText: 'Water' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Ledger' })).toBeFocused();

  await page.getByRole('button', { name: 'End lease' }).click();
  await dialog(page).getByRole('button', { name: 'End lease' }).click();
  await expect(page.getByRole('button', { name: 'Reopen lease' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'End lease' })).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
});

thoroughTest('nothing is expected of a former tenant who owes nothing', async ({ page, owner }) => {
  const { cara, former } = await lateTenants(owner);
  const { open_cents } = await owner.get<{ open_cents: number }>(`/leases/${former.id}/ledger`);
  await owner.post('/payments', { tenant_id: cara.id, amount_cents: open_cents + 5_000, paid_on: day(-90) });
  await page.goto(`/leases/${former.id}`);
  await expect(balance(page)).toContainText('In credit$50.00Nothing more falls due');
  await page.getByRole('button', { name: 'Record payment' }).click();
  const preview = dialog(page).getByLabel('What this pays');
  await expect(preview).toContainText('Nothing is owed. $50.00 is in credit.');
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('');
  await dialog(page).getByLabel('Amount').fill('20');
  await expect(dialog(page)).toContainText('$20.00 stays in credit, and nothing more falls due.');
  await page.keyboard.press('Escape');
  await entries(page).getByRole('link', { name: 'Payment by Cara Novak' }).click();
  await expect(page.getByRole('list', { name: 'Pays' })).toContainText('In credit · nothing more falls due');
});

thoroughTest(
  'a lease that has not begun ends on its first day, unless another is chosen',
  async ({ page, owner }) => {
    const { cara, former } = await lateTenants(owner);
    const { unit_id } = await owner.get<{ unit_id: string }>(`/leases/${former.id}`);
    const terms = { unit_id, tenant_ids: [cara.id], start_date: day(30), rent_cents: 100_000 };
    const upcoming = await owner.post<Named>('/leases', terms);
    await page.goto(`/leases/${upcoming.id}`);
    await page.getByRole('button', { name: 'End lease' }).click();
    await expect(dialog(page).getByLabel('Ended on')).toHaveValue(day(30));
    await dialog(page).getByRole('button', { name: 'End lease' }).click();
    await expect(page.getByText(/^Lease ends on/)).toBeVisible();
  },
);

thoroughTest('a lease that ends on a later day says so, and has one end', async ({ page, owner }) => {
  const { lease } = await lateTenants(owner);
  await owner.patch(`/leases/${lease.id}`, { end_date: day(300), ended_on: day(40) });
  await page.goto(`/leases/${lease.id}`);
  const inWords = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
  const end = inWords.format(new Date(day(40)));
  await expect(page.getByText(`Active, ends ${end}`)).toBeVisible();
  const terms = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Terms' }) });
  await expect(terms).toContainText(`Ends${end}`);
  await expect(terms).not.toContainText(inWords.format(new Date(day(300))));
  await page.goto('/reports/rent-roll');
  await expect(page.getByRole('row', { name: /Maple Court 1A/ })).toContainText(end);
});

thoroughTest('a payment of a later day is upcoming, and no charge', async ({ page, owner }) => {
  const { ada, cara, lease, former } = await lateTenants(owner);
  const coming = { tenant_id: ada.id, amount_cents: 40_000, paid_on: day(60) };
  const { id } = await owner.post<Named>('/payments', coming);
  await owner.post('/payments', { tenant_id: cara.id, amount_cents: 900_000 });
  await owner.post('/payments', { ...coming, tenant_id: cara.id });
  await page.goto(`/leases/${former.id}`);
  await expect(balance(page)).toContainText('Nothing more falls due');
  await page.goto(`/leases/${lease.id}`);
  const upcoming = page.getByRole('list', { name: 'Upcoming' }).getByRole('listitem');
  const payment = upcoming.filter({ hasText: 'Payment by Ada Okafor' });
  await expect(payment).toContainText(/counts from .*−\$400\.00/);
  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  await dialog(page).getByLabel('Amount').fill('25');
  await expect(dialog(page)).not.toContainText('Until then');
  await dialog(page).getByLabel('Counts from').fill(day(50));
  await expect(dialog(page).getByLabel('Counts from')).toHaveAccessibleDescription(
    /^Counts from .* Until then it is shown as upcoming\.$/,
  );
  await dialog(page).getByRole('button', { name: 'Add credit' }).click();
  await expect(upcoming.filter({ hasText: 'Concession' })).toContainText(/counts from .*−\$25\.00/);
  await payment.getByRole('link').click();
  await expect(page).toHaveURL(`/payments/${id}`);
});

thoroughTest('notice is not given and a lease is not ended without a day', async ({ page, owner }) => {
  const { lease } = await lateTenants(owner);
  await page.goto(`/leases/${lease.id}`);
  for (const [action, field, done] of [
    ['Give notice', 'Notice given on', 'Notice recorded'],
    ['End lease', 'Ended on', 'Lease ended'],
  ] as const) {
    await page.getByRole('button', { name: action }).click();
    await dialog(page).getByLabel(field).fill('');
    await dialog(page).getByRole('button', { name: action }).click();
    await expect(dialog(page).getByLabel(field)).toHaveAccessibleDescription('Required.');
    await dialog(page).getByLabel(field).fill(day(0));
    await dialog(page).getByRole('button', { name: action }).click();
    await expect(page.getByText(done)).toBeVisible();
  }
});

test('the figures of the home page add up, and each leads to the list that it counts', async ({
  page,
  owner,
}) => {
  const { ada, lease } = await lateTenants(owner);
  expect(await owner.try('PATCH', `/leases/${lease.id}`, { end_date: day(40) })).toBe(200);
  await owner.post('/payments', { tenant_id: ada.id, amount_cents: 25_000 });
  const today = { lease_id: lease.id, kind: 'utility', amount_cents: 6_000, due_on: day(0) };
  await owner.post('/charges', today);
  const { month, overdue } = await owner.get<{
    month: { expected_cents: number; collected_cents: number; owed_cents: number };
    overdue: { total_cents: number };
  }>('/home');
  const dollars = (cents: number) => `$${(cents / 100).toLocaleString('en-US')}.00`;
  const figures = page.getByLabel('Figures');
  await page.goto('/');
  await expect(figures).toContainText(
    `${dollars(month.collected_cents)}of ${dollars(month.expected_cents)} collected, ${dollars(month.owed_cents)} still owed`,
  );
  expect(month.expected_cents).toBe(month.collected_cents + month.owed_cents);
  const totals = page.getByLabel('Totals');

  await figures.getByRole('link', { name: /^Charges due in/ }).click();
  await expect(totals).toContainText(`Expected${dollars(month.expected_cents)}`);
  await expect(totals).toContainText(`Collected${dollars(month.collected_cents)}`);
  await expect(totals).toContainText(`Still owed${dollars(month.owed_cents)}`);

  await page.goto('/');
  await expect(figures).toContainText(`Overdue${dollars(overdue.total_cents)}2 leases`);
  await figures.getByRole('link', { name: /^Overdue/ }).click();
  // The rows and their ages add up to the same, without what is due today.
  await expect(totals).toContainText(`Overdue${dollars(overdue.total_cents)}`);
  await expect(totals).not.toContainText('Due today');
  const late = page.getByRole('table', { name: 'Overdue' }).getByRole('row');
  await expect(late).toHaveCount(1 + 2);
  await expect(page.getByText('2 leases', { exact: true })).toBeVisible();
  const sumOf = (texts: string[]) =>
    texts.reduce((sum, text) => sum + Math.round(Number(text.replace(/[^\d.]/g, '')) * 100), 0);
  expect(sumOf((await totals.locator('dd').allInnerTexts()).slice(1))).toBe(overdue.total_cents);
  expect(sumOf(await late.locator('td:nth-last-child(2)').allInnerTexts())).toBe(overdue.total_cents);
  await page.getByRole('button', { name: 'Including due today' }).click();
  await expect(totals).toContainText(/^Owed\$.*Overdue\$.*Due today\$/);

  await page.goto('/');
  await figures.getByRole('link', { name: 'Leases ending 1' }).click();
  const leases = page.getByRole('table', { name: 'Leases' }).getByRole('row');
  await expect(leases).toHaveCount(1 + 1);
  await page.getByRole('button', { name: /^Ending by/ }).click();
  await page.getByLabel('Status').selectOption('Status: all');
  await expect(leases).toHaveCount(1 + 2);
});

thoroughTest('a viewer reads the ledger and changes nothing', async ({ page, owner }) => {
  const { lease } = await lateTenants(owner);
  await page.route('**/internal/v1/session', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { data: { ...body.data, permission: 'read' } } });
  });
  await page.goto(`/leases/${lease.id}`);
  await settled(page);
  await expect(entries(page).first()).toBeVisible();
  for (const name of [/^Charge$/, /^Credit$/, /^Void/, /^Record payment/])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
});
