import type { Page } from '@playwright/test';
import { buildEstate } from '../estate.ts';
import { expect, settled, test } from '../fixtures.ts';
import type { Person } from '../people.ts';

interface Named {
  id: string;
  name: string;
}

/** Ada has paid 1,250 dollars a month since a raise, Bob pays 900 euros. */
async function twoTenants(owner: Person) {
  const property = await owner.post<Named>('/properties', {
    name: 'Maple Court',
    units: [{ name: '1A' }, { name: '1B' }],
  });
  const units = await owner.get<Named[]>(`/units?property_id=${property.id}`);
  const move = async (first_name: string, unit: string, terms: object) => {
    const tenant = await owner.post<Named>('/tenants', { first_name, last_name: 'Okafor' });
    const unit_id = units.find(({ name }) => name === unit)?.id;
    await owner.post('/leases', { unit_id, tenant_ids: [tenant.id], start_date: '2026-01-01', ...terms });
    return tenant;
  };
  const ada = await move('Ada', '1A', {
    rent_cents: 100_000,
    rent_changes: [{ from: '2026-02-01', rent_cents: 125_000 }],
  });
  const bob = await move('Bob', '1B', { rent_cents: 90_000, currency: 'EUR' });
  return { ada, bob };
}

/** Holds back the answers about single tenants until they are released. */
async function holdTenants(page: Page): Promise<() => void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/internal\/v1\/tenants\/ten_/, async (route) => {
    await held;
    await route.continue();
  });
  return () => letGo();
}

test('a payment has the amount typed, the tenant chosen, and the currency of their lease', async ({
  page,
  owner,
}) => {
  const { ada } = await twoTenants(owner);
  const dialog = page.getByRole('dialog');
  const amount = dialog.getByLabel('Amount');
  const submit = dialog.getByRole('button', { name: 'Record payment' });
  const open = async (path: string) => {
    await page.goto(path);
    await page.getByRole('button', { name: 'Record payment' }).click();
  };
  const choose = async (name: string) => {
    await dialog.getByLabel('Tenant').fill(name);
    const found = page.getByRole('listbox', { name: 'Tenant' }).getByRole('option');
    await expect(found).toHaveText([new RegExp(name)]);
    await page.keyboard.press('Enter');
  };

  await test.step('an amount typed before the tenant is chosen stays', async () => {
    await open('/payments');
    await amount.fill('500');
    await choose('Ada');
    await submit.click();
    await expect(page.getByText('$500.00 from Ada Okafor recorded')).toBeVisible();
  });

  await test.step('nothing is sent before the lease is known', async () => {
    await open('/payments');
    const letGo = await holdTenants(page);
    await choose('Bob');
    await amount.fill('500');
    await page.keyboard.press('Enter');
    await expect(submit).toBeDisabled();
    letGo();
    await submit.click();
    await expect(page.getByText('€500.00 from Bob Okafor recorded')).toBeVisible();
  });

  await test.step("another tenant's payment is filled with what they owe", async () => {
    await open(`/tenants/${ada.id}`);
    await expect(amount).toHaveValue('750');
    await expect(amount).toBeFocused();
    const letGo = await holdTenants(page);
    await choose('Bob');
    await page.keyboard.press('Enter');
    await expect(amount).toHaveValue('');
    letGo();
    await expect(amount).toHaveValue('400');
    await expect(amount).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('€400.00 from Bob Okafor recorded')).toBeVisible();
  });

  expect(await owner.get<unknown[]>('/payments')).toMatchObject([
    { amount: '400.00', currency: 'EUR' },
    { amount: '500.00', currency: 'EUR' },
    { amount: '500.00', currency: 'USD' },
  ]);

  await test.step("a tenant who owes nothing pays today's rent, which the lists show", async () => {
    await owner.post('/payments', { tenant_id: ada.id, amount_cents: 75_000 });
    await open(`/tenants/${ada.id}`);
    await expect(amount).toHaveValue('1250');
    for (const path of ['/tenants', '/leases']) {
      await page.goto(path);
      await expect(page.getByRole('row', { name: /Ada Okafor/ })).toContainText('$1,250.00');
    }
  });
});

