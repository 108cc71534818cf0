import type { Page } from '@playwright/test';
import { buildEstate } from '../estate.ts';
import { expect, settled, test } from '../fixtures.ts';
import type { Person } from '../people.ts';

/** From now on the page looks as it does on paper, as the browser's print dialog would make it. */
async function onPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('aside, header nav, [role="banner"]').first()).toBeHidden();
}

/** Nothing on the sheet can only be clicked. The heads of columns may look as if they could. */
async function expectSheet(page: Page, owner: Person, title: RegExp, width = 703): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.locator('#root')).toContainText(`${owner.name}'s houses`);
  const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date());
  await expect(page.getByText(today).first()).toBeVisible();
  for (const pressed of await page.locator('button, a[download], input, select, nav').all()) {
    if ((await pressed.locator('xpath=ancestor::th').count()) === 0) await expect(pressed).toBeHidden();
  }
  // Nothing sticks out of the margins of an A4 page, and nothing is dark.
  await page.setViewportSize({ width, height: 1000 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
    'rgb(255, 255, 255)',
  );
}

/** Prints the page as PDF and counts its sheets. Says whether they are in landscape format. */
async function pagesOf(page: Page): Promise<{ count: number; isWide: boolean }> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const [, width = 0, height = 0] = (/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? []).map(Number);
  return { count: pdf.match(/\/Type \/Page\b/g)?.length ?? 0, isWide: width > height };
}

for (const width of [1280, 375])
  test(`lease, ledger, request and rent roll can be printed, from a screen of ${width}`, async ({
    page,
    owner,
    receiver,
  }) => {
    const screen = { width, height: 800 };
    const { lease, request } = await buildEstate(owner, receiver.url());
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.addInitScript(
      'window.print = () => document.documentElement.setAttribute("data-printed", "")',
    );
    const printed = page.locator('html[data-printed]');
    const open = async (path: string, button = 'Print') => {
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize(screen);
      await page.goto(path);
      await settled(page);
      await page.getByRole('button', { name: button, exact: true }).click();
      await expect(printed).toHaveCount(1);
      await onPaper(page);
    };

    await open(`/leases/${lease.id}`);
    for (const name of ['Terms', 'Ledger', 'Payments'])
      await expect(page.getByRole('heading', { name })).toBeVisible();
    for (const name of ['Files', 'History']) await expect(page.getByText(name, { exact: true })).toBeHidden();
    await expect(page.getByRole('columnheader', { name: 'Balance' })).toBeVisible();
    await expectSheet(page, owner, /Maple Court/);

    await open(`/leases/${lease.id}`, 'Print ledger');
    await expect(page.getByRole('table', { name: 'Ledger' })).toBeVisible();
    await expect(page.getByText('Terms', { exact: true })).toBeHidden();
    await expectSheet(page, owner, /Maple Court/);
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    await onPaper(page);
    await expect(page.getByText('Terms', { exact: true })).toBeVisible();

    await open(`/maintenance/${request.id}`);
    await expect(page.getByText('Since Monday')).toBeVisible();
    await expect(page.getByText('Rivera Plumbing').first()).toBeVisible();
    await expectSheet(page, owner, /Kitchen tap drips/);

    await open('/reports/rent-roll?as_of=2026-02-01');
    await expect(page.getByText('Feb 1, 2026', { exact: true })).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Lease' })).toBeVisible();
    await expectSheet(page, owner, /Rent roll/, 1032);
    expect(await pagesOf(page)).toEqual({ count: 1, isWide: true });
  });

test('all rows of a long report and all entries of a long ledger are printed', async ({ page, owner }) => {
  const unitsOfHouse = 300;
  const property = await owner.post<{ id: string }>('/properties', {
    name: 'Maple Court',
    units: Array.from({ length: unitsOfHouse }, (_, index) => ({ name: `Unit ${index + 1}` })),
  });
  const [unit] = await owner.get<{ id: string }[]>(`/units?property_id=${property.id}&limit=1`);
  const tenant = await owner.post<{ id: string }>('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const lease = await owner.post<{ id: string }>('/leases', {
    unit_id: unit?.id,
    tenant_ids: [tenant.id],
    start_date: '2023-01-01',
    ledger_from: '2023-01-01',
    rent_cents: 125_000,
  });
  await page.goto('/reports/rent-roll');
  await settled(page);
  const rows = page.locator('tbody tr[data-index]');
  expect(await rows.count()).toBeLessThan(unitsOfHouse);
  const { count, isWide } = await pagesOf(page);
  expect([count > 5, isWide]).toEqual([true, true]);
  await onPaper(page);
  await expect(rows).toHaveCount(unitsOfHouse);
  await page.emulateMedia({ media: 'screen' });
  await expect.poll(() => rows.count()).toBeLessThan(unitsOfHouse);

  await page.goto(`/leases/${lease.id}`);
  await settled(page);
  await expect(page.getByRole('table', { name: 'Ledger' }).locator('tbody tr')).toHaveCount(24);
  await onPaper(page);
  await expect(page.getByText('Rent for January 2023').first()).toBeVisible();
});
