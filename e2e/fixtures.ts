import { test as base, expect, type Page } from '@playwright/test';
import { type Receiver, startReceiver } from '../test/support/receiver.ts';
import { thorough } from '../test/support/thorough.ts';
import { type Person, signUp } from './people.ts';
import { type Service, startedService } from './service.ts';

/** Watches for what a page must not do. */
interface Watch {
  problems: string[];
  /** Answers that the test provokes: their status is not a problem. */
  expectStatus(...statuses: number[]): void;
  /** The test cuts the connection, so requests may fail from now on. */
  expectFailures(): void;
}

interface WorkerFixtures {
  service: Service;
}

interface TestFixtures {
  /** The owner of a new account, who is signed in in `page`. */
  owner: Person;
  receiver: Receiver;
  watch: Watch;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use, { parallelIndex }) => use(startedService(parallelIndex)),
    { scope: 'worker' },
  ],
  baseURL: async ({ service }, use) => use(service.url),

  // Every test watches its page: an error in the console, a failed request or a request to another host fails it.
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

/** For what takes long and rarely fails. */
export const thoroughTest = thorough ? test : test.skip;

export { expect };

/** Waits until everything that the page asked for is there, and no placeholder is left. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.skeleton')).toHaveCount(0);
  // What is shown until the next page or filter is read is dimmed.
  await expect(page.locator('main div[aria-busy=true]')).toHaveCount(0);
}

/**
 * Opens a page of the dashboard for a walk through many. It goes there from another page as a link does, which takes a
 * quarter of the processor time of starting the whole dashboard.
 */
export async function walkTo(page: Page, url: string): Promise<void> {
  const isInside = await page.evaluate<boolean>('"__TSR_ROUTER__" in window');
  if (!isInside) await page.goto(url);
  else {
    // This is TanStack's router. It is at rest when the page that it led to has replaced the one before.
    const { pathname, search } = new URL(url, page.url());
    await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(pathname + search)} })`);
    const isThere = `(({ state }) => state.status === 'idle' && state.resolvedLocation === state.location)(__TSR_ROUTER__)`;
    await expect.poll(() => page.evaluate<boolean>(isThere)).toBe(true);
  }
  await settled(page);
}

export function watchPage(page: Page, url: string): Watch {
  const problems: string[] = [];
  const statuses = new Set<number>();
  let mayFail = false;
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const text = message.text();
    if (text === 'Service Worker registration blocked by Playwright') return;
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
    // When the person moves on, the page gives up what it no longer needs.
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
