import { expect, settled, test } from '../fixtures.ts';
import { newEmail, password } from '../people.ts';

test.use({ timezoneId: 'America/Los_Angeles' });

interface Account {
  time_zone: string;
  post_days_before_due: number;
  lease_expiring_days: number[];
  late_fees: object | null;
}

test("a new account has the browser's time zone", async ({ page, service }) => {
  await page.goto(`${service.url}/sign-up`);
  await page.getByLabel('Name', { exact: true }).fill('Noa Newcomer');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('button', { name: /Noa Newcomer/ })).toBeVisible();
  await page.goto('/settings/rent');
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('America/Los Angeles');
  await expect(page.getByRole('button', { name: /as in this browser/ })).toHaveCount(0);
});

test('the days of rent are set, with the time zone of the browser as a suggestion, and wrong ones are reported at their fields', async ({
  page,
  owner,
  watch,
}) => {
  await page.goto('/');
  await settled(page);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Rent', exact: true }).click();
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await expect(zone).toHaveValue('UTC');
  await page.getByRole('button', { name: 'Use America/Los Angeles, as in this browser' }).click();
  await expect(zone).toHaveValue('America/Los Angeles');
  watch.expectStatus(400);
  await page.getByLabel('Charge rent ahead').fill('61');
  await page.getByLabel('Announce that a lease is ending').fill('30, soon');
  await page.getByRole('button', { name: 'Save days' }).click();
  await expect(page.getByLabel('Charge rent ahead')).toHaveAccessibleDescription(/60/);
  await expect(page.getByLabel('Announce that a lease is ending')).toHaveAccessibleDescription(
    'Each must be a whole number.',
  );

  await page.getByLabel('Charge rent ahead').fill('10');
  await page.getByLabel('Announce that a lease is ending').fill('14 60,30');
  await page.getByRole('button', { name: 'Save days' }).click();
  await expect(page.getByText('Days saved')).toBeVisible();
  expect(await owner.get<Account>('/account')).toMatchObject({
    time_zone: 'America/Los_Angeles',
    post_days_before_due: 10,
    lease_expiring_days: [60, 30, 14],
  });

  await zone.click();
  await zone.pressSequentially('berlin');
  await page.getByRole('option', { name: /Europe\/Berlin/ }).click();
  await page.getByRole('button', { name: 'Save days' }).click();
  await expect.poll(async () => (await owner.get<Account>('/account')).time_zone).toBe('Europe/Berlin');
});

test('a late-fee policy shows what it charges while it is typed, and is kept', async ({ page, owner }) => {
  await page.clock.setFixedTime('2026-11-17T20:00:00Z');
  await page.goto('/settings/rent');
  await page.getByLabel('Late fees', { exact: true }).selectOption('Charge late fees');
  const example = page.getByRole('status', { name: 'Example' });
  await expect(example).toContainText('Complete the policy');
  await page.getByLabel('Grace period in days').fill('3');
  await page.getByLabel('First fee: amount').fill('50');
  await expect(example).toContainText('Paid by Dec 4, 2026, it is on time.');
  await expect(example.getByRole('row')).toHaveText([/^Day/, 'Dec 5, 2026$50.00$50.00']);

  await page.getByLabel('Then per day', { exact: true }).selectOption('% of the unpaid amount');
  await expect(example).toContainText('Complete the policy');
  await page.getByLabel('Then per day: per cent').fill('2,5');
  await expect(example).toContainText('…and $25.00 for each further day: there is no maximum.');
  await page.getByLabel('Maximum fee').fill('9000');
  await expect(example).toContainText('…and $25.00 for each further day: at most $9,000.00 in all.');
  await page.getByLabel('Maximum fee').fill('135');
  await expect(example.getByRole('row')).toHaveText([
    /^Day/,
    'Dec 5, 2026$50.00$50.00',
    'Dec 6, 2026$25.00$75.00',
    'Dec 7, 2026$25.00$100.00',
    'Dec 8, 2026$25.00$125.00',
    'Dec 9, 2026$10.00$135.00',
  ]);
  await expect(example).toContainText('The maximum is reached on Dec 9, 2026.');
  await page.getByRole('button', { name: 'Save late fees' }).click();
  await expect(page.getByText('Late fees saved')).toBeVisible();
  const policy = {
    grace_days: 3,
    first: { fixed_cents: 5_000 },
    daily: { percent_of_open: 2.5 },
    cap_cents: 13_500,
    min_open_cents: 0,
  };
  expect((await owner.get<Account>('/account')).late_fees).toEqual(policy);

  await page.reload();
  await expect(page.getByLabel('First fee: amount')).toHaveValue('50');
  await expect(example.getByRole('row')).toHaveCount(6);
  await page.getByLabel('Late fees', { exact: true }).selectOption('None');
  await expect(example).toHaveCount(0);
  await page.getByRole('button', { name: 'Save late fees' }).click();
  await expect.poll(async () => (await owner.get<Account>('/account')).late_fees).toBeNull();
});
