import { buildEstate, walkOf } from './estate.ts';
import { expect, test, walkTo } from './fixtures.ts';
import { scale } from './scale.ts';

const hostile = (what: string) =>
  `${what}<img src=x onerror="window.hurt=1"><script>window.hurt=2</script>"'><svg onload=window.hurt=3>{{7*7}}`;

test('records full of markup and scripts are shown as text, everywhere', async ({
  page,
  owner,
  receiver,
}) => {
  receiver.answer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(hostile('answer'));
  });
  const estate = await buildEstate(owner, receiver.url(), hostile);
  await receiver.count(1);
  let seen = 0;
  for (const path of walkOf(estate)) {
    await walkTo(page, path);
    expect(await page.evaluate('window.hurt'), path).toBeUndefined();
    expect(await page.locator('img[src="x"], svg[onload]').count(), path).toBe(0);
    seen += await page.getByText('onerror="window.hurt=1"').count();
  }
  // The text really was there, on page after page.
  expect(seen).toBeGreaterThan(scale(20, 10));

  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Find a property').fill('Maple');
  await expect(page.getByRole('option', { name: /onerror/ }).first()).toBeVisible();
  expect(await page.evaluate('window.hurt')).toBeUndefined();
});

test('the page is served under a policy that allows no inline script', async ({ page }) => {
  const response = await page.goto('/sign-in');
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
});
