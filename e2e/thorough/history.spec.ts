import { expect, settled, test } from '../fixtures.ts';
import { newEmail, signUp, tokenOf } from '../people.ts';

interface Made {
  id: string;
}

test('a record shows who changed it, from what to what, and takes notes', async ({ page, owner }) => {
  const tenant = await owner.post<Made>('/tenants', { first_name: 'Ada', last_name: 'Okafor', phone: '1' });
  await owner.patch(`/tenants/${tenant.id}`, { phone: '+1 217 555 0142' });
  await page.goto(`/tenants/${tenant.id}`);
  const history = page.getByRole('list', { name: 'History' });
  await expect(history.getByRole('listitem').first()).toContainText('Phone: 1 → +1 217 555 0142');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('She will call back.');
  await page.getByRole('dialog').getByRole('button', { name: 'Add note' }).click();
  await expect(history.getByText('She will call back.')).toBeVisible();
});

test('charges, credits and recurring charges show their history where they are listed', async ({
  page,
  owner,
}) => {
  const property = await owner.post<Made>('/properties', { name: 'Maple Court' });
  const unit = await owner.post<Made>('/units', { property_id: property.id, name: '2B' });
  const tenant = await owner.post<Made>('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const lease = await owner.post<Made>('/leases', {
    unit_id: unit.id,
    tenant_ids: [tenant.id],
    start_date: '2026-01-01',
    ledger_from: '2026-01-01',
    rent_cents: 100_000,
  });
  await owner.post('/credits', {
    lease_id: lease.id,
    amount_cents: 500,
    reason: 'concession',
    memo: 'Noise',
  });
  const charge = await owner.post<Made>('/charges', {
    lease_id: lease.id,
    kind: 'utility',
    amount_cents: 4500,
    due_on: '2026-02-01',
    memo: 'Water',
  });
  await owner.post(`/charges/${charge.id}/notes`, { note: 'The meter was read twice.' });
  const parking = await owner.post<Made>('/recurring-charges', {
    lease_id: lease.id,
    kind: 'parking',
    amount_cents: 5000,
    starts_on: '2026-02-01',
  });
  await owner.patch(`/recurring-charges/${parking.id}`, { ends_on: '2030-01-31' });
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'History of Utilities: Water' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('list', { name: 'History' })).toContainText('The meter was read twice.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: /^History of .*Noise/ }).click();
  await expect(dialog.getByRole('list', { name: 'History' })).toContainText('created this');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Change Parking' }).click();
  await page.getByRole('menuitem', { name: 'History' }).click();
  await expect(dialog.getByRole('list', { name: 'History' })).toContainText('Last day: Jan 31, 2030');
});

test('removing a person shows their keys, and can revoke them in the same step', async ({
  page,
  owner,
  playwright,
  service,
}) => {
  const email = newEmail();
  const { link } = await owner.post<{ link: string }>('/team/invitations', { email, role: 'manager' });
  const theirs = await playwright.request.newContext();
  const manager = await signUp(theirs, service.url, { email, invitation: tokenOf(link) });
  await manager.post('/api-keys', { name: 'Bookkeeping', permission: 'write' });
  await page.goto('/settings/team');
  await settled(page);
  await page.getByRole('row', { name: email }).getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Bookkeeping');
  await expect(dialog.getByLabel('Revoke these keys as well')).toBeChecked();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Removed from the team')).toBeVisible();
  const [key] = await owner.get<{ status: string }[]>('/api-keys');
  expect(key?.status).toBe('revoked');
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByRole('table', { name: 'Audit log' })).toContainText('Revoked an API key');
  await theirs.dispose();
});

test('a key is limited to some records and to addresses', async ({ page, owner }) => {
  await page.goto('/settings/api-keys?create=new');
  await page.getByLabel('Name', { exact: true }).fill('Rent reminders');
  await page.getByLabel('Access to').selectOption('some');
  await page.getByLabel('Balances').check();
  await page.getByLabel('Allowed addresses').fill('203.0.113.7, 10.1.2.3/8');
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
  await expect(page.getByText('I have saved it')).toBeVisible();
  const [key] = await owner.get<object[]>('/api-keys');
  expect(key).toMatchObject({ scopes: ['balances'], allowed_addresses: ['203.0.113.7/32', '10.0.0.0/8'] });
});
