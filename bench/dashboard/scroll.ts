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
import { dataFolder, freePort, ready, removeFolder, spawnServer } from '../../test/support/process.ts';
import { percentile, ratio, short, spread } from '../lib/stats.ts';

const rows = 5_000;
const rounds = Number(process.argv[2] ?? 5);
/** A fast flick: 290 rows a second. */
const pixelsInFrame = 200;
const mostP95Ms = 33;

/** Scrolls on in each frame until a condition holds. Milliseconds from frame to frame. */
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

const folder = await dataFolder(tmpdir());
const port = await freePort();
const url = `http://localhost:${port}`;
const server = spawnServer({
  PORT: String(port),
  DATA_DIR: folder,
  SIGN_UP: 'open',
  RATE_LIMIT_PER_SECOND: '0',
});
const browser = await chromium.launch(playwright.use?.launchOptions ?? {});
try {
  await ready(server);
  const open = async (count: number): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    const { accountId } = await signUp(context.request, url);
    if (count > 0) await addManyTenants(folder, accountId, count);
    return context.newPage();
  };
  const [empty, full] = [await open(0), await open(rows)];
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
    const { median, min, max } = spread(p95[name]);
    const times = ratio(p95[name], p95.empty);
    console.log(
      `${rows} rows, ${name}: p95 ${short(median)} ms (${short(min)}–${short(max)}), ` +
        `${short(times.median)} × an empty list (${short(times.min)}–${short(times.max)}); ` +
        `${median < mostP95Ms ? 'met' : 'MISSED'}: under ${mostP95Ms} ms`,
    );
  }
  console.log(`load of the machine: ${short(loadavg()[0] ?? 0)}`);
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await server.ended;
  await removeFolder(folder);
}
