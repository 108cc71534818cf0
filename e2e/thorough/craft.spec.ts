import type { APIRequestContext } from '@playwright/test';
import { buildEstate } from '../estate.ts';
import { expect, settled, test } from '../fixtures.ts';
import { addManyTenants } from '../many.ts';

test("the server's error about a field is shown at the field", async ({ page, owner, watch }) => {
  expect(owner.accountId).toBeTruthy();
  watch.expectStatus(400);
  await page.goto('/properties/new');
  await page.getByLabel('Year built').fill('soon');
  await page.getByLabel('Rent, unit 1').fill('1250.005');
  await page.getByRole('button', { name: 'Add property' }).click();
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Must not be empty.');
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByLabel('Year built')).toHaveAccessibleDescription('Must be a whole number.');
  await expect(page.getByRole('alert')).toContainText(
    'Unit 1, rent: Must be an amount, such as 1250 or 1,250.50.',
  );

  await page.getByRole('button', { name: 'Another unit' }).click();
  await page.getByRole('button', { name: 'Another unit' }).click();
  await page.getByLabel('Unit 1', { exact: true }).fill('1A');
  await page.getByLabel('Unit 3', { exact: true }).fill('1C');
  await page.getByLabel('Rent, unit 3').fill('1250.005');
  await page.getByRole('button', { name: 'Add property' }).click();
  const wanted = 'Must be an amount, such as 1250 or 1,250.50.';
  await expect(page.getByRole('alert')).toHaveText(`Unit 1, rent: ${wanted} Unit 3, rent: ${wanted}`);
});

test('on a narrow phone there is room for the name of a unit', async ({ page, owner }) => {
  expect(owner.accountId).toBeTruthy();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/properties/new');
  await page.getByRole('button', { name: 'Another unit' }).click();
  for (const number of [1, 2]) {
    const name = await page.getByLabel(`Unit ${number}`, { exact: true }).boundingBox();
    expect(name?.width).toBeGreaterThanOrEqual(120);
    const rent = await page.getByLabel(`Rent, unit ${number}`).boundingBox();
    expect(rent?.width).toBeGreaterThanOrEqual(80);
  }
});

test('an occupied unit is refused in words, and the tenant is not added twice', async ({
  page,
  owner,
  receiver,
  watch,
}) => {
  watch.expectStatus(409);
  await buildEstate(owner, receiver.url());
  await page.goto('/tenants/new');
  await page.getByLabel('First name').fill('Second');
  await page.getByLabel('Last name').fill('Comer');
  await page.getByRole('combobox', { name: 'Property', exact: true }).fill('Maple');
  await page.getByRole('option', { name: 'Maple Court' }).click();
  await page.getByRole('combobox', { name: 'Unit', exact: true }).click();
  await page.getByRole('option', { name: '1A' }).click();
  await page.getByLabel('Monthly rent').fill('900');
  await page.getByRole('button', { name: 'Add tenant' }).click();
  await expect(page.getByRole('alert')).toContainText('The unit already has a lease during this time');
  await page.getByRole('combobox', { name: 'Unit', exact: true }).click();
  await page.getByRole('option', { name: '1B' }).click();
  await page.getByRole('button', { name: 'Add tenant' }).click();
  await expect(page.getByRole('heading', { name: 'Second Comer' })).toBeVisible();
  expect(await owner.get<unknown[]>('/tenants?q=Comer')).toHaveLength(1);
});

