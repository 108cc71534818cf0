import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../src/events/catalogue.ts';
import { files, guides, guidesPath, indexFile } from '../src/http/guides/list.ts';
import { renderMarkdown } from '../src/http/guides/markdown.ts';
import { formatId } from '../src/ids.ts';
import { untilSettled } from './support/database.ts';
import { type Delivering, testDelivering } from './support/delivering.ts';
import { freePort, until } from './support/process.ts';
import { make } from './support/records.ts';
import {
  blocksOf,
  expectOutput,
  type Names,
  plainJson,
  runCurl,
  type Step,
  shellWords,
  stepsOf,
  translate,
} from './support/samples.ts';
import { type Client, testService } from './support/service.ts';

/* Tests the guides as the product shows them, and runs every sample in them as a reader would. */

let delivering: Delivering;
/** The ports on which the samples' receivers listen, by the port that is shown. */
let ports: Record<string, number>;
const folders: string[] = [];
const children: ReturnType<typeof spawn>[] = [];

beforeAll(async () => {
  ports = { 4000: await freePort(), 4001: await freePort(), 8080: await freePort() };
  delivering = await testDelivering({
    WEBHOOK_ALLOWED_TARGETS: Object.values(ports)
      .map((port) => `localhost:${port}`)
      .join(','),
    RATE_LIMIT_PER_SECOND: '1000',
    // A receiver that is slow on a busy machine must not get the same delivery twice.
    WEBHOOK_TIMEOUT_MS: '15000',
  });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await delivering?.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

const markdownOf = (file: string) => readFileSync(file, 'utf8');
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${delivering.service.url}${path}`, { headers });

describe('samples', () => {
  /** The records that a guide takes for granted. */
  const given: Record<string, (client: Client) => Promise<unknown>> = {
    async pagination(client) {
      for (const first_name of ['Ada', 'Bo', 'Cleo']) await make.tenant(client, { first_name });
    },
  };
  /** Other tests run the samples of these guides. */
  const testedElsewhere = new Map([
    ['mcp', 'src/http/mcp/docs.test.ts'],
    ['test-mode', 'test/guide-test-mode.test.ts'],
  ]);
  /** Blocks that are not run: requests, drawings, and what works only with an account elsewhere. */
  const notRun = ['text', 'http', 'mermaid'];

  for (const { name, file } of guides) {
    const elsewhere = testedElsewhere.get(name);
    if (elsewhere !== undefined) {
      test(`${name}: ${elsewhere}`, () => expect(markdownOf(elsewhere)).toContain(file));
      continue;
    }
    test(name, async (context) => {
      const session = await newSession();
      await given[name]?.(session.client);
      const blocks = blocksOf(markdownOf(file)).filter(({ lang }) => !notRun.includes(lang));
      const scripts = blocks.filter(({ lang }) => lang === 'js' || lang === 'python');
      for (const { text } of scripts) {
        const script = /^(?:\/\/|#) (\S+)\n/.exec(text)?.[1] ?? 'nameless.mjs';
        writeFileSync(join(session.folder, script), text);
        if (script !== 'nameless.mjs') expect(markdownOf(file)).toMatch(new RegExp(`^\\$.* ${script}`, 'm'));
      }
      for (const block of blocks) {
        if (block.lang === 'console') for (const step of stepsOf(block)) await run(session, step);
        else if (block.lang !== 'json') expect(scripts).toContain(block);
      }
      for (const { text } of blocks.filter(({ lang }) => lang === 'json')) await expectEvent(session, text);
      if (existsSync(join(session.folder, 'nameless.mjs'))) await tryReceiver(session);
      if (!hasPython && scripts.some(({ lang }) => lang === 'python'))
        context.skip('all but the samples in Python passed: there is no python3');
    });
  }
});

interface Session {
  client: Client;
  folder: string;
  names: Names;
  variables: Record<string, string>;
}

/** What a reader has: an account, its key, and a folder with the files that the guides offer. */
async function newSession(): Promise<Session> {
  const client = await delivering.service.client({ name: 'Bookkeeping' });
  const folder = mkdtempSync(join(tmpdir(), 'tenure-guides-'));
  folders.push(folder);
  for (const { file } of files) cpSync(file, join(folder, file.split('/').at(-1) ?? ''));
  return { client, folder, names: new Map(), variables: { KEY: client.key } };
}

async function run(session: Session, shown: Step): Promise<void> {
  const { names, variables, folder } = session;
  const step = { ...shown, command: toHere(shown.command, session) };
  const words = shellWords(translate(step.command, names), variables);
  if (words[0] === 'export') words.shift();
  const environment: Record<string, string> = {};
  while (/^[A-Z_]+=/.test(words[0] ?? '')) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(words.shift() ?? '') ?? [];
    environment[name] = value;
  }
  const [program, ...args] = words;
  if (!hasPython && /\bpython(3 |\.log\b)/.test(step.command)) return;
  if (program === undefined) Object.assign(variables, environment);
  else if (program === 'curl') {
    // On a reader's server there are no older transactions of other tests, for which lists by changes would wait.
    await untilSettled(delivering.service.database.db);
    await runCurl(delivering.service, step, session);
  } else if (program === 'cat') await showFile(join(folder, args[0] ?? ''), step);
  else if (args.at(-1) === '&') await runBehind(session, program, args, environment);
  else expectOutput(step.output, await runProgram(session, program, args), names, step.command);
}

/** The command with the ports that are free here, and the account that exists, unless the guide makes one. */
function toHere(command: string, { client, names }: Session): string {
  const made = [...names.keys()].some((name) => name.startsWith('acct_'));
  return command
    .replace(/localhost:(4000|4001)/g, (_, port: string) => `localhost:${ports[port]}`)
    .replace('--account you@example.com', made ? '$&' : `--account ${formatId('acct', client.accountId)}`);
}

/** Shows a file that a program is still writing, or one that the reader is shown and has not written yet. */
async function showFile(path: string, { output, command }: Step): Promise<void> {
  if (!existsSync(path)) writeFileSync(path, output);
  await until(() => readFileSync(path, 'utf8').length >= output.length);
  expect(readFileSync(path, 'utf8'), command).toBe(output);
}

/** Runs `program args > file &` until it has printed something. */
async function runBehind(
  session: Session,
  program: string,
  args: string[],
  environment: Record<string, string>,
): Promise<void> {
  const [script = '', arrow, file = ''] = args;
  expect(arrow).toBe('>');
  const path = join(session.folder, file);
  const output = openSync(path, 'w');
  const PORT = String(ports[program === 'node' ? 4000 : 4001]);
  start(session, program, [script], { PORT, ...environment }, ['ignore', output, 'ignore']);
  closeSync(output);
  await until(() => readFileSync(path, 'utf8') !== '');
}

async function runProgram(session: Session, program: string, args: string[]): Promise<string> {
  const child = start(session, program, args, {}, ['ignore', 'pipe', 'pipe']);
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (chunk) => {
      printed[name] += chunk;
    });
  await once(child, 'close');
  return printed.stdout + printed.stderr;
}

function start(
  { folder, variables }: Session,
  program: string,
  args: string[],
  environment: Record<string, string>,
  stdio: ('ignore' | 'pipe' | 'inherit' | number)[],
) {
  const { service } = delivering;
  const settings = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    BASE_URL: service.url,
    ...variables,
    ...environment,
  };
  const node = [process.execPath, '--disable-warning=ExperimentalWarning'];
  const tenure = [...node, resolve('src/cli.ts')];
  const isTenure = program === 'npm' && args.slice(0, 4).join(' ') === 'run --silent tenure --';
  const [actual = '', ...first] = isTenure ? tenure : program === 'node' ? node : [program];
  if (program === 'npm' && !isTenure) throw new Error(`Not known: npm ${args.join(' ')}`);
  const child = spawn(actual, [...first, ...(isTenure ? args.slice(4) : args)], {
    cwd: folder,
    env: isTenure
      ? { ...settings, DATABASE_URL: service.database.url, SECRET_KEY: service.app.config.SECRET_KEY }
      : settings,
    stdio: stdio as ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

/** Expects an event that is shown to be the one with that id. */
async function expectEvent({ client, names }: Session, text: string): Promise<void> {
  const shown = JSON.parse(text);
  const { body } = await client.get(`/events/${names.get(shown.id)}`);
  expect(plainJson(body.data)).toEqual(plainJson(shown));
}

/** Tries the receiver of docs/delivery.md, which listens on 8080. */
async function tryReceiver(session: Session): Promise<void> {
  const path = join(session.folder, 'nameless.mjs');
  const code = readFileSync(path, 'utf8');
  expect(code).toContain('listen(8080)');
  writeFileSync(path, code.replace('8080', `${ports[8080]}, () => console.log('ready')`));
  const url = `http://localhost:${ports[8080]}/`;
  const webhook = await make.webhook(session.client, { url, events: ['tenant.created'] });
  await runBehind(session, 'node', ['nameless.mjs', '>', 'log'], { WEBHOOK_SECRET: webhook.secret });
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  await make.tenant(session.client);
  const log = join(session.folder, 'log');
  await until(() => readFileSync(log, 'utf8').includes('tenant.created'));
  expect(readFileSync(log, 'utf8')).toMatch(/^ready\ntenant\.created evt_[0-9a-f]{32}\n$/);
}

describe('pages', () => {
  test.each(guides)('$name is served from $file', async ({ name, file, label }) => {
    const response = await get(`${guidesPath}/${name}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await response.text();
    const [, title = ''] = /^# (.*)$/m.exec(markdownOf(file)) ?? [];
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).toContain(`href="${guidesPath}/${name}" aria-current="page">${label}</a>`);
    expect(html).toContain('href="/docs">API reference</a>');
    // The page works offline and without scripts.
    expect(html).not.toMatch(/<script|style=|<(?:link|img)[^>]*(?:href|src)="(?:https?:)?\/\//);
  });

  test('every link leads somewhere, in the product and in the repository', async () => {
    const pages = [{ path: guidesPath, file: indexFile }].concat(
      guides.map(({ name, file }) => ({ path: `${guidesPath}/${name}`, file })),
    );
    const html = new Map<string, string>();
    for (const { path } of pages) html.set(path, await (await get(path)).text());
    for (const { path, file } of pages) {
      for (const [, target = ''] of (html.get(path) ?? '').matchAll(/href="([^"]+)"/g)) {
        if (/^(https?:|\/$|\/favicon\.svg)/.test(target)) continue;
        const [to = '', fragment] = target.split('#', 2);
        const page = html.get(to || path);
        if (page === undefined) expect((await get(to)).status, `${path} → ${target}`).toBe(200);
        else if (fragment !== undefined) expect(page, `${path} → ${target}`).toContain(`id="${fragment}"`);
      }
      for (const [, target = ''] of markdownOf(file).matchAll(/\]\((?!https?:|#|\/)([^)#]+)/g))
        expect(existsSync(join(file, '..', target)), `${file} → ${target}`).toBe(true);
    }
  });

  test('the index names every guide', () => {
    const html = renderMarkdown(markdownOf(indexFile), indexFile, 'http://localhost:3000').html;
    const named = [...html.matchAll(/href="\/docs\/guides\/([a-z-]+)"/g)].map(([, name]) => name);
    expect(named).toEqual(guides.map(({ name }) => name));
  });

  test('the list of events is the catalogue', () => {
    const rows = [...markdownOf('docs/guides/events.md').matchAll(/^\| `([\w.]+)` \| (.*) \|$/gm)];
    expect(Object.fromEntries(rows.map(([, event, meaning]) => [event, meaning]))).toEqual(catalogue);
  });

  test('the reference leads to the guides', async () => {
    expect(await (await get('/api/v1/openapi.json')).text()).toContain('](/docs/guides)');
    expect((await get('/docs/')).status).toBe(200);
  });

  test('an unknown guide is a 404 with the list of guides', async () => {
    for (const path of [
      '/nothing',
      '/getting-started/more',
      '/%2e%2e/%2e%2e/package.json',
      '/verify/x',
      '/..%2fx',
    ]) {
      const response = await get(guidesPath + path);
      expect(response.status, path).toBe(404);
      const html = await response.text();
      if (!response.url.includes(guidesPath)) continue;
      for (const { name } of guides) expect(html).toContain(`href="${guidesPath}/${name}"`);
      expect(response.headers.get('etag')).toBeNull();
    }
  });

  test('a page has an ETag, and is sent again only when it changed', async () => {
    const path = `${guidesPath}/errors`;
    const etag = (await get(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}-gzip"$/);
    const again = await get(path, { 'if-none-match': `"other", W/${etag}` });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    const slash = await get(`${path}/?from=somewhere`);
    expect([slash.status, slash.headers.get('etag')]).toEqual([200, etag]);
  });

  test('pages may load our styles and pictures and nothing else', async () => {
    const { headers } = await get(guidesPath);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self'; img-src 'self';/,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-cache');
    const styles = await get(`${guidesPath}/guides.css`);
    expect([styles.status, styles.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  });

  test('code to copy comes as it is', async () => {
    for (const { path, file } of files) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).not.toContain('html');
      expect(await response.text()).toBe(markdownOf(file));
    }
  });

  test("samples name the service's own address", async () => {
    const service = await testService({ PUBLIC_URL: 'https://rent.example.com' });
    const html = await (await fetch(`${service.url}${guidesPath}/errors`)).text();
    await service.close();
    expect(html).toContain('curl -si https://rent.example.com/api/v1/tenants/');
    expect(html).not.toContain('localhost:3000');
  });
});

describe('Markdown', () => {
  const render = (markdown: string) => renderMarkdown(markdown, 'docs/guides/errors.md', 'http://here').html;

  test('HTML is shown, not used', () => {
    const html = render(
      'a <b onclick="x()">b</b>\n\n<script>alert(1)</script>\n\n<!-- note -->\n\n![p](x.png)',
    );
    expect(html).not.toMatch(/<(?:b|script|img)\b|<!--/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('only links that are links stay links', () => {
    expect(
      render('[a](javascript:alert(1)) [b](//evil.example) [c](data:text/html,x) [d](../../src/app.ts)'),
    ).toBe('<p>a b c d</p>\n');
    expect(render('[e](events.md#all-events) [f](../../openapi.json) [g](https://example.com/?a&b)')).toBe(
      '<p><a href="/docs/guides/events#all-events">e</a> <a href="/docs">f</a> <a href="https://example.com/?a&amp;b">g</a></p>\n',
    );
  });

  test('headings have the anchors of a code host', () => {
    const ids = [...render('## What `it` is, & why?\n\n## Twice\n\n## Twice').matchAll(/ id="([^"]+)"/g)];
    expect(ids.map(([, id]) => id)).toEqual(['what-it-is--why', 'twice', 'twice-1']);
  });

  test('a state diagram becomes a list of its changes', () => {
    expect(render('```mermaid\nstateDiagram-v2\n    [*] --> active : <made>\n```')).toContain(
      '<tr><td>(start)</td><td>active</td><td>&lt;made&gt;</td></tr>',
    );
  });
});
