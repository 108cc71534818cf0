import { createHmac } from 'node:crypto';
import type { Received } from '../test/support/receiver.ts';
import { expect, test } from './fixtures.ts';
import { newEmail, password } from './people.ts';

/** Checks the signature as the documentation tells receivers to. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const [, time, given] = headers['x-service-signature']?.match(/^t=(\d+),v1=([0-9a-f]{64})$/) ?? [];
  const isFresh = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  return isFresh && createHmac('sha256', secret).update(`${time}.${body}`).digest('hex') === given;
}

test('a newcomer goes the whole way, from signing up to a verified webhook', async ({ page, receiver }) => {
  const link = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await test.step('signs up', async () => {
    await page.goto('/');
    await page.getByLabel('Name').fill('Nora Newcomer');
    await page.getByLabel('Email').fill(newEmail());
    await page.getByLabel('Password').fill(password);
    await button('Sign up').click();
    await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible();
  });

  await test.step('adds a property with a unit, and another unit', async () => {
    await page.getByRole('link', { name: 'Add a property' }).click();
    await page.getByLabel('Name').fill('Maple Court');
    await page.getByLabel('Unit 1', { exact: true }).fill('1A');
    await page.getByLabel('Rent, unit 1').fill('1,250');
    await button('Add property').click();
    await expect(page.getByRole('heading', { name: 'Maple Court' })).toBeVisible();
    await expect(page.getByText('$1,250.00')).toBeVisible();
    await button('Add unit').click();
    await page.getByLabel('Name').fill('1B');
    await page.getByRole('dialog').getByRole('button', { name: 'Add unit' }).click();
    await expect(page.getByText('Unit added')).toBeVisible();
  });

  await test.step('adds a tenant', async () => {
    await link('Tenants').click();
    await button('Add tenant').click();
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Okafor');
    await page.getByLabel('Add their lease too').uncheck();
    await button('Add tenant').click();
    await expect(page.getByRole('heading', { name: 'Ada Okafor' })).toBeVisible();
  });

  await test.step('makes a lease', async () => {
    await link('Leases').click();
    await button('Add lease').click();
    await page.getByRole('combobox', { name: 'Property', exact: true }).fill('maple');
    await page.getByRole('option', { name: 'Maple Court' }).click();
    await page.getByRole('combobox', { name: 'Unit', exact: true }).click();
    await page.getByRole('option', { name: '1A' }).click();
    await page.getByRole('combobox', { name: 'Tenants', exact: true }).fill('oka');
    await page.getByRole('option', { name: 'Ada Okafor' }).click();
    // The lease starts on the first of the month, so that the whole rent is due.
    await page.getByLabel('Start').fill(`${(await page.getByLabel('Start').inputValue()).slice(0, 7)}-01`);
    await page.getByLabel('Monthly rent').fill('1250.50');
    await button('Add lease').click();
    await expect(page.getByRole('heading', { name: 'Maple Court, 1A' })).toBeVisible();
    await expect(page.getByLabel('Balance', { exact: true })).toContainText('Owed$1,250.50');
  });

  await test.step('records a payment in a few keystrokes', async () => {
    await link('Payments').click();
    // The page of the lease has a button of the same name.
    await expect(page.getByRole('heading', { name: 'Payments', level: 1 })).toBeVisible();
    await button('Record payment').click();
    await expect(page.getByRole('dialog').getByLabel('Tenant')).toBeFocused();
    await page.keyboard.type('ada');
    await expect(page.getByRole('option', { name: 'Ada Okafor' })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Amount')).toHaveValue('1250.50');
    await expect(page.getByLabel('Amount')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('$1,250.50 from Ada Okafor recorded')).toBeVisible();
    await expect(page.getByRole('table', { name: 'Payments' }).getByText('Ada Okafor')).toBeVisible();
  });

  const key = await test.step('makes a key and uses it with a real API call', async () => {
    await link('Settings').click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await button('Create API key').click();
    await page.getByLabel('Name').fill('Accounting');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    const made = (await page.getByText(/^svc_live_\w{43}$/).textContent()) ?? '';
    await expect(page.getByText(/^curl .*\/api\/v1\/properties -H/)).toBeVisible();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(made);
    await button('I have saved it').click();
    await expect(page.getByText(`${made.slice(0, 13)}`)).toBeVisible();
    await expect(page.getByText(made)).toHaveCount(0);
    return made;
  });
  const callApi = () => page.request.get('/api/v1/tenants', { headers: { authorization: `Bearer ${key}` } });
  expect(await (await callApi()).json()).toMatchObject({ count: 1, data: [{ last_name: 'Okafor' }] });

  const secret = await test.step('makes a webhook', async () => {
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await button('Add endpoint').click();
    await page.getByLabel('URL').fill(receiver.url());
    await page.getByLabel('tenant.created').check();
    await button('Add endpoint').click();
    const shown = (await page.getByText(/^whsec_[0-9a-f]{64}$/).textContent()) ?? '';
    await button('I have saved it').click();
    await expect(page.getByRole('heading', { name: receiver.url() })).toBeVisible();
    return shown;
  });

  const log = page.getByRole('list', { name: 'Deliveries' });
  await test.step('sends a test event, sees it in the log, and it is signed', async () => {
    await button('Send test event').click();
    await expect(page.getByText(/Test event delivered: 200 in \d+ ms/)).toBeVisible();
    await expect(log.getByRole('link', { name: /webhook\.test.*Delivered.*200/s })).toHaveCount(1);
    const [test] = await receiver.count(1);
    expect(test && isSigned(test, secret)).toBe(true);
    const detail = page.getByRole('article', { name: 'Delivery' });
    await expect(detail.getByText('X-Service-Signature')).toBeVisible();
    await expect(
      detail.getByText('Also sent, but not stored: Host, Content-Length and User-Agent'),
    ).toBeVisible();
    expect(test?.headers['user-agent']).toMatch(/^Tenure\/\d/);
    await expect(detail.getByText(test?.headers['x-service-delivery'] ?? '').first()).toBeVisible();
  });

  await test.step('redelivers it: the same bytes, a new delivery', async () => {
    await button('Redeliver').click();
    const [before, again] = await receiver.count(2);
    expect(again?.body).toBe(before?.body);
    expect(again?.headers['x-service-delivery']).not.toBe(before?.headers['x-service-delivery']);
    expect(again && isSigned(again, secret)).toBe(true);
    await expect(log.getByRole('link', { name: /Delivered/ })).toHaveCount(2);
  });

  await test.step('rotates the secret', async () => {
    await button('Rotate secret').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click();
    await expect(page.getByText(/^whsec_/)).not.toHaveText(secret);
    await button('I have saved it').click();
  });

  await test.step('reloads and finds everything', async () => {
    await page.reload();
    await expect(log.getByRole('link', { name: /Delivered/ })).toHaveCount(2);
    await link('Home').click();
    await expect(page.getByText('Payment recorded')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Get started' })).toHaveCount(0);
    await link('Properties').click();
    await expect(page.getByRole('link', { name: 'Maple Court' })).toBeVisible();
    await link('Leases').click();
    await expect(page.getByRole('link', { name: 'Ada Okafor' })).toBeVisible();
  });

  await test.step('deletes the endpoint and revokes the key', async () => {
    await link('Settings').click();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('link', { name: receiver.url() }).click();
    await button('Delete').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('No endpoints yet')).toBeVisible();
    await page.getByRole('link', { name: 'API keys' }).click();
    await button('Revoke').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
    await expect.poll(async () => (await callApi()).status()).toBe(401);
  });
});
