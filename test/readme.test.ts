import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type Service, testService } from './service.ts';

/*
 * The README's tour is real: its requests are made against a server, in order, and the answers must have
 * the same fields and values. Ids differ from run to run, so each id of the README stands for the one that
 * came in its place.
 */

interface Step {
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  answer: string;
}

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
});
afterAll(() => service.close());

test('the tour of the README gives the answers it shows', async () => {
  const steps = readSteps(readFileSync('README.md', 'utf8'));
  expect(steps.length).toBeGreaterThan(6);
  const ids = new Map<string, string>();
  for (const step of steps) {
    const answer = await service.request(step.method, `/api/v1${translate(step.path, ids)}`, {
      key: client.key,
      headers: step.headers,
      ...(step.body === undefined ? {} : { raw: translate(step.body, ids) }),
    });
    learn(step.answer, answer.text, ids);
    expect(plain(answer.text), step.path).toEqual(plain(step.answer));
  }
});

function readSteps(markdown: string): Step[] {
  const commands = /^\$ (curl (?:.*\\\n)*.*)\n(\{.*)$/gm;
  return [...markdown.matchAll(commands)].map(([, command = '', answer = '']) => {
    const body = /-d '([^']*)'/.exec(command)?.[1];
    const given = [...command.matchAll(/-H "([\w-]+): ([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    return {
      path: /http:\/\/localhost:3000\/api\/v1([^\s"]*)/.exec(command)?.[1] ?? '',
      method: body === undefined ? 'GET' : 'POST',
      headers: Object.fromEntries(given.filter(([name]) => name !== 'Authorization')),
      body,
      answer,
    };
  });
}

const idPattern = /\b(?:prop|unit|ten|lease|pay|we)_[0-9a-f]{32}\b/g;

function learn(shown: string, real: string, ids: Map<string, string>): void {
  const found = real.match(idPattern) ?? [];
  (shown.match(idPattern) ?? []).forEach((id, at) => ids.set(id, found[at] ?? id));
}

const translate = (text: string, ids: Map<string, string>): string =>
  text.replace(idPattern, (id) => ids.get(id) ?? id);

/** Ids, secrets, times and today's date are replaced by their kind. */
const plain = (text: string): unknown =>
  JSON.parse(
    text
      .replace(idPattern, (id) => id.replace(/_.*/, '_id'))
      .replace(/whsec_[0-9a-f]{64}/g, 'secret')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replace(/"paid_on":"[\d-]{10}"/g, '"paid_on":"today"'),
  );
