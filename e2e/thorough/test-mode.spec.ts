import { sql } from '../../src/db/sql.ts';
import { parseId } from '../../src/ids.ts';
import { axe } from '../axe.ts';
import { withDatabase } from '../database.ts';
import { expect, settled, test } from '../fixtures.ts';

test('test mode has records, keys and a clock of its own, says so on every page, and leaves real ones alone', async ({
  page,
  owner,
  service,
}) => {
  await owner.post('/properties', { name: 'Real House' });
  await page.goto('/');
  await settled(page);
  const band = page.getByRole('region', { name: 'Test mode' });
  await expect(band).toHaveCount(0);

  await test.step('the switch leads to an empty account, and the demo fills it', async () => {
    await page.getByRole('button', { name: 'Test mode' }).click();
    await expect(band).toBeVisible();
    await page.goto('/properties');
    await settled(page);
    await expect(page.getByText('Real House')).toHaveCount(0);
    await page.goto('/settings/test-mode');
    await page.getByRole('button', { name: 'Start over with demo data' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Start over' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await settled(page);
    expect(await axe(page)).toEqual([]);
  });

  await test.step('its clock is moved from any page, and what the page shows follows', async () => {
    await page.goto('/payments');
    const day = band.locator('time');
    const before = (await day.getAttribute('datetime')) ?? '';
    await band.getByRole('button', { name: '+1 month' }).click();
    await expect(day).not.toHaveAttribute('datetime', before);
    const after = Date.parse((await day.getAttribute('datetime')) ?? '');
    const days = (after - Date.parse(before)) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(28);
    expect(days).toBeLessThanOrEqual(31);
    await page.reload();
    await expect(day).toHaveAttribute('datetime', new Date(after).toISOString().slice(0, 10));
    await page.setViewportSize({ width: 375, height: 800 });
    await settled(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    expect(await axe(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('keys that are made there are test keys', async () => {
    await page.goto('/settings/api-keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('Trial');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    await expect(page.getByText(/^svc_test_\w{43}$/)).toBeVisible();
    await page.goto('/');
  });

  await test.step('the way back leads to the real records', async () => {
    await band.getByRole('button', { name: 'Leave test mode' }).click();
    await expect(band).toHaveCount(0);
    await page.goto('/properties');
    await expect(page.getByText('Real House').first()).toBeVisible();
  });

  await test.step('people are warned before it is emptied for lack of use', async () => {
    const notice = page.getByText('Nobody has used test mode for a while.');
    await expect(notice).toHaveCount(0);
    await withDatabase(service.dataDir, (db) =>
      db.query(sql`update accounts set test_used_at = now() - interval '80 days'
        where test_of = ${parseId('acct', owner.accountId)} and closed_at is null`),
    );
    await page.reload();
    await expect(notice).toBeVisible();
    expect(await axe(page)).toEqual([]);
  });
});
