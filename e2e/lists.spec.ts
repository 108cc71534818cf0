import { buildEstate } from './estate.ts';
import { expect, test } from './fixtures.ts';

/** One more than a column of the board shows, with the one that the estate has. */
const repairs = 50;
/** One more than the page of a tenant shows, with the one that the estate has. */
const leases = 20;

test('what is cut off leads on: a tenant to all their repairs and leases, a column of the board to the rest of it', async ({
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
