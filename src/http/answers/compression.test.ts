import { request as ask, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../../../test/support/browser.ts';
import { hookUrl, make } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';
import { encodings, packStream } from './encodings.ts';

let service: Service;
let client: Client;
let tenant: string;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  client = await service.client();
  tenant = (await make.tenant(client, { notes: 'Prefers to be called. '.repeat(200) })).id;
});
afterAll(() => service.close());

interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** The body as it was transferred. fetch would decompress it. */
function raw(
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const url = `${service.url}${path}`;
    const sent = ask(
      url,
      { method, headers: { authorization: `Bearer ${client.key}`, ...headers } },
      (answer) =>
        buffer(answer).then(
          (bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes }),
          reject,
        ),
    );
    sent.on('error', reject).end(body && JSON.stringify(body));
  });
}

const unpack = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
const long = () => `/api/v1/tenants/${tenant}`;

test.each(encodings)(
  'long answers are sent as %s to those who accept it, with their own tag',
  async (encoding) => {
    const plain = await raw(long());
    const packed = await raw(long(), { 'accept-encoding': encoding });
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(packed.headers['content-length']).toBe(String(packed.bytes.length));
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(unpack[encoding](packed.bytes).toString()).toBe(plain.bytes.toString());
    for (const { headers } of [plain, packed]) expect(headers.vary).toMatch(/accept-encoding/i);

    const tag = packed.headers.etag ?? '';
    expect(tag).toBe(plain.headers.etag?.replace(/"$/, `-${encoding}"`));
    const again = await raw(long(), { 'accept-encoding': encoding, 'if-none-match': tag });
    expect([again.status, again.headers.etag, again.bytes.length]).toEqual([304, tag, 0]);
    expect(again.headers.vary).toMatch(/accept-encoding/i);
    const change = { method: 'PATCH', body: { phone: `+1 555 0100 ${encodings.indexOf(encoding)}` } };
    expect((await raw(long(), { 'if-match': tag }, change)).status).toBe(200);
  },
);

test.each([
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['*', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['gzip;q=0.5, identity', undefined],
  ['gzip;q=0, *', undefined],
  ['deflate', undefined],
  ['identity', undefined],
  ['', undefined],
  ['nonsense;;q=x, ,', undefined],
])('Accept-Encoding: %s is answered with %s', async (accept, encoding) => {
  const { status, headers } = await raw(long(), { 'accept-encoding': accept });
  expect([status, headers['content-encoding']]).toEqual([200, encoding]);
});

test('short answers stay uncompressed, unless the caller refuses that', async () => {
  const short = await raw('/api/v1/properties', { 'accept-encoding': 'gzip, br' });
  expect(short.headers['content-encoding']).toBeUndefined();
  const forced = await raw('/api/v1/properties', { 'accept-encoding': 'gzip, identity;q=0' });
  expect(gunzipSync(forced.bytes).toString()).toBe(short.bytes.toString());
});

test('a caller who accepts none of our encodings gets a 406, and nothing is done', async () => {
  for (const accept of ['identity;q=0', '*;q=0', 'deflate, identity;q=0']) {
    const create = { method: 'POST', body: { first_name: 'Never', last_name: 'Made' } };
    const answer = await raw('/api/v1/tenants', { 'accept-encoding': accept }, create);
    expect(answer.status).toBe(406);
    expect(JSON.parse(answer.bytes.toString()).error).toMatchObject({ code: 406 });
  }
  // An unknown caller gets 401 first.
  const unknown = { 'accept-encoding': '*;q=0', authorization: 'Bearer svc_live_wrong' };
  expect((await raw('/api/v1/tenants', unknown)).status).toBe(401);
  expect((await client.get('/tenants?q=Never')).body.count).toBe(0);
});

test('HEAD has the headers of GET', async () => {
  const accept = { 'accept-encoding': 'br' };
  const get = await raw(long(), accept);
  const head = await raw(long(), accept, { method: 'HEAD' });
  expect(head.bytes.length).toBe(0);
  for (const name of ['content-encoding', 'content-length', 'etag', 'vary', 'content-type'])
    expect(head.headers[name], name).toBe(get.headers[name]);
});

test('exports, errors, the OpenAPI document, guides and the reference are compressed', async () => {
  const csv = await raw('/api/v1/tenants', { 'accept-encoding': 'gzip', accept: 'text/csv' });
  expect(csv.headers).toMatchObject({ 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' });
  expect(csv.headers['content-disposition']).toContain('.csv');
  expect(csv.headers.vary).toMatch(/^accept, accept-encoding$/i);
  expect(gunzipSync(csv.bytes).toString()).toContain('Prefers to be called.');

  const body = {
    tenant_ids: Array.from({ length: 20 }, () => 'x'.repeat(50)),
    late_fees: [],
    rent_cents: 'x',
  };
  const wrong = await raw('/api/v1/leases', { 'accept-encoding': 'gzip' }, { method: 'POST', body });
  expect([wrong.status, wrong.headers['content-encoding']]).toEqual([400, 'gzip']);

  for (const path of ['/api/v1/openapi.json', '/docs/guides/http', '/docs/js/scalar.js']) {
    const plain = await raw(path);
    // The second answer is the one that was stored for the first.
    for (const _ of [1, 2]) {
      const packed = await raw(path, { 'accept-encoding': 'br' });
      expect(packed.headers['content-encoding'], path).toBe('br');
      expect(brotliDecompressSync(packed.bytes).toString()).toBe(plain.bytes.toString());
    }
  }
  const { headers } = await raw('/docs/guides/http', { 'accept-encoding': 'br' });
  const known = { 'accept-encoding': 'br', 'if-none-match': headers.etag ?? '' };
  expect((await raw('/docs/guides/http', known)).status).toBe(304);
});

test('an answer with a secret is never compressed', async () => {
  const accept = { 'accept-encoding': 'gzip, br, identity;q=0' };
  const body = { url: hookUrl, events: ['tenant.created'], description: 'x'.repeat(500) };
  const made = await raw('/api/v1/webhooks', accept, { method: 'POST', body });
  const { id, secret } = JSON.parse(made.bytes.toString()).data;
  expect(secret).toMatch(/^whsec_/);
  const rotate = await raw(`/api/v1/webhooks/${id}/rotate-secret`, accept, { method: 'POST' });
  expect(JSON.parse(rotate.bytes.toString()).data.secret).not.toBe(secret);

  const person = await signUp(service);
  const cookie = { ...accept, cookie: person.cookies(), 'content-type': 'application/json' };
  const key = await raw('/internal/v1/api-keys', cookie, {
    method: 'POST',
    body: { name: 'x'.repeat(200), permission: 'read' },
  });
  expect(JSON.parse(key.bytes.toString()).data.key).toMatch(/^svc_live_/);
  for (const { headers } of [made, rotate, key]) expect(headers['content-encoding']).toBeUndefined();
});

test.each(encodings)('a file that breaks off does not look complete as %s', async (encoding) => {
  async function* half() {
    yield 'a line\n'.repeat(1000);
    throw new Error('The database went away.');
  }
  const packed = packStream(encoding, Readable.from(half()));
  await expect(buffer(packed)).rejects.toThrow('went away');

  const source = Readable.from(
    (async function* () {
      for (;;) yield 'a line\n'.repeat(1000);
    })(),
  );
  const left = packStream(encoding, source);
  left.once('data', () => left.destroy());
  await new Promise((resolve) => source.once('close', resolve));
});
