import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { buildEstate } from '../estate.ts';
import { expect, settled, test, walkTo } from '../fixtures.ts';
import { signUp, tokenOf } from '../people.ts';

async function exported(page: Page): Promise<string> {
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  return readFile(await download.path(), 'utf8');
}

test('the rent roll shows each unit with its tenant and balance, on any day, also as CSV', async ({
  page,
  owner,
  receiver,
}) => {
  const { lease } = await buildEstate(owner, receiver.url());
  await owner.patch(`/leases/${lease.id}`, { ledger_from: '2025-01-01' });
  await page.goto('/');
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Rent roll' })).toBeVisible();
  await page.getByLabel('On', { exact: true }).fill('2025-03-15');
  await expect(page).toHaveURL(/as_of=2025-03-15/);
  const table = page.getByRole('table', { name: 'Rent roll' });
  // Rents were due on the first of January, February and March. The payment came later.
  await expect(table.getByRole('row', { name: /Maple Court 1A/ })).toContainText(
    /Occupied.*Ada Okafor.*\$1,250\.00.*\$0\.00.*\$3,750\.00/,
  );
  await expect(table.getByRole('row', { name: /Maple Court 1B/ })).toContainText('Vacant');
  await expect(page.getByLabel('Totals')).toContainText('Owed$3,750.00');
  const csv = await exported(page);
  expect(csv).toContain('Maple Court');
  expect(csv).toContain('3750.00');
  await page.setViewportSize({ width: 375, height: 780 });
  const card = page.getByRole('listitem').filter({ hasText: 'Maple Court, 1A' });
  await expect(card).toContainText('$3,750.00 owed');
});

test('rent collected sums by month and by property', async ({ page, owner, receiver }) => {
  const { tenant, lease } = await buildEstate(owner, receiver.url());
  await owner.patch(`/leases/${lease.id}`, { ledger_from: '2025-01-01' });
  // This payment and today's pay for January and part of February.
  await owner.post('/payments', { tenant_id: tenant.id, amount_cents: 50_000, paid_on: '2025-02-03' });
  await page.goto('/reports/rent-collected?from=2025-01-01&to=2025-03-31');
  const table = page.getByRole('table', { name: 'Rent collected' });
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(table.getByRole('row', { name: /February 2025/ })).toContainText(
    '$1,250.00$500.00$750.00$500.001',
  );
  await expect(page.getByLabel('Totals')).toContainText('Expected$3,750.00Collected$1,750.00');
  await page.getByRole('button', { name: 'By property' }).click();
  await expect(table.getByRole('row', { name: /Maple Court/ })).toContainText(
    '$3,750.00$1,750.00$2,000.00$500.001',
  );
  expect(await exported(page)).toContain('Maple Court');
});

test('every list can be downloaded as CSV, with its filters', async ({ page, owner, receiver }) => {
  await buildEstate(owner, receiver.url());
  await page.goto('/tenants?q=nobody');
  await settled(page);
  expect((await exported(page)).trim().split('\n')).toHaveLength(1);
  for (const path of ['/properties', '/tenants', '/leases', '/maintenance', '/maintenance?view=board']) {
    await walkTo(page, path);
    expect((await exported(page)).trim().split('\n'), path).toHaveLength(2);
  }
});

