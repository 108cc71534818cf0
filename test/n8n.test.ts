import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { generatedText } from '../integrations/n8n/generate.mts';
import { signingKey, signStandard } from '../src/deliveries/sending/sign.ts';
import { subscribableEvents } from '../src/events/catalogue.ts';
import { newSecret } from '../src/webhooks/webhooks.ts';

const folder = 'integrations/n8n';
const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8');
const require = createRequire(import.meta.url);

test('what the n8n nodes know of the API is up to date (npm run generate)', () => {
  expect(read('nodes/Tenure/generated.json')).toBe(generatedText());
});

interface Property {
  name: string;
  options?: { value: string }[];
}

test('the nodes can be loaded without n8n, and their files are those of the package', () => {
  const { n8n } = JSON.parse(read('package.json')) as { n8n: { nodes: string[]; credentials: string[] } };
  const [node, trigger] = [...n8n.nodes, ...n8n.credentials].map((path) => {
    const [Type] = Object.values(require(`../${folder}/${path}`)) as (new () => {
      description: { properties: Property[] };
    })[];
    expect(path).toContain(`/${Type?.name}.`);
    return Type && new Type();
  });
  const events = trigger?.description.properties.find(({ name }) => name === 'events')?.options;
  expect(events?.map(({ value }) => value).sort()).toEqual(['*', ...subscribableEvents].sort());
  expect(node?.description.properties.length).toBeGreaterThan(50);
});

interface Signature {
  isGenuine(body: Buffer, headers: Record<string, string>, secret: string, nowMs: number): boolean;
}

test('its trigger knows a genuine delivery from a forged or an old one', () => {
  const { isGenuine } = require(`../${folder}/nodes/Tenure/signature.js`) as Signature;
  const [secret, other] = [newSecret(), newSecret()];
  const body = Buffer.from('{"event":"tenant.created"}');
  const timestamp = 1_794_735_000;
  const nowMs = timestamp * 1000;
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signStandard({
      keys: [secret, other].map(signingKey),
      timestamp,
      body,
      id: 'evt_1',
    }),
  };
  for (const each of [secret, other]) expect(isGenuine(body, headers, each, nowMs)).toBe(true);
  expect(isGenuine(body, headers, secret, nowMs + 300_000)).toBe(true);
  expect(isGenuine(body, headers, secret, nowMs + 301_000)).toBe(false);
  expect(isGenuine(body, headers, newSecret(), nowMs)).toBe(false);
  expect(isGenuine(body, headers, '', nowMs)).toBe(false);
  expect(isGenuine(Buffer.from('{}'), headers, secret, nowMs)).toBe(false);
  for (const name of Object.keys(headers)) {
    expect(isGenuine(body, { ...headers, [name]: 'x' }, secret, nowMs), name).toBe(false);
    expect(isGenuine(body, { ...headers, [name]: '' }, secret, nowMs), name).toBe(false);
  }
});

test('its lockfile names no registry', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"');
});

/*
 * Runs the node's own tests with n8n's engine. The engine is large and not a dependency of ours, so they run only where
 * it is installed (`npm ci` in its folder).
 */
test.skipIf(!existsSync(`${folder}/node_modules`))('its own tests pass', async () => {
  const { NODE_ENV: _, ...env } = process.env;
  const run = promisify(execFile)('npm', ['test', '--silent'], { cwd: folder, env });
  await run.catch(({ stdout, stderr }) => expect.fail(`${stdout}\n${stderr}`));
});
