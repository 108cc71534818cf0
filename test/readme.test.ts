import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, runCurl, stepsOf } from './support/samples.ts';
import { type Client, type Service, testService } from './support/service.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
});
afterAll(() => service.close());

test('the tour of the README gives the answers it shows', async () => {
  const steps = blocksOf(readFileSync('README.md', 'utf8'))
    .filter(({ lang }) => lang === 'console')
    .flatMap(stepsOf)
    .filter(({ command }) => command.startsWith('curl '));
  expect(steps.length).toBeGreaterThan(6);
  const session = { names: new Map<string, string>(), variables: { KEY: client.key } };
  for (const step of steps) await runCurl(service, step, session);
});
