import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { thorough } from './test/support/thorough.ts';

// The same names as in scripts/prepare/chromium.mjs.
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
// Without one in the PATH, Playwright uses its own.
const executablePath = process.env.CHROMIUM_PATH || found;

/** Tests the real service in a real browser. e2e/service.ts starts the service. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/service.ts',
  // A test, its browser and the service mostly wait for each other. With fewer workers, a machine with two cores would
  // be idle at times.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  // `npm test` has no time for these.
  testIgnore: thorough ? [] : 'thorough/**',
  // A machine that is busy with other things makes tests slow, not wrong.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    locale: 'en-US',
    viewport: { width: 1280, height: 860 },
    // While colours are still changing, their contrast cannot be judged.
    contextOptions: { reducedMotion: 'reduce' },
    // Each page would go through the service worker. e2e/thorough/installed.spec.ts tests it, and allows it.
    serviceWorkers: 'block',
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // No requests of the browser itself may go out, since the tests look at every request.
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
