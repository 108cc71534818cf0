import { buildEstate } from '../estate.ts';
import { expect, settled, test } from '../fixtures.ts';

// On the other side of the date line it is already tomorrow or the day after.
const home = 'America/New_York';
test.use({ locale: 'de-DE', timezoneId: 'Pacific/Kiritimati' });

test("an appointment is typed and shown in the account's time zone", async ({ page, owner, receiver }) => {
  await owner.patch('/account', { time_zone: home });
  const { request } = await buildEstate(owner, receiver.url());
  // The day on which New York's clocks go forward. In Kiritimati it is already the day after.
  await owner.patch(`/maintenance/${request.id}`, { scheduled_for: '2026-03-08T14:30:00Z' });
  await page.goto(`/maintenance/${request.id}`);
  await expect(page.getByText('08.03.2026, 10:30', { exact: true })).toBeVisible();
  const scheduled = async () =>
    (await owner.get<{ scheduled_for: string }>(`/maintenance/${request.id}`)).scheduled_for;
  const appointments = [
    ['2026-03-08T03:00', '2026-03-08T07:00:00.000Z'],
    ['2026-11-01T00:30', '2026-11-01T04:30:00.000Z'],
    ['2026-12-24T09:00', '2026-12-24T14:00:00.000Z'],
    ['2026-03-08T01:30', '2026-03-08T06:30:00.000Z'],
    ['2026-11-01T02:00', '2026-11-01T07:00:00.000Z'],
  ] as const;
  for (const [typed, moment] of appointments) {
    await page.goto(`/maintenance/${request.id}/edit`);
    await page.getByLabel('Scheduled for').fill(typed);
    await expect(page.getByLabel('Scheduled for')).toHaveAccessibleDescription(/America\/New York/);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('heading', { name: 'Kitchen tap drips' })).toBeVisible();
    expect([typed, await scheduled()]).toEqual([typed, moment]);
    await page.goto(`/maintenance/${request.id}/edit`);
    await expect(page.getByLabel('Scheduled for')).toHaveValue(typed);
  }
});

test('money is in the currency of its lease, and today is the day of the account', async ({
  page,
  owner,
}) => {
  await owner.patch('/account', { time_zone: home });
  const property = await owner.post<{ id: string }>('/properties', {
    name: 'Maple Court',
    units: [{ name: '1A' }],
  });
  const [unit] = await owner.get<{ id: string }[]>(`/units?property_id=${property.id}`);
  const tenant = await owner.post<{ id: string }>('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: home }).format(new Date());
  const started = today();
  const lease = await owner.post<{ id: string }>('/leases', {
    unit_id: unit?.id,
    tenant_ids: [tenant.id],
    start_date: started,
    rent_cents: 123_450,
    currency: 'EUR',
    proration: 'none',
  });
  await page.goto(`/leases/${lease.id}`);
  await settled(page);
  await expect(page.getByLabel('Balance')).toContainText(/1\.234,50\s€/);
  await expect(page.locator('main')).not.toContainText('$');
  await page.getByRole('button', { name: 'Record payment' }).click();
  await expect(page.getByLabel(/^Amount/)).toHaveValue('1234,50');
  const paidOn = await page.getByLabel(/^(Paid on|Date)/).inputValue();
  expect([started, today()]).toContain(paidOn);
  await page.getByRole('dialog').getByRole('button', { name: 'Record payment' }).click();
  await expect(page.getByText(/1\.234,50\s€ from Ada Okafor recorded/)).toBeVisible();
  const [payment] = await owner.get<{ amount_cents: number; currency: string }[]>('/payments');
  expect(payment).toMatchObject({ amount_cents: 123_450, currency: 'EUR' });
});
