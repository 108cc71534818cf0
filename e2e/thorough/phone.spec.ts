import { buildEstate } from '../estate.ts';
import { expect, settled, test, walkTo } from '../fixtures.ts';

test.use({ viewport: { width: 375, height: 800 } });

const lists = [
  '/payments',
  '/units',
  '/overdue',
  '/maintenance?view=board',
  '/reports/rent-roll',
  '/settings/audit-log',
  '/properties',
  '/tenants',
  '/leases',
  '/charges',
  '/maintenance',
  '/reports/rent-collected',
  '/settings/team',
  '/settings/api-keys',
  '/settings/webhooks',
];

test('on a phone the first row of every list begins within 140 px of the top', async ({
  page,
  owner,
  receiver,
}) => {
  const { lease } = await buildEstate(owner, receiver.url());
  const dueOn = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  await owner.patch(`/leases/${lease.id}`, { ledger_from: '2025-01-01' });
  await owner.post('/charges', { lease_id: lease.id, kind: 'utility', amount_cents: 4_500, due_on: dueOn });
  // A saved view adds one more line above the rows.
  await owner.post('/views', { list: 'payments', name: 'Bounced', query: 'status=failed', shared: false });
  for (const path of lists) {
    await walkTo(page, path);
    const first = page.locator('main li').first();
    await expect(first).toBeVisible();
    const { y = Number.NaN } = (await first.boundingBox()) ?? {};
    expect([path, y <= 140 ? 'near' : y]).toEqual([path, 'near']);
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 375]);
    // The title and the buttons are in the bar. None of them sticks out of it or has no name.
    await expect(page.getByRole('banner').getByRole('heading', { level: 1 })).toBeVisible();
    for (const button of await page.getByRole('banner').locator('a, button').all()) {
      const box = await button.boundingBox();
      expect([path, box && box.x >= 0 && box.x + box.width <= 375 && box.width >= 24]).toEqual([path, true]);
      await expect(button).toHaveAccessibleName(/\w/);
    }
  }
});

test('on a phone a button opens the filters of a list, and shows that some are set', async ({
  page,
  owner,
  receiver,
}) => {
  await buildEstate(owner, receiver.url());
  await owner.post('/tenants', { first_name: 'Ben', last_name: 'Young' });
  await page.goto('/tenants');
  await settled(page);
  await expect(page.getByRole('searchbox')).toHaveCount(0);
  await page.getByRole('button', { name: 'Search and filter' }).click();
  await page.getByRole('searchbox').fill('Young');
  await expect(page.getByRole('link', { name: 'Ada Okafor' })).toHaveCount(0);
  await page.getByLabel('Sort by').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Search and filter' }).click();
  await expect(page.getByRole('searchbox')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Ben Young' })).toBeVisible();
  await expect(page).toHaveURL(/q=Young/);
  await expect(page).toHaveURL(/sort=/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('link', { name: 'Ada Okafor' })).toBeVisible();
});

test('on a phone the board is one column with a switch', async ({ page, owner, receiver }) => {
  const { property } = await buildEstate(owner, receiver.url());
  await owner.post('/maintenance', {
    property_id: property.id,
    title: 'Gutter is loose',
    status: 'in_progress',
  });
  await page.goto('/maintenance?view=board');
  await settled(page);
  const columns = page.locator('main section');
  await expect(columns).toHaveCount(1);
  await expect(columns.getByRole('link')).toHaveText(['#1 Kitchen tap drips']);
  await page.getByRole('button', { name: 'In progress 1' }).click();
  await expect(columns).toHaveCount(1);
  await expect(columns.getByRole('link')).toHaveText(['#2 Gutter is loose']);
  await page.getByRole('button', { name: 'Move #2' }).click();
  await page.getByRole('menuitem', { name: 'Open' }).click();
  await expect(page.getByRole('button', { name: 'Open 2' })).toBeVisible();
  // The column is kept in the address.
  await page.reload();
  await expect(page.getByRole('button', { name: 'In progress' })).toHaveAttribute('aria-pressed', 'true');
  await page.setViewportSize({ width: 1280, height: 860 });
  await expect(columns).toHaveCount(5);
});

test('on a phone the tabs of settings scroll sideways, to the one that is shown', async ({ page, owner }) => {
  expect(owner.accountId).toBeTruthy();
  await page.goto('/settings/audit-log');
  await settled(page);
  const tab = page.getByRole('link', { name: 'Audit log' });
  await expect(tab).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: 'Account', exact: true })).not.toBeInViewport();
  const tabs = await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').all();
  const tops = await Promise.all(tabs.map(async (each) => (await each.boundingBox())?.y));
  expect(new Set(tops).size).toBe(1);
});
