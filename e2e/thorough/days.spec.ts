import { buildEstate } from '../estate.ts';
import { expect, settled, test } from '../fixtures.ts';

/* Days and times are shown in the account's time zone, wherever the reader is. */
test.use({ timezoneId: 'America/Los_Angeles' });

test("today and all moments are the account's", async ({ page, owner, receiver }) => {
  const { lease } = await buildEstate(owner, receiver.url());
  await owner.try('PATCH', '/account', { time_zone: 'Pacific/Kiritimati' });
  // In California it is 4 p.m. on the last day of February, in Kiritimati 2 p.m. on 1 March.
  await page.clock.setFixedTime('2027-03-01T00:00:00Z');
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Give notice' }).click();
  await expect(page.getByLabel('Notice given on')).toHaveValue('2027-03-01');

  await page.route('**/internal/v1/team', async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replace(
      /"created_at":"[^"]+"/g,
      '"created_at":"2025-12-31T12:00:00.000Z"',
    );
    await route.fulfill({ response, body: text });
  });
  await page.goto('/settings/team');
  const joined = page.locator('time[datetime="2025-12-31T12:00:00.000Z"]').first();
  await expect(joined).toHaveText('Jan 1, 2026');
  await expect(joined).toHaveAttribute('title', /^Jan 1, 2026, 2:00:00 AM GMT\+14$/);
});

test('notice given on a day that has not begun for the server can be withdrawn', async ({
  page,
  owner,
  receiver,
}) => {
  const { lease } = await buildEstate(owner, receiver.url());
  // The clock of this reader's machine is ahead.
  await page.clock.setFixedTime(Date.now() + 36 * 3_600_000);
  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Give notice' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Give notice' }).click();
  await expect(page.getByText('Notice recorded')).toBeVisible();
  await page.getByRole('button', { name: 'Withdraw notice' }).click();
  await expect(page.getByText('Notice withdrawn')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Give notice' })).toBeVisible();
});

test('any range of days can be chosen, on any day', async ({ page, owner, receiver }) => {
  await buildEstate(owner, receiver.url());
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/payments?')) asked.push(request.url());
  });
  // On the last day of a month, the time from its first day to today is the whole month.
  await page.clock.setFixedTime('2026-11-30T20:00:00Z');
  await page.goto('/payments');
  await page.getByLabel('Paid', { exact: true }).selectOption('Custom range');
  const from = page.getByLabel('Paid from');
  const to = page.getByLabel('Paid to');
  await expect(from).toHaveValue('2026-11-01');
  await expect(to).toHaveValue('2026-11-30');

  // The date is typed month by month and day by day. In the end the first day is as it was.
  await to.fill('2026-01-30');
  await expect(from).toHaveValue('2026-01-30');
  await to.fill('2027-01-15');
  await expect(from).toHaveValue('2026-11-01');
  await to.fill('2026-11-30');

  await from.fill('2026-12-05');
  await expect(to).toHaveValue('2026-12-05');
  await to.fill('2026-10-31');
  await expect(from).toHaveValue('2026-10-31');
  // Last month is typed in, and the fields stay open.
  await from.fill('2026-10-01');
  await expect(page).toHaveURL(/from=2026-10-01&to=2026-10-31/);
  await expect(page.getByLabel('Paid', { exact: true })).toHaveValue('custom');
  await expect(from).toBeVisible();

  await from.focus();
  await page.keyboard.type('02031999');
  await expect(page).toHaveURL(/from=1999-02-03/);
  await settled(page);
  expect(asked.filter((url) => /from=0/.test(url))).toEqual([]);

  await page.getByLabel('Paid', { exact: true }).selectOption('This month');
  await expect(from).toHaveCount(0);
  await expect(page).toHaveURL(/from=2026-11-01&to=2026-11-30/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByLabel('Paid', { exact: true })).toHaveValue('');
});

test('a half-typed or impossible date is reported at its field, and nothing is saved', async ({
  page,
  owner,
  receiver,
}) => {
  const { lease, payment, request } = await buildEstate(owner, receiver.url());
  let sent = 0;
  page.on('request', (asked) => {
    if (asked.method() !== 'GET') sent++;
  });
  const refuses = async (label: string, typed: string, button: string, message: string) => {
    await test.step(`${label}: ${typed}`, async () => {
      const field = page.getByLabel(label, { exact: true });
      await field.focus();
      if (/^\d+$/.test(typed)) await page.keyboard.type(typed);
      else if (typed === 'Backspace') await page.keyboard.press(typed);
      else await field.fill(typed);
      // In a dialog, the buttons are below its form.
      await page.locator('form, [role=dialog]').getByRole('button', { name: button }).click();
      await expect(field).toHaveAccessibleDescription(message);
      await expect(field).toBeFocused();
    });
  };
  const incomplete = 'Must be a complete date.';

  await page.goto(`/leases/${lease.id}/edit`);
  await refuses('End', 'Backspace', 'Save changes', incomplete);
  await refuses('End', '02312027', 'Save changes', incomplete);
  await page.keyboard.type('02282027');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Lease saved')).toBeVisible();
  expect(await owner.get(`/leases/${lease.id}`)).toMatchObject({ end_date: '2027-02-28' });

  await page.goto(`/leases/${lease.id}`);
  await page.getByRole('button', { name: 'Give notice' }).click();
  await refuses('Last day', 'Backspace', 'Give notice', incomplete);

  await page.goto(`/payments/${payment.id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await refuses('Paid on', 'Backspace', 'Save changes', incomplete);
  await page.getByLabel('Paid on').fill('2026-11-15');
  await refuses('For the month', '02', 'Save changes', 'Must be a complete month.');

  await page.goto(`/maintenance/${request.id}/edit`);
  const scheduled = 'Scheduled for';
  await refuses(scheduled, '0203', 'Save changes', 'Must be a complete date and time.');
  await refuses(scheduled, '13500-02-03T09:00', 'Save changes', 'Must be between the years 1900 and 2999.');
  expect(sent, 'that one').toBe(1);
});
