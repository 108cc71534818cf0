import { test as base, expect, type Page } from '@playwright/test';
import { dataFolder, freePort, ready, removeFolder, spawnServer } from '../test/support/process.ts';
import { type Receiver, startReceiver } from '../test/support/receiver.ts';
import { type Person, signUp } from './people.ts';

interface Service {
  url: string;
  dataDir: string;
  /** The origin whose pages may call the API. Nothing listens there. */
  partner: string;
}

/** What a page did that it should not have. */
export interface Watch {
  problems: string[];
  /** Answers that the test provokes: their status is no problem. */
  expectStatus(...statuses: number[]): void;
  /** The connection is cut by the test: requests may fail from now on. */
  expectFailures(): void;
}

interface WorkerFixtures {
  service: Service;
}

interface TestFixtures {
  /** A new account's owner, signed in in `page`. */
  owner: Person;
  receiver: Receiver;
  watch: Watch;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const folder = await dataFolder();
      const port = await freePort();
      const partner = `http://localhost:${await freePort()}`;
      const server = spawnServer({
        PORT: String(port),
        DATA_DIR: folder,
        SIGN_UP: 'open',
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
        WEBHOOK_RETRY_DELAYS_MS: '300,300,300,300',
        RATE_LIMIT_PER_SECOND: '0',
        CORS_ORIGINS: partner,
      });
      await ready(server);
      await use({ url: `http://localhost:${port}`, dataDir: folder, partner });
      server.kill('SIGTERM');
      await server.ended;
      await removeFolder(folder);
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ service }, use) => use(service.url),

  // Every test watches its page: an error in the console, a failed request or a word to another host fails it.
  watch: [
    async ({ page, service }, use) => {
      const watch = watchPage(page, service.url);
      await use(watch);
      expect(watch.problems).toEqual([]);
    },
    { auto: true },
  ],

  owner: async ({ page, service }, use) => use(await signUp(page.request, service.url)),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
});

export { expect };

/** All that the page asked for is there: nothing holds the place of something to come. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.skeleton')).toHaveCount(0);
}

export function watchPage(page: Page, url: string): Watch {
  const problems: string[] = [];
  const statuses = new Set<number>();
  let mayFail = false;
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const text = message.text();
    const isExpected =
      (mayFail && /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|server could not be reached/.test(text)) ||
      [...statuses].some((status) => text.includes(`status of ${status} `));
    if (!isExpected) problems.push(`console: ${text} (${page.url()})`);
  });
  page.on('pageerror', (error) => problems.push(`error: ${error.message} (${page.url()})`));
  page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== url) problems.push(`another host: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && !statuses.has(response.status()))
      problems.push(`${response.status()}: ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    // The page gives up what it no longer needs when one moves on.
    const isGivenUp = request.failure()?.errorText === 'net::ERR_ABORTED';
    if (!isGivenUp && !mayFail) problems.push(`failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  return {
    problems,
    expectStatus: (...expected) => {
      for (const status of expected) statuses.add(status);
    },
    expectFailures: () => {
      mayFail = true;
    },
  };
}
