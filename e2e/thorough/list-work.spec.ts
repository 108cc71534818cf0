import type { Page } from '@playwright/test';
import { buildEstate } from '../estate.ts';
import { expect, test, walkTo } from '../fixtures.ts';

const rows = (page: Page, name: string) => page.getByRole('table', { name }).getByRole('row');

test('each list makes at most four requests, including everything that its page needs', async ({
  page,
  owner,
  receiver,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/internal/')) asked.push(new URL(request.url()).pathname);
  });
  const lists = [
    ['/properties', 'Properties'],
    ['/units', 'Units'],
    ['/tenants', 'Tenants'],
    ['/leases', 'Leases'],
    ['/payments', 'Payments'],
    ['/charges', 'Charges'],
    ['/maintenance', 'Maintenance requests'],
  ] as const;
  for (const [path] of lists) {
    asked.length = 0;
    await page.goto(path);
    await expect(page.getByRole('link', { name: 'Import a spreadsheet' }), path).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(asked.length, `empty ${path}: ${asked.join(' ')}`).toBeLessThanOrEqual(4);
  }
  await buildEstate(owner, receiver.url());
  for (const [path, name] of lists) {
    asked.length = 0;
    await page.goto(path);
    await expect(rows(page, name).nth(1), path).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(asked.length, `${path}: ${asked.join(' ')}`).toBeLessThanOrEqual(4);
  }
  asked.length = 0;
  await page.goto('/overdue');
  await expect(page.getByText('Nobody is late')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(4);
});

test('lists without names of their own are searched by the names beside them, in any order', async ({
  page,
  owner,
  receiver,
}) => {
  await buildEstate(owner, receiver.url());
  for (const [path, name] of [
    ['/leases?sort=end_date', 'Leases'],
    ['/payments?sort=-paid_on', 'Payments'],
    ['/maintenance?sort=due_on', 'Maintenance requests'],
    ['/charges?sort=-due_on', 'Charges'],
  ] as const) {
    await walkTo(page, path);
    await page.getByRole('searchbox', { name: 'Search' }).fill('maple');
    await expect(page, path).toHaveURL(/q=maple/);
    await expect(rows(page, name).nth(1), path).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search' }).fill('nowhere');
    await expect(page.getByText('Nothing matches these filters'), path).toBeVisible();
  }
});

