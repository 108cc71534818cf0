import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Service, testService } from '../support/service.ts';
import { converse, lines } from '../support/sockets.ts';

/*
 * Where a proxy in front of us might see the borders between requests elsewhere, we see no request at all and hang up.
 */

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
});
afterAll(() => service.close());

const post = (...headers: string[]) =>
  lines('POST /api/v1/tenants HTTP/1.1', 'Host: x', `Authorization: Bearer ${client.key}`, ...headers);

describe('two requests that look like one', () => {
  const hidden = lines('GET /healthz HTTP/1.1', 'Host: x');
  const length = `Content-Length: ${hidden.length}`;
  test.each<[string, () => string]>([
    ['a length and chunks', () => `${post(length, 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`],
    ['chunks and a length', () => `${post('Transfer-Encoding: chunked', length)}0\r\n\r\n${hidden}`],
    ['two lengths', () => `${post('Content-Length: 0', length)}${hidden}`],
    ['a list of lengths', () => `${post(`Content-Length: 0, ${hidden.length}`)}${hidden}`],
    ['a length with a sign', () => `${post(`Content-Length: +${hidden.length}`)}${hidden}`],
    ['a length in hex', () => `${post('Content-Length: 0x10')}${hidden}`],
    ['a blank before the colon', () => `${post(`Content-Length : ${hidden.length}`)}${hidden}`],
    [
      'a coding that is not the last',
      () => `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n${hidden}`,
    ],
    ['an unknown coding', () => `${post('Transfer-Encoding: xchunked')}0\r\n\r\n${hidden}`],
    ['a folded header', () => `${post('Transfer-Encoding:\r\n chunked')}0\r\n\r\n${hidden}`],
    ['a bare line feed', () => `${post('X: 1\nTransfer-Encoding: chunked')}0\r\n\r\n${hidden}`],
    ['a bare carriage return', () => `${post('X: 1\rTransfer-Encoding: chunked')}0\r\n\r\n${hidden}`],
    ['a broken chunk size', () => `${post('Transfer-Encoding: chunked')}0x0\r\n\r\n${hidden}`],
    [
      'a chunk extension with a line feed',
      () => `${post('Transfer-Encoding: chunked')}0;\n\r\n\r\n${hidden}`,
    ],
    ['a huge chunk size', () => `${post('Transfer-Encoding: chunked')}FFFFFFFFFFFFFFFFF\r\n\r\n${hidden}`],
  ])('%s: one answer, and the connection ends', async (_name, bytes) => {
    const { statuses, ended, text } = await converse(service.url, [bytes()], { listenMs: 1_500 });
    expect(statuses, text).toEqual([400]);
    expect(ended).toBe(true);
    expect(text).not.toContain('"ok"');
  });

  test('a thousand pipelined requests on one connection are answered in order', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => (at % 2 ? '/healthz' : '/api/v1/nothing'))
      .map((path) => lines(`GET ${path} HTTP/1.1`, 'Host: x'))
      .join('');
    const last = lines('GET /healthz HTTP/1.1', 'Host: x', 'Connection: close');
    const { statuses } = await converse(service.url, [many, last], { listenMs: 10_000 });
    expect(statuses).toEqual([...Array.from({ length: 1_000 }, (_, at) => (at % 2 ? 200 : 404)), 200]);
  });
});
