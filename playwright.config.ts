import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { defineConfig } from '@playwright/test';

// As in scripts/prepare/chromium.mjs.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const folders = (process.env.PATH ?? '').split(delimiter);
const found = names
  .flatMap((name) => folders.map((folder) => join(folder, name)))
  .find((path) => existsSync(path));
// Without one in the PATH, Playwright takes its own.
const executablePath = process.env.CHROMIUM_PATH || found;

/** The real service in a real browser: e2e/service.ts starts it. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/service.ts',
  // A test, its browser and the service mostly wait for each other: with fewer a machine of two cores idles.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  // What takes long and rarely tells: `npm run test:pages` (e2e/scale.ts).
  ...(process.env.PAGES === 'full' ? {} : { grepInvert: /@full/ }),
  // A machine that is busy with other things makes them slow, not wrong.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    locale: 'en-US',
    viewport: { width: 1280, height: 860 },
    // Colours that are still changing have no contrast to judge.
    contextOptions: { reducedMotion: 'reduce' },
    // Each page that is opened would go through it. e2e/installed.spec.ts is about it, and allows it.
    serviceWorkers: 'block',
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // Nothing of the browser's own may go out: the tests look at every request.
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-quic',
        // Debian's Chromium draws with a graphics card, which most machines for tests have to emulate.
        '--disable-gpu',
        '--disable-gpu-rasterization',
      ],
    },
  },
});