const csvFile = (text: string) => ({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

test('tenants are imported from a file: map a column, correct an error, import, find them', async ({
  page,
  owner,
}) => {
  expect(owner.accountId).toMatch(/^acct_/);
  await page.goto('/settings/account');
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  const chooser = page.getByLabel('Tenants file');
  await chooser.setInputFiles(
    csvFile('Rufname,Last name,Email\nGrace,Hopper,grace@example.com\nAlan,Turing,alan@\n'),
  );
  const errors = page.getByRole('table', { name: 'Errors of Tenants' });
  await expect(errors).toContainText('Rufname');
  const submit = page.getByRole('button', { name: 'Import', exact: true });
  await expect(submit).toBeDisabled();
  await page.getByLabel('Rufname is').selectOption('first_name');
  await expect(errors.getByRole('row').nth(1)).toContainText(/3.*Email/);
  await expect(submit).toBeDisabled();
  await chooser.setInputFiles(
    csvFile('Rufname,Last name,Email\nGrace,Hopper,grace@example.com\nAlan,Turing,alan@example.com\n'),
  );
  await expect(page.getByLabel('Counts of Tenants')).toContainText('2 to create');
  await submit.click();
  await expect(page.getByText('Imported: 2 records created or changed')).toBeVisible();
  await page.getByRole('list', { name: 'Result' }).getByRole('link', { name: 'Tenants' }).click();
  await expect(page.getByRole('link', { name: 'Grace Hopper' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Alan Turing' })).toBeVisible();
});

test('one rent roll makes everything; rows with errors are left out, downloaded and imported later', async ({
  page,
  owner,
}) => {
  const roll =
    'Unit,Tenant,Emails,Lease From,Lease To,Mo. Rent,Security Deposit Held,Tags\n' +
    '"Maple Court - 12 Maple St Portland, OR 97201",,,,,,,\n' +
    '1A,"Patel, Dev & Mina",dev@example.com,01/15/2026,At-will,"$1,250.00",500,\n' +
    '1B,"Shah, Raj",raj at example,01/01/2026,12/31/2027,900,,late payer\n1C,VACANT,,,,,,\n';
  await page.goto('/settings/import');
  await page.getByLabel('Rent roll file').setInputFiles(csvFile(roll));
  const errors = page.getByRole('table', { name: 'Errors of Rent roll' });
  await expect(errors).toContainText('Must be an e-mail address.');
  await expect(page.getByText('Recognized as an export of AppFolio.')).toBeVisible();
  await expect(page.getByText('Not recognized, so not imported: Tags')).toBeVisible();
  const submit = page.getByRole('button', { name: 'Import', exact: true });
  await expect(submit).toBeDisabled();
  await page.getByLabel('Leave out rows with errors').check();
  await expect(page.getByLabel('Counts of Rent roll')).toContainText('1 row with errors left out');
  await settled(page);
  for (const [width, name] of [
    [1280, 'desktop'],
    [375, 'phone'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: test.info().outputPath(`rent-roll-${name}.png`), fullPage: true });
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow, name).toBeLessThanOrEqual(0);
  }
  await submit.click();
  const result = page.getByRole('list', { name: 'Result' });
  await expect(result).toContainText('Leases 1 created');
  await expect(result).toContainText('Tenants 2 created');
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download rows with errors' }).click();
  const rejected = await readFile(await (await coming).path(), 'utf8');
  expect(rejected).toContain('Must be an e-mail address.');
  await page
    .getByLabel('Rent roll file')
    .setInputFiles(csvFile(rejected.replace('raj at example', 'raj@example.com')));
  await expect(page.getByLabel('Counts of Rent roll')).toContainText('3 to create');
  await submit.click();
  await expect(result).toContainText('Properties 0 created');
  await expect(result).toContainText('Leases 1 created');
  expect(await owner.get<unknown[]>('/properties')).toHaveLength(1);
  expect(await owner.get<unknown[]>('/leases')).toHaveLength(2);
});

test('ambiguous dates need a choice', async ({ page, owner, receiver }) => {
  await buildEstate(owner, receiver.url());
  await page.goto('/settings/import');
  await page
    .getByLabel('Payments file')
    .setInputFiles(csvFile('Tenant,Amount,Date\nAda Okafor,"1,250.00",03/04/2026\n'));
  await page.getByLabel('Dates such as 03/04/2026').selectOption('dmy');
  await expect(page.getByLabel('Counts of Payments')).toContainText('1 to create');
  await page.getByLabel('Send events').uncheck();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Result' })).toContainText('1 created');
  await page.goto('/payments');
  await expect(page.getByText('Apr 3, 2026')).toBeVisible();
});

test('a viewer sees the reports and no import', async ({ owner, page, service, context }) => {
  const { link } = await owner.post<{ link: string }>('/team/invitations', {
    email: 'viewer-of-reports@example.com',
    role: 'viewer',
  });
  await context.clearCookies();
  await signUp(page.request, service.url, {
    email: 'viewer-of-reports@example.com',
    name: 'Vera Viewer',
    invitation: tokenOf(link),
  });
  await page.goto('/reports/rent-roll');
  await expect(page.getByText('Nothing to report yet')).toBeVisible();
  await page.goto('/settings/import');
  await expect(page.getByText('Your role does not allow this')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Import', exact: true })).toHaveCount(0);
  await expect(page.getByLabel('Tenants file')).toHaveCount(0);
});
