import type { Page } from '@playwright/test';
import { axe } from '../axe.ts';
import { buildEstate } from '../estate.ts';
import { expect, settled, test } from '../fixtures.ts';
import { addManyTenants } from '../many.ts';

/* A day at the desk: what somebody who works in the dashboard all day comes across. */

interface Named {
  id: string;
  name: string;
}

const dialog = (page: Page) => page.getByRole('dialog');

test('a tenant and their lease are added together or not at all, and a second tenant with the same address needs confirmation', async ({
  page,
  owner,
  receiver,
  watch,
}) => {
  watch.expectStatus(400, 409);
  await buildEstate(owner, receiver.url());
  await page.goto('/tenants/new');
  const rent = page.getByLabel('Monthly rent');
  const add = page.getByRole('button', { name: 'Add tenant' });
  const choose = async (picker: string, option: string) => {
    await page.getByRole('combobox', { name: picker, exact: true }).click();
    await page.getByRole('option', { name: option }).click();
  };
  await page.getByLabel('First name').fill('Bea');
  await page.getByLabel('Last name').fill('Ito');
  await page.getByLabel('Email').fill('ADA@example.com');
  await choose('Property', 'Maple Court');
  await choose('Unit', '1A');

  await test.step('the other tenant is shown before anything is sent', async () => {
    await add.click();
    const note = page.getByRole('alert').filter({ hasText: 'Is this the same person?' });
    await expect(note.getByRole('link', { name: 'Ada Okafor' })).toBeVisible();
    await expect(note).toContainText('Maple Court, 1A');
    // For another address nothing is asked.
    await page.getByLabel('Email').fill('bea@example.com');
    await expect(note).toHaveCount(0);
    await page.getByLabel('Email').fill('ada@example.com');
    await add.click();
    await page.getByRole('button', { name: 'Add anyway' }).click();
  });

  await test.step('an empty field shows its error until it is filled', async () => {
    await expect(rent).toHaveAccessibleDescription('Required.');
    await expect(rent).toBeFocused();
    await expect(page.getByRole('combobox', { name: 'Unit', exact: true })).not.toHaveAttribute(
      'aria-invalid',
    );
    await rent.fill('900');
    await expect(rent).not.toHaveAttribute('aria-invalid');
    // The folded fields unfold to show it.
    await page.getByText('opening balance, late fees').click();
    await page.getByLabel('Late fees').selectOption('own');
    await page.getByLabel('First fee: amount').fill('ten');
    await page.getByText('opening balance, late fees').click();
    await page.getByRole('button', { name: 'Add anyway' }).click();
    await expect(page.getByLabel('First fee: amount')).toHaveAccessibleDescription(/Must be an amount/);
    await expect(page.getByLabel('First fee: amount')).toBeFocused();
    await page.getByLabel('Late fees').selectOption('inherit');
  });

  await test.step('a lease that is refused leaves no tenant behind', async () => {
    await page.getByRole('button', { name: 'Add anyway' }).click();
    await expect(page.getByRole('alert').last()).toContainText(
      'The unit already has a lease during this time',
    );
    expect(await owner.get<unknown[]>('/tenants')).toHaveLength(1);
    await choose('Unit', '1B');
    await page.getByRole('button', { name: 'Add anyway' }).click();
    await expect(page.getByRole('heading', { name: 'Bea Ito' })).toBeVisible();
    await expect(page.getByText('Maple Court, 1B').first()).toBeVisible();
    expect(await owner.get<unknown[]>('/leases')).toHaveLength(2);
  });
});

