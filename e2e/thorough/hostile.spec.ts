import type { Page } from '@playwright/test';
import { buildEstate, walkOf } from '../estate.ts';
import { expect, test, walkTo } from '../fixtures.ts';
import { scale } from '../scale.ts';

/* A walk through all pages with what they are least used to: foreign days, and records that are no plain words. */

// On the other side of the date line it is already tomorrow, or the day after.
const home = 'America/New_York';
test.use({ locale: 'de-DE', timezoneId: 'Pacific/Kiritimati' });

const hostile = (what: string) =>
  `${what}<img src=x onerror="window.hurt=1"><script>window.hurt=2</script>"'><svg onload=window.hurt=3>{{7*7}}`;

test("every page shows markup in records as text, and days and times in the reader's locale and the account's time zone", async ({
  page,
  owner,
  receiver,
}) => {
  await owner.patch('/account', { time_zone: home });
  receiver.answer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(hostile('answer'));
  });
  const estate = await buildEstate(owner, receiver.url(), hostile);
  await receiver.count(1);
  const seen = { texts: 0, days: 0, moments: 0 };
  for (const path of walkOf(estate)) {
    await walkTo(page, path);
    expect(await page.evaluate('window.hurt'), path).toBeUndefined();
    expect(await page.locator('img[src="x"], svg[onload]').count(), path).toBe(0);
    seen.texts += await page.getByText('onerror="window.hurt=1"').count();
    for (const { isDay, expected, found } of await timesOn(page)) {
      expect([path, found]).toEqual([path, expected]);
      seen[isDay ? 'days' : 'moments'] += 1;
    }
  }
  // All of it really was there, on page after page.
  expect(seen.texts).toBeGreaterThan(scale(20, 10));
  expect(Math.min(seen.days, seen.moments)).toBeGreaterThan(5);

  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Find a property').fill('Maple');
  await expect(page.getByRole('option', { name: /onerror/ }).first()).toBeVisible();
  expect(await page.evaluate('window.hurt')).toBeUndefined();
});

/** The days and moments of a page, and how they should be shown. */
const timesOn = (page: Page) =>
  page.evaluate<{ isDay: boolean; expected: string; found: string }[]>(`(() => {
    const format = (options) => new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', ...options });
    const day = format({ timeZone: 'UTC' });
    const moment = format({ timeStyle: 'long', timeZone: '${home}' });
    return [...document.querySelectorAll('time')].map((time) => {
      const isDay = time.dateTime.length === 10;
      const expected = (isDay ? day : moment).format(new Date(time.dateTime));
      return { isDay, expected, found: isDay ? time.textContent : time.title };
    });
  })()`);

test('the page is served under a policy that allows no inline script', async ({ page }) => {
  const response = await page.goto('/sign-in');
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
});
