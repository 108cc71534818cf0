import type { Page } from '@playwright/test';
import axeCore, { type Result, type RunOptions } from 'axe-core';

export interface Limits {
  rules?: string[] | undefined;
  part?: string | undefined;
}

/** What axe finds wrong in a page, or in a part of it, by all of its rules or by these. */
export async function axe(page: Page, { rules = [], part }: Limits = {}) {
  // It is a large script. It stays in a page until the page is loaded again.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(`${axeCore.source}; undefined`);
  // The page shows colours that were just exchanged one frame later, and what React draws two frames later.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const options: RunOptions = {
    // Elements without a problem are not described.
    resultTypes: ['violations'],
    // Otherwise it loads all styles once more, for rules that are off (orientation) or have nothing to judge (sounds).
    preload: false,
    ...(rules.length > 0 && { runOnly: rules }),
  };
  const context = part ? JSON.stringify(part) : 'document';
  return page.evaluate<Result[]>(
    `axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
}
