import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId } from '../src/ids.ts';
import { type Delivering, testDelivering } from './support/delivering.ts';
import { freePort, until } from './support/process.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { day, expectError, make } from './support/records.ts';
import { blocksOf } from './support/samples.ts';
import type { Client } from './support/service.ts';

/*
 * Pastes docs/guides/test-mode.md into a shell, block by block, and compares the webhooks of test mode with live ones.
 */

const guide = 'docs/guides/test-mode.md';
/** The function as receivers have it. */
const { verifyWebhook } = (await import(resolve('docs/verify/verify.mjs'))) as {
  verifyWebhook: (body: string, header: string | undefined, secret: string) => boolean;
};
let delivering: Delivering;
let receiver: Receiver;
let port: number;
let folder: string;
beforeAll(async () => {
  receiver = await startReceiver();
  port = await freePort();
  folder = mkdtempSync(join(tmpdir(), 'tenure-guide-'));
  delivering = await testDelivering({
    WEBHOOK_ALLOWED_TARGETS: `localhost:${port},${new URL(receiver.url()).host}`,
    // A receiver that is slow on a busy machine must not get the same delivery twice.
    WEBHOOK_TIMEOUT_MS: '15000',
  });
});
afterAll(async () => {
  await delivering?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the guide prints what it shows, whatever day it is', async () => {
  const steps = stepsOf(readFileSync(guide, 'utf8'));
  const printed = await paste(steps.map(({ command }) => command));
  const months = monthsBetween(dayIn(steps.map(({ output }) => output)), dayIn(printed));
  for (const [at, { command, output }] of steps.entries())
    expect(linesOf(printed[at] ?? ''), command).toEqual(linesOf(inMonths(output, months)));
});

interface Step {
  command: string;
  output: string;
}

/** Each block of commands, with the output that is shown below it. */
function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  for (const { lang, text } of blocksOf(markdown)) {
    const last = steps.at(-1);
    if (lang === 'bash') steps.push({ command: text, output: '' });
    else if (last !== undefined) last.output += text;
  }
  return steps;
}

/** Runs the blocks in one shell, and returns what each of them printed. */
async function paste(blocks: string[]): Promise<string[]> {
  const { service, client } = delivering;
  const end = '-- end of a block --';
  const script = ['set -eo pipefail', "trap 'kill $(jobs -p) 2>&- || true' EXIT"]
    // The command is the one in package.json, but works from any folder.
    .concat('npm() { shift 4; node --disable-warning=ExperimentalWarning "$CLI" "$@"; }')
    .concat(blocks.map((block) => `${block}\necho '${end}'`))
    .join('\n')
    .replaceAll('http://localhost:3000', service.url)
    .replaceAll(/\b4000\b/g, String(port))
    .replaceAll('you@example.com', formatId('acct', client.accountId));
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    TMPDIR: folder,
    CLI: resolve('src/cli.ts'),
    DATABASE_URL: service.database.url,
    SECRET_KEY: service.app.config.SECRET_KEY,
  };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env });
  return stdout.split(`${end}\n`).slice(0, -1);
}

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trimEnd());
const dayIn = (texts: string[]) => /\d{4}-\d\d-\d\d/.exec(texts.join('\n'))?.[0] ?? '';

function monthsBetween(from: string, to: string): number {
  expect(to.slice(7)).toBe(from.slice(7));
  const [first, last] = [new Date(from), new Date(to)];
  return (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth();
}

/** The text with its days moved by this many months. They are days that every month has. */
const inMonths = (text: string, months: number) =>
  text.replaceAll(/\d{4}-\d\d-\d\d/g, (shown) => {
    const moved = new Date(shown);
    moved.setUTCMonth(moved.getUTCMonth() + months);
    return moved.toISOString().slice(0, 10);
  });

test('webhooks of test mode go out signed and logged as live ones do, also when its clock is far ahead', async () => {
  const { client: live } = delivering;
  const trial = await delivering.service.trialOf(live);
  const later = day(400);
  expect((await trial.post('/test/clock/advance', { to: `${later}T12:00:00Z` })).status).toBe(200);

  const [ofLive, ofTrial] = [await deliver(live, '/live'), await deliver(trial, '/test')];
  for (const { webhook, request } of [ofLive, ofTrial])
    expect(verifyWebhook(request.body, request.headers['x-service-signature'], webhook.secret)).toBe(true);
  expect(verifyWebhook(ofTrial.request.body, ofTrial.request.headers['x-service-signature'], 'whsec_0')).toBe(
    false,
  );
  expect(JSON.parse(ofLive.request.body)).not.toHaveProperty('mode');
  const body = JSON.parse(ofTrial.request.body);
  expect([body.mode, body.created_at.slice(0, 10)]).toEqual(['test', later]);

  const names = (record: object) => Object.keys(record).toSorted();
  expect(names(ofTrial.request.headers)).toEqual(names(ofLive.request.headers));
  expect(names(ofTrial.delivery)).toEqual(names(ofLive.delivery));
  const { event_id, event, status, attempts, finished_at } = ofTrial.delivery;
  expect([event_id, event, status]).toEqual([body.id, 'tenant.created', 'succeeded']);
  expect(attempts).toHaveLength(1);
  expect(names(attempts[0])).toEqual(names(ofLive.delivery.attempts[0]));
  // This is the real time, unlike the time of the event.
  expect(Date.parse(finished_at)).toBeLessThan(Date.now() + 86_400_000);
  // Neither sees the deliveries of the other.
  expectError(await live.get(`/deliveries/${ofTrial.delivery.id}`), 404, 'Not found');
  expectError(await trial.get(`/deliveries/${ofLive.delivery.id}`), 404, 'Not found');
});

test.each([
  'https://127.0.0.1/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/',
  'https://93.184.215.14:22/',
  'ftp://93.184.215.14/',
])('the address %s is as unsafe in test mode', async (url) => {
  const { client: live } = delivering;
  const trial = await delivering.service.trialOf(live);
  const { id } = await make.webhook(trial, { url: receiver.url() });
  const sentence = (await live.post('/webhooks', { url, events: ['tenant.created'] })).body.error.message;
  for (const answer of [
    await trial.post('/webhooks', { url, events: ['tenant.created'] }),
    await trial.patch(`/webhooks/${id}`, { url }),
  ]) {
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toEqual(sentence);
  }
});

/** Returns an event that arrived at the path, with its endpoint and its delivery. */
async function deliver(client: Client, path: string) {
  const webhook = await make.webhook(client, { url: receiver.url(path), events: ['tenant.created'] });
  await make.tenant(client);
  const [request] = await receiver.count(1, path);
  if (request === undefined) throw new Error('Nothing came.');
  const listed = async () => (await client.get(`/webhooks/${webhook.id}/deliveries`)).body.data[0];
  await until(async () => (await listed()).status !== 'pending');
  const delivery = (await client.get(`/deliveries/${(await listed()).id}`)).body.data;
  return { webhook, request, delivery };
}