test('an edit saves what was changed, and keeps what others change in the meantime', async ({
  page,
  owner,
  receiver,
  watch,
}) => {
  const { property, unit, tenant, lease, payment, request } = await buildEstate(owner, receiver.url());
  let patches = 0;
  page.on('request', (sent) => {
    if (sent.method() === 'PATCH') patches++;
  });
  /** Opens the form. A colleague changes something. Then a field is filled in and everything is saved. */
  const edit = async (
    path: string,
    open: () => Promise<unknown>,
    colleague: object,
    [label, text]: [string, string],
    after: object,
  ) => {
    await test.step(path, async () => {
      await open();
      const field = page.getByLabel(label, { exact: true });
      await expect(field).toBeVisible();
      expect(await owner.try('PATCH', path, colleague)).toBe(200);
      await field.fill(text);
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByText(/ saved$/)).toBeVisible();
      expect(await owner.get(path)).toMatchObject({ ...colleague, ...after });
    });
  };
  const dialogOn = (path: string) => async () => {
    await page.goto(path);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
  };
  const pageAt = (path: string) => () => page.goto(`${path}/edit`);

  const propertyPath = `/properties/${property.id}`;
  await edit(
    propertyPath,
    pageAt(propertyPath),
    { address: '99 New Street', type: 'condo', state: 'Ohio' },
    ['Notes', 'A note'],
    { notes: 'A note', city: 'Riverton' },
  );
  const tenantPath = `/tenants/${tenant.id}`;
  await edit(tenantPath, dialogOn(tenantPath), { email: 'new@example.com' }, ['Phone', '555'], {
    phone: '555',
  });
  const leasePath = `/leases/${lease.id}`;
  await edit(
    leasePath,
    pageAt(leasePath),
    { rent_cents: 130_000, end_date: null },
    ['Rent due on day', '5'],
    { due_day: 5 },
  );
  const paymentPath = `/payments/${payment.id}`;
  await edit(
    paymentPath,
    dialogOn(paymentPath),
    { amount_cents: 99_000, memo: 'By card' },
    ['Reference', 'No. 7'],
    { reference: 'No. 7' },
  );
  const requestPath = `/maintenance/${request.id}`;
  await edit(
    requestPath,
    pageAt(requestPath),
    { priority: 'low', assigned_to: 'Other Plumbing' },
    ['Title', 'Bath tap drips'],
    { title: 'Bath tap drips' },
  );
  await edit(
    `/units/${unit.id}`,
    async () => {
      await page.goto(propertyPath);
      await page.getByRole('button', { name: '1A', exact: true }).click();
    },
    { market_rent_cents: 140_000 },
    ['Bathrooms', '1.5'],
    { bathrooms: 1.5 },
  );

  await test.step('where nothing was changed, nothing is sent', async () => {
    const before = patches;
    await page.goto(`${propertyPath}/edit`);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page).toHaveURL(new RegExp(`${propertyPath}$`));
    await settled(page);
    expect(patches).toBe(before);
  });

  await test.step('giving notice and completing a request change nothing else either', async () => {
    await page.goto(leasePath);
    await page.getByRole('button', { name: 'Give notice' }).click();
    expect(await owner.try('PATCH', leasePath, { end_date: '2027-06-30' })).toBe(200);
    await page.getByRole('dialog').getByRole('button', { name: 'Give notice' }).click();
    await expect(page.getByText('Notice recorded')).toBeVisible();
    expect(await owner.get(leasePath)).toMatchObject({
      end_date: '2027-06-30',
      notice_given_on: expect.any(String),
    });
    await page.goto(requestPath);
    await page.getByRole('button', { name: 'Complete' }).click();
    expect(await owner.try('PATCH', requestPath, { cost_cents: 8_500 })).toBe(200);
    await page.getByLabel('What was done').fill('New washer');
    await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click();
    await expect(page.getByText('Request completed')).toBeVisible();
    expect(await owner.get(requestPath)).toMatchObject({ cost_cents: 8_500, resolution: 'New washer' });
  });

  await test.step('a field that must not be empty says so', async () => {
    watch.expectStatus(400);
    await page.goto(paymentPath);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Amount').fill('');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByLabel('Amount')).toHaveAccessibleDescription(/^Must be/);
  });
});

