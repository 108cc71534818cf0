/*
 * Does a long list scroll as smoothly as a page with nothing in it? `node bench/dashboard/scroll.ts [rounds]`
 *
 * Chromium scrolls through 5,000 tenants: first while they are loaded page by page, then through all of them. What
 * counts is the time from one frame to the next, beside that of an empty list in the same round.
 */
import { loadavg, tmpdir } from 'node:os';
import { chromium, type Page } from '@playwright/test';
import { addManyTenants } from '../../e2e/many.ts';
import { signUp } from '../../e2e/people.ts';
import playwright from '../../playwright.config.ts';
import { dataFolder, removeFolder } from '../../test/support/process.ts';
import { percentile, ratio, short, showSpread, spread } from '../lib/stats.ts';
import { bar } from '../lib/suite.ts';
import { startTenure } from '../lib/tenure.ts';

const rows = 5_000;
const rounds = Number(process.argv[2] ?? 5);
/** A fast flick: 290 rows a second. */
const pixelsInFrame = 200;
const mostP95Ms = 33;

/** Scrolls a little in each frame until a condition holds. Returns the milliseconds from frame to frame. */
const framesOf = (page: Page, isDone: string): Promise<number[]> =>
  page.evaluate(`new Promise((resolve) => {
    const took = [];
    let before;
    const step = (now) => {
      if (before !== undefined) took.push(now - before);
      before = now;
      scrollBy(0, ${pixelsInFrame});
      const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
      if (${isDone}) resolve(took);
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);

const isLong = 'took.length >= 600';
const isLoaded = `isAtEnd && document.querySelector('table').getAttribute('aria-rowcount') === '${rows + 1}'`;

await using opened = new AsyncDisposableStack();
const folder = opened.adopt(await dataFolder(tmpdir()), removeFolder);
const settings = { DATA_DIR: folder, SIGN_UP: 'open', RATE_LIMIT_PER_SECOND: '0' };
const { url } = opened.use(await startTenure('start', settings));
const browser = opened.use(await chromium.launch(playwright.use?.launchOptions ?? {}));
const [empty, full] = [await openPage(0), await openPage(rows)];
const p95: Record<'empty' | 'loading' | 'loaded', number[]> = { empty: [], loading: [], loaded: [] };
for (let round = 0; round < rounds; round++) {
  // A page in the background draws nothing.
  await empty.bringToFront();
  await empty.goto(`${url}/tenants`);
  await empty.getByText('No tenants yet').waitFor();
  p95.empty.push(percentile(await framesOf(empty, isLong), 0.95));
  await full.bringToFront();
  await full.goto(`${url}/tenants`);
  await full.getByRole('table', { name: 'Tenants' }).waitFor();
  p95.loading.push(percentile(await framesOf(full, isLoaded), 0.95));
  await full.evaluate('scrollTo(0, 0)');
  p95.loaded.push(percentile(await framesOf(full, isLong), 0.95));
  const [none, some, all] = [p95.empty, p95.loading, p95.loaded].map((each) => short(each.at(-1) ?? 0));
  console.log(`round ${round + 1}: p95 of frames: empty ${none} ms, loading ${some} ms, loaded ${all} ms`);
}
for (const name of ['loading', 'loaded'] as const) {
  const { text, measured, target, met } = bar(
    `${rows} rows, ${name}: p95`,
    '<',
    mostP95Ms,
    'ms',
    spread(p95[name]),
  );
  const toEmpty = showSpread(ratio(p95[name], p95.empty));
  console.log(`${text} ${measured}, ${toEmpty} × an empty list; ${met ? 'met' : 'MISSED'}: ${target}`);
}
console.log(`load of the machine: ${short(loadavg()[0] ?? 0)}`);

async function openPage(count: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const { accountId } = await signUp(context.request, url);
  if (count > 0) await addManyTenants(folder, accountId, count);
  return context.newPage();
}
