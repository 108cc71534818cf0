import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  formOf,
  type HostileBody,
  hostileFiles,
  hostileForms,
  hostileJson,
} from '../../test/support/hostile-bodies.ts';
import { dataFolder, newKey, removeFolder } from '../../test/support/process.ts';
import { Sender } from '../../test/support/slices.ts';
import { answersDuring, timed, timesOf } from '../lib/requests.ts';
import { short, spread } from '../lib/stats.ts';
import { bar, type Suite } from '../lib/suite.ts';
import { startTenure } from '../lib/tenure.ts';

const megabyte = 1_000_000;
const restMs = 5;
const mostDelayMs = 50;

export const suite: Suite = {
  title: 'Uploads',
  rounds: 3,
  async run({ rounds, quick, say }) {
    const sizes = quick ? { file: megabyte, form: megabyte } : { file: 5 * megabyte, form: 24 * megabyte };
    await using opened = new AsyncDisposableStack();
    const folder = opened.adopt(await dataFolder(tmpdir()), removeFolder);
    const server = opened.use(await startTenure('start', { DATA_DIR: folder, SIGN_UP: 'open' }));
    const sender = opened.adopt(new Sender(), (each) => each.close());
    const key = await newKey({ DATA_DIR: folder });
    const cookie = await signUp(server.url);
    const ask = () => timed(`${server.url}/api/v1/tenants?limit=1`, key);
    await timesOf(200, ask);
    const longestDuring = async (work: Promise<unknown>): Promise<number> => {
      const restAndAsk = async () => {
        await sleep(restMs);
        return ask();
      };
      return Math.max(...(await answersDuring(work, restAndAsk)));
    };
    const quietMs = await longestDuring(sleep(quick ? 500 : 5_000));
    const cases = casesOf(sizes);
    const rows: string[][] = [];
    const worst: number[] = [];
    for (let round = 0; round < rounds; round++) {
      let most = 0;
      for (const [name, make] of Object.entries(cases)) {
        const { path, type, body } = make();
        const headers = { cookie, origin: server.url, 'content-type': type };
        const sent = sender.measure(server.url + path, { method: 'POST', headers, body });
        const delayMs = (await longestDuring(sent)) - quietMs;
        most = Math.max(most, delayMs);
        if (round === 0) rows.push([name, String((await sent).result.status), short(Math.max(0, delayMs))]);
      }
      say(`round ${round + 1}: ${short(most)} ms`);
      worst.push(most);
    }
    return {
      intro,
      settings: { 'bytes of a file': sizes.file, 'bytes of a form': sizes.form, rounds },
      versions: {},
      bars: [bar('Longest delay of another account’s request', '≤', mostDelayMs, 'ms', spread(worst))],
      sections: [{ title: 'Longest delay, in ms', columns: ['body', 'answer', 'delay'], rows }],
    };
  },
};

const intro = `One account sends files, forms and JSON that were made to keep the process busy, one after the other, and
an honest file. Meanwhile another account asks for a page of its tenants, every five milliseconds. What counts is how
much longer the slowest of these took than the slowest without any upload.`;

type Case = () => HostileBody & { path: string };

function casesOf({ file, form }: { file: number; form: number }): Record<string, Case> {
  const preview = '/internal/v1/imports/preview';
  const rows = Array.from(
    { length: Math.floor(file / 80) },
    (_, at) => `First ${at},Last ${at},person-${at}@example.com,+1 555 0100,A note about tenant number ${at}`,
  );
  const honest = Buffer.from(`first_name,last_name,email,phone,notes\n${rows.join('\n')}\n`);
  const named = <Make>(all: Record<string, Make>, kind: string, each: (make: Make) => ReturnType<Case>) =>
    Object.entries(all).map(([name, make]) => [`${kind}: ${name}`, () => each(make)] as const);
  return Object.fromEntries([
    ...named(hostileFiles, 'file', (make) => ({ path: preview, ...formOf(make(file)) })),
    ...named(hostileForms, 'form', (make) => ({ path: preview, ...make(form) })),
    ...named(hostileJson, 'JSON', (make) => ({
      path: '/internal/v1/leases',
      type: 'application/json',
      body: make(1024 * 1024),
    })),
    ...['preview', 'apply'].map((step) => [
      `honest tenants, ${step}`,
      () => ({ path: `/internal/v1/imports/${step}`, ...formOf({ kind: 'tenants', file: honest }) }),
    ]),
  ]);
}

/** Signs somebody up; returns their cookies. */
async function signUp(url: string): Promise<string> {
  const answer = await fetch(`${url}/internal/v1/sign-up`, {
    method: 'POST',
    headers: { origin: url },
    body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }),
  });
  if (answer.status !== 201) throw new Error(`Signing up was answered with ${answer.status}`);
  const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
  return cookies.join('; ');
}
