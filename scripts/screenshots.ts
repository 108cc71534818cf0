// Takes the pictures of the README from a fresh demo: docs/images/{home,overdue,ledger}.png. With a folder as argument
// they go there, and those of a phone beside them.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import config from '../playwright.config.ts';
import { dataFolder, freePort, ready, removeFolder, spawnServer, tenure } from '../test/support/process.ts';

const sizes = [
  { name: '', viewport: { width: 1280, height: 800 } },
  { name: '-phone', viewport: { width: 390, height: 844 } },
];
const [folder] = process.argv.slice(2);
// The dashboard may have changed since it was built.
execFileSync(process.execPath, ['scripts/prepare.mjs', 'start'], { stdio: 'inherit' });
const dataDir = await dataFolder();
const environment = { DATA_DIR: dataDir, PORT: String(await freePort()), RATE_LIMIT_PER_SECOND: '0' };
const server = spawnServer(environment);
const browser = await chromium.launch(config.use?.launchOptions);
try {
  await ready(server);
  const account = await tenure<{ email: string; password: string; key: string }>(
    environment,
    ...['demo', '--email', 'demo@example.com'],
  );
  for (const { name, viewport } of folder ? sizes : sizes.slice(0, 1)) {
    const page = await browser.newPage({ viewport, locale: 'en-US', baseURL: server.url });
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Figures').waitFor();
    const take = (what: string) => picture(page, join(folder ?? 'docs/images', `${what}${name}.png`));
    await take('home');
    await page.goto('/overdue');
    await take('overdue');
    await page.goto(`/leases/${await someLateLease(account.key)}`);
    await page.getByRole('heading', { name: 'Ledger' }).scrollIntoViewIfNeeded();
    await take('ledger');
    await page.close();
  }
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await server.ended;
  await removeFolder(dataDir);
}

async function picture(page: Page, path: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  await page.screenshot({ path, animations: 'disabled' });
  console.log(path);
}

/** A lease with debts of several ages says most. */
async function someLateLease(key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${server.url}/api/v1/balances?owing=true`, { headers });
  const { data } = (await response.json()) as {
    data: { lease_id: string; lease: { status: string }; days_31_60_cents: number }[];
  };
  const found = data.find(({ lease, days_31_60_cents }) => lease.status === 'active' && days_31_60_cents > 0);
  return found?.lease_id ?? data[0]?.lease_id ?? '';
}