test('a flatmate sees what was paid on the lease, and paying a paid month again needs confirmation', async ({
  page,
  owner,
}) => {
  const property = await owner.post<Named>('/properties', { name: 'Maple Court', units: [{ name: '1A' }] });
  const [unit] = await owner.get<Named[]>(`/units?property_id=${property.id}`);
  const person = (first_name: string) => owner.post<Named>('/tenants', { first_name, last_name: 'Ito' });
  const [ann, ben] = [await person('Ann'), await person('Ben')];
  const today = new Date().toISOString().slice(0, 10);
  const month = today.slice(0, 7);
  await owner.post('/leases', {
    unit_id: unit?.id,
    tenant_ids: [ann.id, ben.id],
    start_date: `${month}-01`,
    rent_cents: 120_000,
  });
  // The day is as far from today as the month allows, so that the match is more than the same amount within a few days.
  const paid_on = today >= `${month}-15` ? `${month}-01` : `${month}-28`;
  await owner.post('/payments', { tenant_id: ann.id, amount_cents: 120_000, paid_on, reference: 'No. 77' });

  await page.goto(`/tenants/${ben.id}`);
  await settled(page);
  const payments = page.getByRole('table', { name: 'Latest payments' });
  await expect(payments.getByRole('row').nth(1)).toContainText(/Ann Ito.*\$1,200\.00/);

  await page.getByRole('button', { name: 'Record payment' }).click();
  await dialog(page).getByLabel('Amount').fill('1300');
  await expect(dialog(page).getByRole('alert')).toContainText(
    /is already paid.*\$1,200\.00 from Ann Ito.*No\. 77/,
  );
  await dialog(page).getByRole('button', { name: 'Record payment' }).click();
  const anyway = dialog(page).getByRole('button', { name: 'Record anyway' });
  await expect(anyway).toBeVisible();
  expect(await owner.get<unknown[]>('/payments')).toHaveLength(1);
  // Cancel comes first, on the screen and for the keyboard.
  await dialog(page).getByLabel('Reference').focus();
  await page.keyboard.press('Tab');
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(anyway).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('$1,300.00 from Ben Ito recorded')).toBeVisible();
});

test('payments have a column for their months only where one of them names a month', async ({
  page,
  owner,
  receiver,
}) => {
  const { tenant } = await buildEstate(owner, receiver.url());
  const payment = await owner.post<Named>('/payments', { tenant_id: tenant.id, amount_cents: 100 });
  const pages = [
    ['/payments', 'Payments'],
    [`/tenants/${tenant.id}`, 'Latest payments'],
  ] as const;
  const hasMonths = async () => {
    const heads: boolean[] = [];
    for (const [path, name] of pages) {
      await page.goto(path);
      await settled(page);
      const table = page.getByRole('table', { name, exact: true });
      await expect(table.getByText('$1.00')).toBeVisible();
      heads.push((await table.getByRole('columnheader', { name: 'For', exact: true }).count()) > 0);
    }
    return heads;
  };
  for (const { id } of await owner.get<Named[]>('/payments'))
    await owner.patch(`/payments/${id}`, { period: null });
  expect(await hasMonths()).toEqual([false, false]);
  await owner.patch(`/payments/${payment.id}`, { period: '2026-11' });
  expect(await hasMonths()).toEqual([true, true]);
});

test('each tile of the home page leads to what it counts', async ({ page, owner, receiver }) => {
  const { property, unit } = await buildEstate(owner, receiver.url());
  await owner.post('/units', { property_id: property.id, name: '1C', offline: true });
  // A vacant unit of an archived property does not count, nor does a lease that ends later, nor a finished repair.
  const old = await owner.post<Named>('/properties', { name: 'Old Mill', units: [{ name: 'M1' }] });
  await owner.patch(`/properties/${old.id}`, { status: 'archived' });
  const tenant = await owner.post<Named>('/tenants', { first_name: 'Cleo', last_name: 'Ito' });
  const [other] = (await owner.get<Named[]>(`/units?property_id=${property.id}`)).filter(
    ({ name }) => name === '1B',
  );
  await owner.post('/leases', {
    unit_id: other?.id,
    tenant_ids: [tenant.id],
    start_date: '2025-01-01',
    end_date: new Date(Date.now() + 70 * 86_400_000).toISOString().slice(0, 10),
    rent_cents: 90_000,
  });
  await owner.post('/units', { property_id: property.id, name: '1D' });
  await owner.post('/maintenance', {
    property_id: property.id,
    unit_id: unit.id,
    title: 'Lamp',
    priority: 'low',
  });
  await owner.post('/maintenance', { property_id: property.id, title: 'Done', status: 'completed' });

  const figures = page.getByRole('region', { name: 'Figures' });
  const open = async (name: string | RegExp, list: string, address: RegExp) => {
    await page.goto('/');
    await figures.getByRole('link', { name }).click();
    await expect(page).toHaveURL(address);
    await settled(page);
    return page.getByRole('table', { name: list }).getByRole('row');
  };
  const vacant = await open('1 vacant', 'Units', /\/units\?status=vacant$/);
  await expect(vacant).toHaveCount(2);
  await expect(vacant.nth(1)).toContainText(/1D.*Maple Court.*Vacant/);
  await expect(await open('2 of 4 units occupied', 'Units', /\/units\?status=occupied/)).toHaveCount(3);
  await expect(await open('1 offline', 'Units', /\/units\?status=offline$/)).toHaveCount(2);
  await expect(await open(/^Occupancy/, 'Units', /\/units$/)).toHaveCount(5);
  const ending = await open(/^Leases ending/, 'Leases', /\/leases\?status=.*ends_by=/);
  await expect(ending).toHaveCount(2);
  await expect(ending.nth(1)).toContainText('Ada Okafor');
  const repairs = await open(/^Open repairs/, 'Maintenance requests', /\/maintenance\?status=unfinished$/);
  await expect(repairs).toHaveCount(3);
  const urgent = await open('1 high', 'Maintenance requests', /status=unfinished&priority=high$/);
  await expect(urgent).toHaveCount(2);
  await expect(await open(/^Overdue/, 'Overdue', /\/overdue$/)).toHaveCount(2);
  await page.goto('/');
  const collected = await figures.getByRole('link', { name: /^Charges due in/ }).textContent();
  const shown = await open(/^Charges due in/, 'Rent collected', /rent-collected\?from=/);
  await expect(shown.nth(1)).toContainText(collected?.match(/\$[\d,.]+/)?.[0] ?? 'a sum');
});

