import { buildEstate } from '../estate.ts';
import { expect, test } from '../fixtures.ts';

test('what was typed for one record survives a slip of the mouse, and is never saved to another', async ({
  page,
  owner,
}) => {
  const ada = await owner.post<{ id: string }>('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  await owner.post('/tenants', { first_name: 'Bob', last_name: 'Brown' });
  await page.goto(`/tenants/${ada.id}`);
  await expect(page.getByRole('heading', { name: 'Ada Okafor' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Find a property').fill('bob');
  await page.getByRole('option', { name: /Bob/ }).click();
  await expect(page.getByRole('heading', { name: 'Bob Brown' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Phone').fill('555 0100');
  await page.mouse.click(20, 800);
  await expect(page.getByLabel('Phone')).toHaveValue('555 0100');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Ada Okafor' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a short outage loses nothing that was typed, and a page that never loaded can be requested again', async ({
  page,
  owner,
  watch,
}) => {
  watch.expectFailures();
  const property = await owner.post<{ id: string }>('/properties', { name: 'Maple Court' });
  let refused = 0;
  await page.goto(`/properties/${property.id}`);
  await page.getByRole('button', { name: 'Add unit' }).click();
  await page.getByLabel('Name').fill('1A');
  await page.route('**/internal/v1/**', (route) => {
    if (route.request().url().endsWith(`/properties/${property.id}`)) refused++;
    return route.abort('connectionrefused');
  });
  await page.clock.setFixedTime(Date.now() + 30_000);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await expect.poll(() => refused, { message: 'it has given up' }).toBe(3);
  await page.unroute('**/internal/v1/**');
  await expect(page.getByText('No connection to the server.')).toHaveCount(0);
  await expect(page.getByLabel('Name')).toHaveValue('1A');

  await page.route('**/internal/v1/session', (route) => route.abort('connectionrefused'));
  await page.goto('/properties');
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await page.unroute('**/internal/v1/session');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: 'Maple Court' })).toBeVisible();
});

test('a full disk is reported as such, and what was typed is still there', async ({ page, owner, watch }) => {
  expect(owner.accountId).toBeTruthy();
  watch.expectStatus(503);
  await page.goto('/properties/new');
  await page.getByLabel('Name').fill('Maple Court');
  const path = '**/internal/v1/properties';
  const message = 'The storage is full: nothing was written';
  await page.route(path, (route) => route.fulfill({ status: 503, json: { error: { code: 503, message } } }));
  await page.getByRole('button', { name: 'Add property' }).click();
  await expect(page.getByRole('alert')).toHaveText(`${message}. Tell whoever runs this service.`);
  await page.unroute(path);
  await page.getByRole('button', { name: 'Add property' }).click();
  await expect(page.getByRole('heading', { name: 'Maple Court' })).toBeVisible();
});

test('a payment can be recorded from the palette on the page of payments, whose filters stay', async ({
  page,
  owner,
}) => {
  expect(owner.accountId).toBeTruthy();
  await page.goto('/payments?status=pending');
  await expect(page.getByText('Nothing matches these filters')).toBeVisible();
  for (const way of ['palette', 'palette again', 'button']) {
    if (way === 'button') await page.getByRole('button', { name: 'Record payment' }).click();
    else {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Find a property').fill('record pay');
      await page.keyboard.press('Enter');
    }
    const dialog = page.getByRole('dialog', { name: 'Record payment' });
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page, way).toHaveURL(/\/payments\?status=pending$/);
  }
});

test('a second card can be moved on the board while the first is on its way', async ({ page, owner }) => {
  const property = await owner.post<{ id: string }>('/properties', { name: 'Maple Court' });
  for (const title of ['First', 'Second'])
    await owner.post('/maintenance', { property_id: property.id, title });
  const { promise: bothMoved, resolve: letThrough } = Promise.withResolvers<void>();
  await page.route('**/internal/v1/maintenance/*', async (route) => {
    await bothMoved;
    await route.continue();
  });
  await page.goto('/maintenance?view=board');
  const column = (name: string) => page.getByRole('region', { name });
  const card = (title: string) => page.getByRole('listitem').filter({ hasText: title });
  await card('First').dragTo(column('Scheduled'));
  await expect(card('First')).toHaveAttribute('draggable', 'false');
  await card('Second').dragTo(column('In progress'));
  await expect(card('Second')).toHaveAttribute('draggable', 'false');
  letThrough();
  await expect(column('Scheduled').getByText('First')).toBeVisible();
  await expect(column('In progress').getByText('Second')).toBeVisible();
});

test('an endpoint whose answer was lost is added once, and its secret is shown after all', async ({
  page,
  owner,
  receiver,
  watch,
}) => {
  watch.expectFailures();
  await page.goto('/settings/webhooks/new');
  await page.getByLabel('URL').fill(receiver.url());
  await page.getByLabel('tenant.created').check();
  const path = '**/internal/v1/webhooks';
  await page.route(
    path,
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(page.getByRole('alert')).toContainText('The server could not be reached');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await page.mouse.click(20, 800);
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  expect(await owner.get<unknown[]>('/webhooks')).toHaveLength(1);
});

test('a half-filled page is left only when the person confirms it', async ({
  page,
  owner,
  context,
  watch,
}) => {
  const link = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  const name = page.getByLabel('Name');
  const fillNew = async () => {
    await link('Properties').click();
    await button('Add property').click();
    await name.fill('Maple Court');
  };
  await page.goto('/');
  await fillNew();

  const ways: [string, () => Promise<unknown>][] = [
    ['a link', () => link('Tenants').click()],
    [
      'the palette',
      async () => {
        await page.keyboard.press('Control+k');
        await page.getByPlaceholder('Find a property').fill('leases');
        await page.keyboard.press('Enter');
      },
    ],
    ['Back', () => page.goBack()],
  ];
  for (const [way, go] of ways) {
    await test.step(way, async () => {
      await go();
      await expect(question).toBeVisible();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await expect(question).toHaveCount(0);
      await expect(page).toHaveURL('/properties/new');
      await expect(name).toHaveValue('Maple Court');
    });
  }

  await test.step('a reload', async () => {
    const asked = page.waitForEvent('dialog');
    await page.evaluate('void setTimeout(() => location.reload())');
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await expect(name).toHaveValue('Maple Court');
    expect(watch.problems.splice(0)).toEqual([`dialog: ${dialog.message()}`]);
  });

  await test.step('it is left', async () => {
    await page.goBack();
    await question.getByRole('button', { name: 'Leave' }).click();
    await expect(page).toHaveURL('/properties');
    await expect(page.getByRole('heading', { name: 'Properties' })).toBeVisible();
  });

  await test.step('nothing is asked where nothing was typed, on Cancel, and when it was saved', async () => {
    await button('Add property').click();
    await button('Another unit').click();
    await link('Tenants').click();
    await expect(page).toHaveURL('/tenants');
    await fillNew();
    await button('Cancel').click();
    await expect(page).toHaveURL('/properties');
    await fillNew();
    await button('Add property').click();
    await expect(page.getByRole('heading', { name: 'Maple Court' })).toBeVisible();
  });

  await test.step('a record that is edited', async () => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Notes').fill('New roof');
    await page.getByRole('link', { name: 'Back' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await button('Save changes').click();
    await expect(page.getByText('New roof', { exact: true })).toBeVisible();
  });

  await test.step('a session that ends, and one that is ended', async () => {
    await fillNew();
    watch.expectStatus(401);
    await context.clearCookies();
    await button('Add property').click();
    await expect(page).toHaveURL(/\/sign-in\?next=%2Fproperties%2Fnew$/);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await button('Sign in').click();
    await name.fill('Oak House');
    await page.getByRole('button', { name: new RegExp(owner.email) }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });
});

test('the delivery that is being read stays when a newer one comes', async ({ page, owner, receiver }) => {
  const { webhook } = await buildEstate(owner, receiver.url());
  await page.goto(`/settings/webhooks/${webhook.id}`);
  const read = page.getByRole('article', { name: 'Delivery' }).getByRole('heading', { level: 3 });
  await expect(read).toHaveText('payment.created');
  await owner.post('/tenants', { first_name: 'Ben', last_name: 'Ito' });
  const rows = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
  await expect(rows).toHaveText([/^tenant\.created.*Delivered/, /^payment\.created/]);
  await expect(read).toHaveText('payment.created');
  await page.getByLabel('Status').selectOption('succeeded');
  await expect(read).toHaveText('tenant.created');
  await rows.nth(1).click();
  await expect(read).toHaveText('payment.created');
});
