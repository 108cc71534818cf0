import { describe, expect, test } from 'vitest';
import { document } from '../../support/conform.ts';
import { complaint } from './judge.ts';
import type { Draft } from './requests.ts';
import type { Given, Neighbour } from './world.ts';

/* Tests the judge of the fuzzing: it accepts what is right, and notices each thing that is wrong. */

const neighbour = { marker: 'of-the-neighbour', client: { key: 'svc_live_of_the_neighbour' } } as Neighbour;
const draft: Draft = {
  method: 'POST',
  path: '/tenants',
  id: '',
  query: [],
  body: { json: {} },
  headers: {},
  as: 'writer',
};
const body = '{"first_name":"Ada","last_name":"Okafor"}';
const operation = document.paths['/tenants']?.post as unknown as {
  responses: { 201: { content: { 'application/json': { example: unknown } } } };
};
const record = operation.responses[201].content['application/json'].example as { data: object };
const good: Given = {
  status: 201,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': `req_${'0'.repeat(32)}`,
    'cache-control': 'no-store',
    location: '/api/v1/tenants/ten_019a8b2c4d5e7f608192a3b4c5d6e7f8',
    ratelimit: '"default";r=1;t=1',
    'ratelimit-policy': '"default";q=1;w=1',
  },
  text: JSON.stringify(record),
};

function judge(given: Partial<Given>, sent = body, of = draft): string | null {
  return complaint(
    of,
    { method: of.method, target: '', headers: {}, body: sent },
    { ...good, ...given },
    neighbour,
  );
}

test('an answer as the document has it is right', () => {
  expect(judge({})).toBeNull();
});

describe('it notices', () => {
  const withHeader = (name: string, value: string | undefined) => ({
    headers: { ...good.headers, [name]: value },
  });
  const without = (name: string) => {
    const { [name]: _, ...headers } = good.headers;
    return { headers };
  };
  const error = (code: number) => ({
    status: code,
    text: JSON.stringify({ error: { code, message: 'x', type: 'bad_request', request_id: 'req_x' } }),
  });

  test.each<[string, Partial<Given>, RegExp]>([
    ['a fault', error(500), /fault/],
    ['a 503 too', error(503), /fault/],
    ['a status that is not documented', error(418), /no 418/],
    ['a success that is not documented', { status: 200 }, /no 200/],
    ['a missing field', { text: JSON.stringify({ data: { ...record.data, id: undefined } }) }, /id/],
    [
      'a field too many',
      { text: JSON.stringify({ data: { ...record.data, account_id: 'x' } }) },
      /additional/,
    ],
    [
      'a field of another type',
      { text: JSON.stringify({ data: { ...record.data, first_name: 5 } }) },
      /first_name/,
    ],
    ['an error without its envelope', { status: 400, text: '{"message":"x"}' }, /error/],
    ['another content type', withHeader('content-type', 'text/html'), /text\/html/],
    ['no request id', without('x-request-id'), /X-Request-Id/],
    ['an answer that may be cached', without('cache-control'), /cache/],
    ['a documented header that is missing', without('ratelimit'), /ratelimit/],
    ['a header that is not documented', withHeader('link', '<x>; rel="next"'), /link/],
    [
      "a neighbour's record",
      { text: JSON.stringify({ data: { ...record.data, notes: neighbour.marker } }) },
      /another account/,
    ],
  ])('%s', (_name, given, message) => {
    expect(judge(given)).toMatch(message);
  });

  test.each(['GET', 'HEAD'])('a 409 that is not documented, to %s', (method) => {
    const of = { ...draft, method, path: '/tenants/{id}' };
    const text = method === 'HEAD' ? '' : error(409).text;
    expect(judge({ ...error(409), text }, body, of)).toMatch(/no 409/);
    expect(judge({ ...error(404), text: method === 'HEAD' ? '' : error(404).text }, body, of)).toBeNull();
  });

  test('a wrong body that was taken', () => {
    expect(judge({}, '{"first_name":5,"last_name":"Okafor"}')).toMatch(/taken though/);
    expect(judge({}, '{"first_name":"Ada"}')).toMatch(/taken though/);
  });
});
