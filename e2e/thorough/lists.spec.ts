import { buildEstate } from '../estate.ts';
import { expect, test } from '../fixtures.ts';
import { addManyUnits } from '../many.ts';

/** One more than a column of the board shows, including the one of the estate. */
const repairs = 50;
/** One more than the page of a tenant shows, including the one of the estate. */
const leases = 20;

test('a shortened list links to the rest: a tenant to all repairs and leases, a column of the board to its other requests', async ({
  page,
  owner,
  receiver,
}) => {
  const { tenant, property, unit } = await buildEstate(owner, receiver.url());
  for (let number = 1; number <= repairs; number++) {
    const title = `Repair ${number}`;
    await owner.post('/maintenance', { property_id: property.id, tenant_id: tenant.id, title });
  }
  await owner.post('/maintenance', { property_id: property.id, title: 'Not of the tenant' });
  for (let year = 2000; year < 2000 + leases; year++) {
    await owner.post('/leases', {
      unit_id: unit.id,
      tenant_ids: [tenant.id],
      start_date: `${year}-01-01`,
      end_date: `${year}-12-31`,
      rent_cents: 100_000,
    });
  }
  const panel = (name: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
  const rows = (name: string) => page.getByRole('table', { name }).getByRole('row');

  await page.goto(`/tenants/${tenant.id}`);
  await expect(rows('Lease history')).toHaveCount(1 + 20);
  await panel('Lease history').getByRole('link', { name: 'Show all' }).click();
  await expect(page).toHaveURL(`/leases?tenant_id=${tenant.id}`);
  await expect(page.getByLabel('Filter by tenant')).toHaveValue('Ada Okafor');
  await expect(rows('Leases')).toHaveCount(1 + leases + 1);
  await page.goBack();

  await expect(rows('Latest repairs')).toHaveCount(1 + 6);
  await panel('Latest repairs').getByRole('link', { name: 'Show all' }).click();
  await expect(page).toHaveURL(`/maintenance?tenant_id=${tenant.id}&status=all`);
  await expect(page.getByLabel('Filter by tenant')).toHaveValue('Ada Okafor');
  await expect(rows('Maintenance requests')).toHaveCount(1 + repairs + 1);
  await expect(page.getByText('Not of the tenant')).toHaveCount(0);

  await page.getByRole('button', { name: 'Board' }).click();
  const open = page.getByRole('region', { name: 'Open' });
  await expect(open.getByText('50+')).toBeVisible();
  await open.getByRole('link', { name: 'Show all in the list' }).click();
  await expect(page).toHaveURL(`/maintenance?tenant_id=${tenant.id}&status=open`);
  await expect(rows('Maintenance requests')).toHaveCount(1 + repairs + 1);
});

test('a lease shows what was paid on it, whoever of its tenants paid, and nothing else', async ({
  page,
  owner,
  receiver,
}) => {
  const { unit, tenant } = await buildEstate(owner, receiver.url());
  const ben = await owner.post<{ id: string }>('/tenants', { first_name: 'Ben', last_name: 'Ito' });
  const lease = await owner.post<{ id: string }>('/leases', {
    unit_id: unit.id,
    tenant_ids: [tenant.id, ben.id],
    start_date: '2024-01-01',
    end_date: '2024-12-31',
    rent_cents: 100_000,
  });
  for (let month = 1; month <= 8; month++) {
    await owner.post('/payments', {
      tenant_id: ben.id,
      amount_cents: 100_000,
      paid_on: `2024-0${month}-01`,
    });
  }
  const rows = (name: string) => page.getByRole('table', { name }).getByRole('row');
  await page.goto(`/leases/${lease.id}`);
  await expect(rows('Latest payments')).toHaveCount(1 + 8);
  await expect(rows('Latest payments').filter({ hasText: 'Ben Ito' })).toHaveCount(8);
  await page.getByRole('link', { name: 'Show all' }).click();
  await expect(page).toHaveURL(`/payments?lease_id=${lease.id}`);
  await expect(rows('Payments')).toHaveCount(1 + 8);
  await expect(page.getByLabel('Totals')).toContainText('$8,000.00');
  await page.getByRole('button', { name: 'Lease: Maple Court, 1A' }).click();
  await expect(rows('Payments')).toHaveCount(1 + 9);
});

test('a property shows all its units, and a lease can be for any of them', async ({
  page,
  owner,
  service,
}) => {
  const property = await owner.post<{ id: string }>('/properties', { name: 'Long Terrace' });
  // Enough for two pages of the API and one more unit.
  await addManyUnits(service.dataDir, owner.accountId, property.id, 2_001);
  await page.goto(`/properties/${property.id}`);
  await expect(page.getByRole('button', { name: '00000', exact: true })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Units' })).toHaveAttribute('aria-rowcount', '2002');
  await page.goto('/leases/new');
  await page.getByRole('combobox', { name: 'Property' }).fill('Long');
  await page.getByRole('option', { name: 'Long Terrace' }).click();
  for (const name of ['00000', '02000']) {
    await page.getByRole('combobox', { name: 'Unit' }).fill(name);
    await expect(page.getByRole('option', { name })).toBeVisible();
  }
});