test('whoever owes money is found by their name, unit or property', async ({ page, owner }) => {
  const { id: property_id } = await owner.post<{ id: string }>('/properties', { name: 'Maple Court' });
  const { id: unit_id } = await owner.post<{ id: string }>('/units', { property_id, name: '1A' });
  const { id } = await owner.post<{ id: string }>('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const since = { start_date: '2026-01-01', ledger_from: '2026-01-01', rent_cents: 125_000 };
  await owner.post('/leases', { unit_id, tenant_ids: [id], ...since });
  await page.goto('/overdue');
  await expect(rows(page, 'Overdue')).toHaveCount(2);
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.fill('okafor 1a');
  await expect(page).toHaveURL('/overdue?q=okafor+1a');
  await expect(rows(page, 'Overdue')).toHaveCount(2);
  await search.fill('nowhere');
  await expect(page.getByText('Nothing matches these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows(page, 'Overdue')).toHaveCount(2);
});

test('a list is sorted by the heads of its columns, and the address keeps the order', async ({
  page,
  owner,
}) => {
  for (const name of ['Cedar', 'ash', 'Birch']) await owner.post('/properties', { name });
  await page.goto('/properties');
  const names = async () =>
    (await page.getByRole('table', { name: 'Properties' }).getByRole('link').allTextContents()).join(' ');
  await expect.poll(names).toBe('Birch ash Cedar');
  const head = page.getByRole('columnheader', { name: 'Property' });
  await head.getByRole('button').click();
  await expect.poll(names).toBe('ash Birch Cedar');
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await head.getByRole('button').click();
  await expect.poll(names).toBe('Cedar Birch ash');
  await expect(page).toHaveURL('/properties?sort=-name');
  await expect(page.getByRole('link', { name: 'Export CSV' })).toHaveAttribute('href', /sort=-name/);
  await page.reload();
  await expect.poll(names).toBe('Cedar Birch ash');
  await head.getByRole('button').click();
  await expect.poll(names).toBe('Birch ash Cedar');
});

test('many requests change their status at once, and a refusal says why', async ({ page, owner, watch }) => {
  const property = await owner.post<{ id: string }>('/properties', { name: 'Maple Court' });
  for (const title of ['Tap', 'Lamp', 'Door'])
    await owner.post('/maintenance', { property_id: property.id, title });
  await page.goto('/maintenance?sort=created_at');
  await expect(rows(page, 'Maintenance requests')).toHaveCount(4);
  await page.getByLabel('Choose all rows that are loaded').check();
  await expect(page.getByText('3 rows chosen')).toBeVisible();
  await page.getByLabel('Choose row 3').uncheck();

  // In the meantime, somebody else cancels one of them.
  const [tap] = await owner.get<{ id: string }[]>('/maintenance?sort=created_at');
  await owner.patch(`/maintenance/${tap?.id}`, { status: 'cancelled' });
  watch.expectStatus(409);
  await page.getByRole('button', { name: 'Change status' }).click();
  await page.getByRole('menuitem', { name: 'In progress' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('1 of 2 rows could not be changed');
  await expect(dialog).toContainText('#1 Tap');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(rows(page, 'Maintenance requests').filter({ hasText: 'Lamp' })).toContainText('In progress');
  await expect(rows(page, 'Maintenance requests').filter({ hasText: 'Door' })).toContainText('Open');
});

test('hundreds of requests change their status, waiting when the server asks for it', async ({
  page,
  owner,
  watch,
}) => {
  const { id: property_id } = await owner.post<{ id: string }>('/properties', { name: 'Maple Court' });
  // More than a list loads at once.
  const many = 500;
  for (let made = 0; made < many; made += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        owner.post('/maintenance', { property_id, title: `Tap ${made + at + 1}` }),
      ),
    );
  await page.goto('/maintenance?sort=created_at');
  const table = page.getByRole('table', { name: 'Maintenance requests' });
  await expect(async () => {
    await page.mouse.wheel(0, 5_000);
    expect(await table.getAttribute('aria-rowcount')).toBe(String(many + 1));
  }).toPass({ intervals: [100] });
  await page.mouse.wheel(0, -50_000);
  await page.getByLabel('Choose all rows that are loaded').check();
  await expect(page.getByText(`${many} rows chosen`)).toBeVisible();

  watch.expectStatus(429);
  let asked = 0;
  await page.route('**/internal/v1/maintenance/*', (route) =>
    ++asked % 100 === 1
      ? route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: {} })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Change status' }).click();
  await page.getByRole('menuitem', { name: 'In progress' }).click();
  await expect(page.getByText(new RegExp(`^Moving \\d+ of ${many}`))).toBeVisible();
  await expect(page.getByText(`${many} rows moved to in progress`)).toBeVisible({ timeout: 180_000 });
  expect(asked).toBe(506);
  expect(await owner.get('/maintenance?status=open')).toEqual([]);
});

test('payments are recorded for many leases in one request, and a refusal says why', async ({
  page,
  owner,
  receiver,
}) => {
  const { lease, tenant } = await buildEstate(owner, receiver.url());
  const units = await owner.get<{ id: string; name: string }[]>('/units');
  const empty = units.find(({ name }) => name === '1B')?.id;
  const later = { unit_id: empty, tenant_ids: [tenant.id], start_date: '2999-01-01', rent_cents: 90_000 };
  const { id: gone } = await owner.post<{ id: string }>('/leases', later);
  await page.goto('/leases');
  await expect(rows(page, 'Leases')).toHaveCount(3);
  await page.getByLabel('Choose all rows that are loaded').check();
  // In the meantime, somebody else deletes one of them.
  expect(await owner.try('DELETE', `/leases/${gone}`)).toBe(200);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  await page.getByRole('button', { name: 'Record payments' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('$2,150.00 in all');
  await dialog.getByRole('button', { name: 'Record 2 payments' }).click();
  // The estate has such a payment already.
  await dialog.getByRole('button', { name: 'Record anyway' }).click();
  await expect(dialog).toContainText('1 of 2 rows could not be changed');
  await expect(dialog).toContainText("Lease: Must be one of the tenant's leases.");
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(sent).toEqual(['/internal/v1/payments/batch']);
  const payments = await owner.get<{ amount_cents: number }[]>(`/payments?lease_id=${lease.id}`);
  expect(payments.map(({ amount_cents }) => amount_cents)).toEqual([125_000, 125_000]);
});

test('payments that are probably recorded already are asked about before many are recorded', async ({
  page,
  owner,
  receiver,
}) => {
  const { lease } = await buildEstate(owner, receiver.url());
  const recorded = () => owner.get<unknown[]>(`/payments?lease_id=${lease.id}`);
  const before = (await recorded()).length;
  const record = async () => {
    await page.goto('/leases');
    await page.getByLabel('Choose row 1', { exact: true }).check();
    await page.getByRole('button', { name: 'Record payments' }).click();
  };
  const dialog = page.getByRole('dialog');
  await record();
  await dialog.getByLabel('Paid on').fill('2031-05-20');
  await dialog.getByRole('button', { name: 'Record 1 payment' }).click();
  await expect(page.getByText('1 row paid')).toBeVisible();

  await record();
  await dialog.getByLabel('Paid on').fill('2031-05-22');
  await dialog.getByRole('button', { name: 'Record 1 payment' }).click();
  const note = dialog.getByRole('alert');
  await expect(note).toContainText(/Is this the same payment\?.*\$1,250\.00, paid on May 20, 2031/);
  await expect(note).toBeFocused();
  await dialog.getByLabel('Paid on').press('Enter');
  await expect(note).toBeFocused();
  expect(await recorded()).toHaveLength(before + 1);
  await dialog.getByRole('button', { name: 'Record anyway' }).click();
  await expect(page.getByText('1 row paid')).toBeVisible();
  expect(await recorded()).toHaveLength(before + 2);
});

test('chosen properties are exported and archived, and views lead to vacancies and to what ends soon', async ({
  page,
  owner,
  receiver,
}) => {
  await buildEstate(owner, receiver.url());
  await owner.post('/properties', { name: '=Elm, "House"' });
  await page.goto('/properties');
  await page.getByLabel('Choose row 1', { exact: true }).check();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export these' }).click();
  const text = Buffer.concat(await (await (await download).createReadStream()).toArray()).toString();
  expect(text.trim().split('\r\n')).toHaveLength(2);
  expect(text).toContain(`"'=Elm, ""House"""`);
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(rows(page, 'Properties')).toHaveCount(2);

  await page.goto('/units');
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Vacancies' }).click();
  await expect(page).toHaveURL('/units?status=vacant&sort=name');
  await expect(rows(page, 'Units')).toHaveCount(2);
  await expect(rows(page, 'Units').nth(1)).toContainText('1B');
  await page.goto('/leases');
  await page.getByRole('link', { name: 'Ending in 60 days' }).click();
  await expect(rows(page, 'Leases')).toHaveCount(2);
});
