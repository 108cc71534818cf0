import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, settled, test } from '../fixtures.ts';
import { signUp } from '../people.ts';

test.use({ serviceWorkers: 'allow' });

/** The service worker has taken over the page. */
const controlled = (page: Page) =>
  expect.poll(() => page.evaluate('navigator.serviceWorker.controller?.state')).toBe('activated');

test('a browser finds nothing that keeps it from installing the dashboard', async ({ page, owner }) => {
  expect(owner.accountId).toBeTruthy();
  await page.goto('/');
  await controlled(page);
  const devtools = await page.context().newCDPSession(page);
  const { url, errors, data = '' } = await devtools.send('Page.getAppManifest');
  expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []]);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  // Every context of a test is private, and browsers install nothing in private windows.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);

  // A headless browser does not judge this. These are the rules of browsers with windows; the icons are checked below.
  expect(JSON.parse(data)).toMatchObject({
    name: 'Tenure',
    start_url: '/',
    scope: '/',
    display: 'standalone',
  });
  expect(JSON.parse(data)).not.toHaveProperty('prefer_related_applications');
  const { icons, shortcuts } = JSON.parse(data) as {
    icons: { src: string; sizes: string; type: string; purpose?: string }[];
    shortcuts: { name: string; url: string }[];
  };
  for (const { src, sizes, type } of icons) {
    const answer = await page.request.get(src);
    expect([src, answer.status(), answer.headers()['content-type']]).toEqual([src, 200, type]);
    if (type !== 'image/png') continue;
    const png = await answer.body();
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
  }
  const drawn = icons.map(({ sizes, purpose }) => `${sizes} ${purpose ?? 'any'}`);
  expect(drawn).toEqual(expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']));
  for (const { name, url: path } of shortcuts) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  }
});

test('without a connection every page says so, and opens when it is back', async ({ page, owner, watch }) => {
  await owner.post('/properties', { name: 'Maple Court' });
  await page.goto('/');
  await controlled(page);
  // If a part of a page cannot be loaded, the router loads the page again.
  await settled(page);
  await page.waitForLoadState('networkidle');
  watch.expectFailures();
  watch.expectStatus(503);
  await page.context().setOffline(true);
  // The page opens itself again when it hears of a connection. The browser may report one before the page has loaded.
  await page.goto('/properties?q=Maple', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'No connection to the server' })).toBeVisible();
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'No connection to the server' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('link', { name: 'Maple Court' })).toBeVisible();
  await expect(page).toHaveURL(/\/properties\?q=Maple$/);
});

test('the browser keeps nothing of an account beyond the page that shows it', async ({
  page,
  owner,
  service,
}) => {
  await owner.post('/properties', { name: 'Maple Court' });
  await page.goto('/properties');
  await controlled(page);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Maple Court' })).toBeVisible();
  await page.getByRole('button', { name: new RegExp(owner.email) }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await signUp(page.request, service.url, { name: 'Otto Other' });
  await page.goto('/properties');
  await expect(page.getByText('No properties yet')).toBeVisible();
  await settled(page);
  expect(await page.evaluate('caches.keys()')).toEqual([]);
  expect(await page.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(0);
});

test('a new version takes over tabs that are open', async ({ page, watch }) => {
  const built = new URL('../../dist/dashboard/sw.js', import.meta.url);
  let worker = await readFile(built, 'utf8');
  const server = createServer((request, response) => {
    response.setHeader('cache-control', 'no-cache');
    if (request.url === '/sw.js') response.setHeader('content-type', 'text/javascript').end(worker);
    else response.setHeader('content-type', 'text/html').end('<!doctype html><title>Page</title>');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  // It has an origin of its own, so that no other test owns a worker there.
  const tab = await page.context().newPage();
  await tab.goto(url);
  await tab.evaluate("navigator.serviceWorker.register('/sw.js')");
  await controlled(tab);
  worker = worker.replaceAll('No connection to the server', 'The second version');
  await tab.evaluate(`(async () => {
    const taken = new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done));
    await (await navigator.serviceWorker.ready).update();
    await taken;
  })()`);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  watch.expectStatus(503);
  await tab.goto(`${url}anywhere`);
  await expect(tab.getByRole('heading', { name: 'The second version' })).toBeVisible();
});