test('filters are in the address, and the rows shown can be exported', async ({ page, owner, receiver }) => {
  const { tenant } = await buildEstate(owner, receiver.url());
  await owner.post('/payments', {
    tenant_id: tenant.id,
    amount_cents: 5000,
    status: 'pending',
    memo: '=1+1',
  });
  await page.goto('/payments');
  const rows = page.getByRole('table', { name: 'Payments' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await page.getByLabel('Status').selectOption('pending');
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/status=pending/);
  await expect(page.getByLabel('Totals')).toContainText('$50.00');
  await page.reload();
  await expect(rows).toHaveCount(2);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const text = await (await (await download).createReadStream()).toArray();
  const lines = Buffer.concat(text).toString().trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(',Ada Okafor,');
  expect(lines[1]).toContain(',Maple Court,');
  expect(lines[1]).toContain(',1A,,5000,50.00,USD,');
  expect(lines[1]).toContain(',pending,');
  expect(lines[1]).toContain("'=1+1");
  await rows.nth(1).getByRole('link').click();
  await expect(page.getByRole('heading', { name: '$50.00' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/status=pending/);
  await expect(rows).toHaveCount(2);
});

test('when a session ends, the sign-in page opens, and then leads back to the same page', async ({
  page,
  owner,
  watch,
  context,
}) => {
  watch.expectStatus(401);
  await owner.post('/properties', { name: 'Maple Court' });
  await page.goto('/properties?q=maple');
  await expect(page.getByRole('link', { name: 'Maple Court' })).toBeVisible();
  await context.clearCookies();
  await page.getByRole('link', { name: 'Maple Court' }).click();
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('The e-mail address or the password is wrong.');
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Maple Court' })).toBeVisible();
});

test('a lost connection is reported, nothing is lost, and a second press makes no second record', async ({
  page,
  owner,
  watch,
  context,
}) => {
  watch.expectFailures();
  await page.goto('/properties/new');
  await page.getByLabel('Name').fill('Maple Court');
  // The request arrives, but its answer is lost.
  await page.route('**/internal/v1/properties', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Add property' }).click();
  await expect(page.getByRole('alert')).toContainText('The server could not be reached');
  await page.unroute('**/internal/v1/properties');
  // The answer is cut off in the middle, or the server has not finished the first request when the second one arrives.
  watch.expectStatus(409);
  const stillWorking = 'A request with this Idempotency-Key is still being worked on; repeat it later.';
  for (const answer of [
    { status: 201, body: '{"data": {"id": "prop_' },
    { status: 409, json: { error: { code: 409, message: stillWorking } } },
  ]) {
    const arrived = page.waitForResponse('**/internal/v1/properties');
    await page.route('**/internal/v1/properties', (route) => route.fulfill(answer), { times: 1 });
    await page.getByRole('button', { name: 'Add property' }).click();
    await arrived;
  }
  await expect(page.getByRole('alert')).toContainText('still being worked on');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Add property' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'No connection' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('status').filter({ hasText: 'No connection' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Add property' }).click();
  await expect(page.getByRole('heading', { name: 'Maple Court' })).toBeVisible();
  expect(await owner.get<unknown[]>('/properties')).toHaveLength(1);
});

test('the keyboard jumps to any record, page and action, and the theme can be chosen', async ({
  page,
  owner,
  receiver,
}) => {
  await buildEstate(owner, receiver.url());
  await page.goto('/');
  await settled(page);
  await page.keyboard.press('Control+k');
  await expect(page.getByPlaceholder('Find a property')).toBeFocused();
  await page.keyboard.type('okafor');
  // Her records come after her.
  await expect(page.getByRole('option', { name: /Ada Okafor/ }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Ada Okafor' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByPlaceholder('Find a property')).toBeFocused();
  await page.keyboard.type('add req');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.getByRole('button', { name: new RegExp(owner.email) }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('after a page opens, the keyboard continues inside it', async ({ page, owner, receiver }) => {
  await buildEstate(owner, receiver.url());
  await page.goto('/');
  await settled(page);
  const main = page.getByRole('main');
  await expect(main).not.toBeFocused();
  const open = async (name: string) => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).focus();
    await page.keyboard.press('Enter');
  };
  await open('Properties');
  await expect(page.getByRole('heading', { name: 'Properties' })).toBeVisible();
  await expect(main).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Export CSV' })).toBeFocused();
  // Another filter is still the same page: its tab keeps the focus, and a form has its own field for it.
  await page.getByRole('searchbox').fill('nowhere');
  await expect(page.getByText('Nothing matches these filters')).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeFocused();
  await open('Settings');
  await expect(main).toBeFocused();
  const team = main.getByRole('link', { name: 'Team' });
  await team.click();
  await expect(page.getByRole('heading', { name: 'Team' })).toBeVisible();
  await expect(team).toBeFocused();
  await open('Properties');
  await page.getByRole('button', { name: 'Add property' }).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  // This also works in the drawer of a small screen.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Tenants' }).click();
  await expect(page.getByRole('heading', { name: 'Tenants' })).toBeVisible();
  await expect(main).toBeFocused();
});

test('a repair goes from the board to its end and back', async ({ page, owner, receiver }) => {
  const { request } = await buildEstate(owner, receiver.url());
  await page.goto('/maintenance?view=board');
  const column = (name: string) => page.getByRole('region', { name });
  await column('Open').getByRole('listitem').dragTo(column('In progress'));
  await expect(column('In progress').getByText('Kitchen tap drips')).toBeVisible();
  await page.getByRole('button', { name: /^Move #/ }).click();
  await page.getByRole('menuitem', { name: 'On hold' }).click();
  await expect(column('On hold').getByText('Kitchen tap drips')).toBeVisible();
  await page.goto(`/maintenance/${request.id}`);
  await page.getByRole('button', { name: 'Complete' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Complete' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByLabel('What was done').fill('New washer');
  await page.getByLabel('Cost').fill('85');
  await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click();
  await expect(page.getByText('$85.00', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Reopen' }).click();
  await expect(page.getByText('Request moved to open')).toBeVisible();
});

test('final actions ask for confirmation', async ({ page, owner, receiver }) => {
  const { payment, request } = await buildEstate(owner, receiver.url());
  const asked = page.getByRole('alertdialog');
  const statusOf = async (path: string) => (await owner.get<{ status: string }>(path)).status;
  const choose = async (button: RegExp, item: string) => {
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  await page.goto(`/payments/${payment.id}`);
  await choose(/^Change status/, 'Void');
  await expect(asked).toContainText('The status cannot be changed afterwards.');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Change status' })).toBeFocused();
  expect(await statusOf(`/payments/${payment.id}`)).toBe('paid');
  await choose(/^Change status/, 'Mark as returned');
  const reversal = page.getByRole('dialog');
  await expect(reversal).toContainText('The status cannot be changed afterwards.');
  await reversal.getByRole('button', { name: 'Mark as returned' }).click();
  await expect(page.getByText('Payment marked as returned')).toBeVisible();
  await expect(reversal).toHaveCount(0);

  await page.goto(`/maintenance/${request.id}`);
  await choose(/^Move/, 'On hold');
  await expect(page.getByText('Request moved to on hold')).toBeVisible();
  await choose(/^Move/, 'Cancelled');
  await asked.getByRole('button', { name: 'Keep it' }).click();
  await expect(page.getByRole('button', { name: 'Move' })).toBeFocused();
  await page.goto('/maintenance?view=board');
  await choose(/^Move #/, 'Cancelled');
  await expect(asked).toContainText('Kitchen tap drips');
  expect(await statusOf(`/maintenance/${request.id}`)).toBe('on_hold');
  await asked.getByRole('button', { name: 'Cancel request' }).click();
  await expect(page.getByText('Request cancelled')).toBeVisible();
  expect(await statusOf(`/maintenance/${request.id}`)).toBe('cancelled');
});

test('with reduced motion, nothing moves for ever', async ({ page, owner }) => {
  expect(owner.accountId).toBeTruthy();
  // These requests are never answered, so that a placeholder stays in place.
  await page.route(/internal\/v1\/tenants\?/, () => undefined);
  await page.goto('/tenants');
  await expect(page.locator('.skeleton').first()).toBeVisible();
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a list of 10,000 tenants stays light', async ({ page, owner, service }) => {
  const seen = 1_000;
  await addManyTenants(service.dataDir, owner.accountId, 10_000);
  await page.goto('/tenants');
  const rows = page.getByRole('table', { name: 'Tenants' }).getByRole('row');
  await expect(rows.nth(1)).toBeVisible();
  await expect(async () => {
    await page.mouse.wheel(0, 4000);
    expect(Number(await rows.last().getAttribute('aria-rowindex'))).toBeGreaterThan(seen);
  }).toPass({ intervals: [50] });
  expect(await rows.count()).toBeLessThan(150);
  await page.getByRole('searchbox').fill('09999');
  await expect(rows).toHaveCount(2);
});

test('the first load is under 200 kB of gzipped JavaScript', async ({ page, owner, receiver }) => {
  await buildEstate(owner, receiver.url());
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url());
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Charges over 12 months' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all([...scripts].map((url) => gzippedSize(page.request, url)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThan(200_000);
});

async function gzippedSize(request: APIRequestContext, url: string): Promise<number> {
  const response = await request.get(url, { headers: { 'accept-encoding': 'gzip' } });
  expect(response.headers()['content-encoding']).toBe('gzip');
  return Number(response.headers()['content-length']);
}