test('links have names from the start, columns keep their positions, and an unknown address keeps the side bar', async ({
  page,
  owner,
  receiver,
  service,
}) => {
  await buildEstate(owner, receiver.url());

  await test.step('nothing waits for the names of single records', async () => {
    await page.route(/internal\/v1\/(properties|units|tenants|leases)\/[a-z]+_/, () => undefined);
    for (const path of ['/leases', '/payments', '/maintenance', '/units']) {
      await page.goto(path);
      await expect(page.getByRole('table').getByRole('link').first()).toBeVisible();
      expect(await axe(page, { rules: ['link-name'] }), path).toEqual([]);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  await test.step('what scrolls into sight moves no column', async () => {
    await addManyTenants(service.dataDir, owner.accountId, 320);
    await owner.post('/tenants', {
      first_name: 'A'.repeat(60),
      last_name: 'B',
      email: `${'c'.repeat(60)}@example.com`,
    });
    await page.goto('/tenants');
    const rows = page.getByRole('table', { name: 'Tenants' }).getByRole('row');
    const edges = () =>
      page
        .getByRole('columnheader')
        .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
    await expect(rows.nth(1)).toBeVisible();
    const before = await edges();
    await expect(async () => {
      await page.mouse.wheel(0, 3000);
      expect(Number(await rows.last().getAttribute('aria-rowindex'))).toBeGreaterThan(250);
    }).toPass({ intervals: [50] });
    expect(await edges()).toEqual(before);
  });

  for (const path of ['/no-such-page', '/settings/no-such-page']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await expect(page.getByRole('main')).toHaveCount(1);
  }
});

test('single keys lead anywhere unless they are turned off, and amounts and numbers are found', async ({
  page,
  owner,
  receiver,
}) => {
  await buildEstate(owner, receiver.url());
  await page.goto('/');
  await settled(page);
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(page.getByRole('heading', { name: 'Tenants' })).toBeVisible();
  await settled(page);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.getByRole('heading', { name: 'Tenants' }).click();
  await page.keyboard.press('c');
  await expect(page.getByLabel('First name')).toBeFocused();
  // In a field, key presses are text.
  await page.keyboard.type('gp?c');
  await expect(page.getByLabel('First name')).toHaveValue('gp?c');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Tenants' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(dialog(page)).toContainText('Go to Maintenance');
  await dialog(page).getByLabel('Use single-key shortcuts').uncheck();
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  for (const [text, option, heading] of [
    ['$1,250', /Ada Okafor.*1250\.00 USD/, '$1,250.00'],
    ['#1', /Kitchen tap drips/, 'Kitchen tap drips'],
  ] as const) {
    await expect(page.getByRole('heading', { name: 'Properties' })).toHaveCount(0);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Find a property').fill(text);
    await page.getByRole('option', { name: option }).click();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  }
});
