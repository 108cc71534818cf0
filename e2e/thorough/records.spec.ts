import { buildEstate } from '../estate.ts';
import { expect, settled, test, walkTo } from '../fixtures.ts';

/* The page of a record shows at a glance what the record is about. */

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test('a property has one table: who rents its units, what they owe and what comes next', async ({
  page,
  owner,
  receiver,
}) => {
  const { property, tenant, lease } = await buildEstate(owner, receiver.url());
  const units = await owner.get<{ id: string; name: string }[]>(`/units?property_id=${property.id}`);
  const ben = await owner.post<{ id: string }>('/tenants', { first_name: 'Ben', last_name: 'Ito' });
  await owner.post('/leases', {
    unit_id: units.find(({ name }) => name === '1B')?.id,
    tenant_ids: [ben.id],
    start_date: inDays(20),
    rent_cents: 90_000,
  });
  await owner.post('/charges', {
    lease_id: lease.id,
    kind: 'repair',
    amount_cents: 7_700,
    due_on: inDays(-3),
  });
  await page.goto(`/properties/${property.id}`);
  await settled(page);
  await expect(page.getByRole('heading', { name: 'Tenants' })).toHaveCount(0);
  const table = page.getByRole('table', { name: 'Units' });
  await expect(table.getByRole('columnheader')).toHaveText([
    ...['Unit', 'Tenant', 'Status', 'Rent', 'Balance', 'Next event', 'Files'],
  ]);
  const rented = table.getByRole('row').filter({ hasText: '1A' });
  await expect(rented).toContainText('$1,250.00');
  await expect(rented).toContainText('overdue');
  await expect(rented.getByRole('link', { name: 'Lease ends' })).toHaveAttribute(
    'href',
    `/leases/${lease.id}`,
  );
  const vacant = table.getByRole('row').filter({ hasText: '1B' });
  await expect(vacant).toContainText('Vacant');
  await expect(vacant).toContainText('Ben Ito');
  await expect(vacant.getByRole('link', { name: 'Moves in' })).toBeVisible();
  // The name opens the unit, even though its link covers the row. The links inside the row lead elsewhere.
  await vacant.getByRole('button', { name: '1B', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Unit 1B' })).toBeVisible();
  await page.keyboard.press('Escape');
  await rented.getByRole('link', { name: 'Ada Okafor' }).click();
  await expect(page).toHaveURL(`/tenants/${tenant.id}`);
  // Somebody who comes from the list of all units finds the unit that they chose.
  await page.goto('/units?q=1B');
  await page.getByRole('link', { name: '1B' }).click();
  await expect(table.locator('[aria-current=true]')).toContainText('Ben Ito');
  await page.setViewportSize({ width: 375, height: 780 });
  await page.goto(`/properties/${property.id}`);
  const card = page.getByRole('list', { name: 'Units' }).getByRole('listitem').first();
  for (const text of ['1A', 'Ada Okafor', 'Lease ends', 'overdue']) await expect(card).toContainText(text);
});

test('a request for a unit is reported by whoever lives there, and suggests who was assigned one before', async ({
  page,
  owner,
  receiver,
}) => {
  const { property } = await buildEstate(owner, receiver.url());
  await owner.post('/tenants', { first_name: 'Ben', last_name: 'Ito' });
  await page.goto(`/maintenance/new?property_id=${property.id}`);
  await page.getByLabel('Title').fill('Window does not close');
  const unit = page.getByRole('combobox', { name: 'Unit' });
  const reporter = page.getByRole('combobox', { name: 'Reported by' });
  const choose = async (field: typeof unit, name: string | RegExp) => {
    await field.click();
    await page.getByRole('option', { name }).click();
  };
  await choose(unit, /1A/);
  await expect(reporter).toHaveValue('Ada Okafor');
  await choose(unit, /1B/);
  await expect(reporter).toHaveValue('');
  await reporter.fill('Ben');
  await page.getByRole('option', { name: 'Ben Ito' }).click();
  await choose(unit, /1A/);
  await expect(reporter, 'a choice of ones own stays').toHaveValue('Ben Ito');
  await reporter.fill('Ada');
  await page.getByRole('option', { name: 'Ada Okafor' }).click();
  const suggestions = page.locator('datalist option');
  await expect(suggestions).toHaveCount(1);
  await page.getByLabel('Assigned to').fill('plumb');
  await expect(suggestions).toHaveAttribute('value', 'Rivera Plumbing');
  await page.getByLabel('Assigned to').fill('Nobody known');
  await expect(suggestions).toHaveCount(0);
  await page.getByLabel('Assigned to').fill('Rivera Plumbing');
  await page.getByRole('button', { name: 'Add request' }).click();
  await expect(page.getByRole('heading', { name: 'Window does not close' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ada Okafor' })).toBeVisible();
  for (const name of ['Photos and documents', 'Timeline'])
    await expect(page.getByRole('heading', { name })).toBeVisible();
  await page.getByRole('button', { name: 'Assign' }).click();
  await expect(page.getByRole('dialog').locator('datalist option')).toHaveAttribute(
    'value',
    'Rivera Plumbing',
  );
});

test('a payment shows what it pays', async ({ page, owner, receiver }) => {
  const { lease, tenant } = await buildEstate(owner, receiver.url());
  const ledger = await owner.get<{ open_cents: number }>(`/leases/${lease.id}/ledger`);
  await owner.post('/charges', {
    lease_id: lease.id,
    kind: 'repair',
    amount_cents: 7_700,
    due_on: inDays(-3),
  });
  const payment = await owner.post<{ id: string }>('/payments', {
    tenant_id: tenant.id,
    lease_id: lease.id,
    amount_cents: ledger.open_cents + 7_700 + 1_234,
  });
  await page.goto(`/payments/${payment.id}`);
  const pays = page.getByRole('list', { name: 'Pays' });
  await expect(pays).toContainText('$77.00');
  await expect(pays.getByRole('listitem').filter({ hasText: 'In credit' })).toContainText('$12.34');
  const pending = await owner.post<{ id: string }>('/payments', {
    tenant_id: tenant.id,
    amount_cents: 500,
    status: 'pending',
  });
  await page.goto(`/payments/${pending.id}`);
  await expect(page.getByText('it counts once it is paid')).toBeVisible();
});

test('the details of a record are beside its actions on a wide screen, and below them on a phone', async ({
  page,
  owner,
  receiver,
}) => {
  const { lease, tenant, payment, request } = await buildEstate(owner, receiver.url());
  const pages: [string, string, string][] = [
    [`/leases/${lease.id}`, 'Ledger', 'History'],
    [`/tenants/${tenant.id}`, 'Ledger', 'History'],
    [`/payments/${payment.id}`, 'Details', 'History'],
    [`/maintenance/${request.id}`, 'Description', 'Details'],
  ];
  for (const [path, main, aside] of pages) {
    const leftOf = async (name: string) =>
      (await page.getByRole('heading', { name, exact: true }).boundingBox())?.x ?? Number.NaN;
    await page.setViewportSize({ width: 1280, height: 860 });
    await walkTo(page, path);
    expect((await leftOf(aside)) - (await leftOf(main)), path).toBeGreaterThan(300);
    await page.setViewportSize({ width: 375, height: 780 });
    await expect.poll(async () => (await leftOf(aside)) - (await leftOf(main)), { message: path }).toBe(0);
  }
});

test('where there is nothing yet, board and reports start something and offer no filters or export', async ({
  page,
  owner,
}) => {
  expect(owner.accountId).toMatch(/^acct_/);
  for (const path of [
    '/maintenance?view=board',
    '/charges',
    '/reports/rent-roll',
    '/reports/rent-collected',
  ]) {
    await walkTo(page, path);
    await expect(page.getByRole('link', { name: 'Import a spreadsheet' })).toBeVisible();
    await expect(page.getByText('Export CSV')).toHaveCount(0);
    await expect(page.getByLabel(/^(View|Priority|By|From|As of|Show)$/)).toHaveCount(0);
  }
  const property = await owner.post<{ id: string }>('/properties', {
    name: 'Elm House',
    units: [{ name: '1' }],
  });
  await owner.post('/maintenance', { property_id: property.id, title: 'Gate squeaks' });
  await page.reload();
  for (const path of ['/maintenance?view=board', '/reports/rent-roll', '/reports/rent-collected']) {
    await walkTo(page, path);
    await expect(page.getByText('Export CSV')).toBeVisible();
  }
});