test('a dialog belongs to the record that it was opened for', async ({ page, owner }) => {
  const { ada, bob } = await twoTenants(owner);
  await page.goto(`/tenants/${ada.id}`);
  await settled(page);
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Find a property').fill('bob');
  await page
    .getByRole('option', { name: /Bob Okafor/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Bob Okafor' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Phone').fill('555');
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(ada.id));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await owner.get(`/tenants/${bob.id}`)).toMatchObject({ phone: null });
});

test('a request comes with the names of what it belongs to, and keeps what cannot be looked up', async ({
  page,
  owner,
  receiver,
  watch,
}) => {
  watch.expectStatus(500);
  const { property, unit, tenant, request } = await buildEstate(owner, receiver.url());
  const error = { error: { code: 500, message: 'Internal server error' } };
  await page.route(/internal\/v1\/(properties\/prop_|units\/unit_|tenants\/ten_)/, (route) =>
    route.fulfill({ status: 500, json: error }),
  );
  await page.goto(`/maintenance/${request.id}/edit`);
  await expect(page.getByLabel('Unit', { exact: true })).toHaveValue('1A');
  await expect(page.getByLabel('Reported by')).toHaveValue('Ada Okafor');
  await page.getByLabel('Title').fill('Bath tap drips');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Request saved')).toBeVisible();
  expect(await owner.get(`/maintenance/${request.id}`)).toMatchObject({
    title: 'Bath tap drips',
    property_id: property.id,
    unit_id: unit.id,
    tenant_id: tenant.id,
  });

  await test.step('a new one keeps the property of its address, and names it once it can, with what was typed by then', async () => {
    await page.goto(`/maintenance/new?property_id=${property.id}`);
    await expect(page.getByLabel('Property', { exact: true })).toHaveValue('…');
    await page.getByLabel('Title').fill('Shower drips');
    await page.unrouteAll();
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await expect(page.getByLabel('Property', { exact: true })).toHaveValue('Maple Court');
    await expect(page.getByLabel('Title')).toHaveValue('Shower drips');
  });
});

test('a form says what a change means for the past before it is made', async ({ page, owner, receiver }) => {
  const { lease } = await buildEstate(owner, receiver.url());
  await page.goto(`/leases/${lease.id}/edit`);
  await expect(page.getByLabel('Monthly rent')).toHaveAccessibleDescription(/past months too/);
  await page.goto('/leases/new');
  await expect(page.getByLabel('Monthly rent')).not.toHaveAccessibleDescription(/past months/);
  await page.goto('/settings/account');
  await expect(page.getByLabel('Currency')).toHaveAccessibleDescription(/asking rents and repair costs/i);
});

test('a number is what was typed, with a mark for decimals or for thousands', async ({ page, owner }) => {
  await page.goto('/properties/new');
  await page.getByLabel('Name').fill('Maple Court');
  await page.getByLabel('Unit 1', { exact: true }).fill('1A');
  await page.getByLabel('Bathrooms, unit 1').fill('1,5');
  await page.getByRole('button', { name: 'Add property' }).click();
  await page.getByRole('button', { name: '1A', exact: true }).click();
  await page.getByLabel('Area (sq ft)').fill('1,000');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Unit saved')).toBeVisible();
  expect(await owner.get('/units')).toMatchObject([{ bathrooms: 1.5, area_sqft: 1000 }]);
});

test('Cancel leads back, or to the list where there is nothing to go back to', async ({ page, owner }) => {
  expect(owner.accountId).toBeTruthy();
  const cancel = page.getByRole('button', { name: 'Cancel' });
  for (const list of ['/leases', '/maintenance']) {
    await page.goto('about:blank');
    await page.goto(`${list}/new`);
    await cancel.click();
    await expect(page).toHaveURL(list);
    await page.goto('/');
    await settled(page);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Find a property').fill(list === '/leases' ? 'add lease' : 'add req');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${list}/new`);
    await cancel.click();
    await expect(page).toHaveURL('/');
  }
});
