import { ensureChromium, findChromium } from '../prepare/chromium.mjs';
import { andAgainAlone, playwright } from './run.mjs';

/** Begins to install a browser, which is mostly waiting. Returns the tests in it, to be run later. */
export function browserTests(args = [], environment = {}, printing = undefined) {
  const chromium = ensureChromium(process.execPath).catch((error) => error);
  return async () => {
    const problem = await chromium;
    if (problem) {
      console.error(problem.message);
      return { failed: 1 };
    }
    const found = findChromium();
    const more = { ...environment, ...(found ? { CHROMIUM_PATH: found } : {}) };
    return andAgainAlone((some) => playwright([...args, ...some], more, printing), ['--workers=1']);
  };
}
