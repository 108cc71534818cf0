import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import {
  type Payment,
  Tenure,
  TenureConnectionError,
  TenureError,
  type TenureOptions,
} from '../../clients/typescript/src/index.ts';
import { make } from '../support/records.ts';
import { type Client, type Service, testService } from '../support/service.ts';

let service: Service;
let account: Client;
beforeAll(async () => {
  service = await testService();
  account = await service.client();
});
afterAll(() => service.close());

const tenureOf = (more: Partial<TenureOptions> = {}) =>
  new Tenure({ baseUrl: service.url, apiKey: account.key, ...more });

/** A server that answers as instructed, a client for it, and the requests that were sent. */
async function fake(answer: RequestListener) {
  const seen: { method: string | undefined; headers: Headers }[] = [];
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const noted: typeof fetch = (url, init) => {
    seen.push({ method: init?.method, headers: new Headers(init?.headers) });
    return fetch(url, init);
  };
  return { seen, tenure: new Tenure({ baseUrl, apiKey: 'svc_live_x', fetch: noted }) };
}

test('records are made, changed, read and deleted, with their types', async () => {
  const tenure = tenureOf();
  const tenant = await tenure.createTenant({ first_name: 'Ada', last_name: 'Okafor' });
  expect(tenant).toMatchObject({ first_name: 'Ada', lease_status: 'none' });
  expect(await tenure.updateTenant(tenant.id, { email: 'ada@example.com' })).toMatchObject({
    email: 'ada@example.com',
  });
  expect((await tenure.getTenant(tenant.id)).email).toBe('ada@example.com');
  const payment = await tenure.createPayment({ tenant_id: tenant.id, amount_cents: 125000, currency: 'USD' });
  expectTypeOf(payment).toEqualTypeOf<Payment>();
  expect(payment.amount).toBe('1250.00');
  const unused = await make.tenant(account);
  expect(await tenure.deleteTenant(unused.id)).toMatchObject({ id: unused.id, deleted: true });
});

test('a list gives its first page, every page, or every record once', async () => {
  const account = await service.client();
  const tenure = tenureOf({ apiKey: account.key });
  const made: string[] = [];
  for (const first_name of ['A', 'B', 'C', 'D', 'E'])
    made.unshift((await tenure.createTenant({ first_name, last_name: 'Okafor' })).id);
  const list = () => tenure.listTenants({ limit: 2, lease_status: ['none', 'active'] });
  const first = await list();
  expect(first).toMatchObject({ count: 2, hasMore: true });
  expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 2));
  const sizes: number[] = [];
  for await (const page of list().pages()) sizes.push(page.count);
  expect(sizes).toEqual([2, 2, 1]);
  const ids: string[] = [];
  for await (const { id } of list()) ids.push(id);
  expect(ids).toEqual(made);
  expect((await list().toArray(3)).map(({ id }) => id)).toEqual(made.slice(0, 3));
});

test('a payment whose answer is lost is repeated with the same key, and recorded once', async () => {
  const { id } = await make.tenant(account);
  const keys: (string | null)[] = [];
  const tenure = tenureOf({
    fetch: async (url, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      const response = await fetch(url, init);
      if (keys.length === 1) throw new TypeError('fetch failed');
      return response;
    },
  });
  await tenure.createPayment({ tenant_id: id, amount_cents: 100, currency: 'USD' });
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  expect(await tenureOf().listPayments({ tenant_id: id })).toMatchObject({ count: 1 });
});

test('a key of your own makes a call the same over restarts', async () => {
  const body = { tenant_id: (await make.tenant(account)).id, amount_cents: 100, currency: 'USD' };
  const first = await tenureOf().createPayment(body, { idempotencyKey: 'invoice-17' });
  let replayed: string | null = null;
  const onResponse = ({ headers }: Response) => {
    replayed = headers.get('idempotent-replayed');
  };
  expect(await tenureOf().createPayment(body, { idempotencyKey: 'invoice-17', onResponse })).toEqual(first);
  expect(replayed).toBe('true');
});

test('a request that Tenure refuses for now is sent again after the stated time', async () => {
  let count = 0;
  const { seen, tenure } = await fake((_request, response) => {
    if (++count === 1)
      response.writeHead(429, { 'retry-after': '1' }).end('{"error":{"code":429,"message":"x"}}');
    else response.end('{"data":{"id":"acct_x"}}');
  });
  const began = performance.now();
  await tenure.getAccount();
  expect(seen).toHaveLength(2);
  expect(performance.now() - began).toBeGreaterThan(990);
});

test('a longer wait is left to the caller', async () => {
  const { seen, tenure } = await fake((_request, response) => {
    response.writeHead(503, { 'retry-after': '3600' }).end('<html>Maintenance</html>');
  });
  const error = await tenure.getAccount().catch((caught) => caught);
  expect(error).toBeInstanceOf(TenureError);
  expect(error).toMatchObject({ status: 503, retryAfterMs: 3_600_000, message: '503: Service Unavailable' });
  expect(seen).toHaveLength(1);
});

test('an attempt without an answer ends, and is repeated, except for a deletion', async () => {
  const { seen, tenure } = await fake(() => undefined);
  const options = { timeoutMs: 200, retries: 1 };
  await expect(tenure.createTenant({ first_name: 'A', last_name: 'B' }, options)).rejects.toThrow(
    TenureConnectionError,
  );
  expect(seen).toHaveLength(2);
  expect(new Set(seen.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  await expect(tenure.deleteTenant('ten_x', options)).rejects.toThrow(/No answer within 200 ms/);
  expect(seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE']);
});

test('a call can be aborted, also while it waits', async () => {
  const { seen, tenure } = await fake((_request, response) => {
    response.writeHead(429, { 'retry-after': '30' }).end();
    controller.abort(new Error('Enough.'));
  });
  const controller = new AbortController();
  await expect(tenure.getAccount({ signal: controller.signal })).rejects.toThrow('Enough.');
  await expect(tenure.getAccount({ signal: controller.signal })).rejects.toThrow('Enough.');
  expect(seen).toHaveLength(1);
});

test('an error says what is wrong, with which field, and in which request', async () => {
  const invalid = await tenureOf()
    .createTenant({ first_name: '', last_name: 'Okafor' })
    .catch((error) => error);
  expect(invalid).toBeInstanceOf(TenureError);
  expect(invalid).toMatchObject({
    status: 400,
    type: 'validation_failed',
    fieldErrors: { first_name: ['Must not be empty.'] },
    message: '400: first_name: Must not be empty.',
    requestId: expect.stringMatching(/^req_/),
  });
  const missing = await tenureOf()
    .getTenant(`ten_${'0'.repeat(32)}`)
    .catch((error) => error);
  expect(missing).toMatchObject({ status: 404, type: 'not_found', message: '404: Not found' });
  await expect(tenureOf({ baseUrl: 'http://127.0.0.1:1' }).getAccount({ retries: 0 })).rejects.toThrow(
    TenureConnectionError,
  );
});

test('a missing id is not a list, and an id is never a path', async () => {
  const tenure = tenureOf();
  expect(() => tenure.getTenant('')).toThrow('getTenant needs id');
  await expect(tenure.getTenant('../account')).rejects.toMatchObject({ status: 404 });
});

test('answers that are not JSON are available through a plain request', async () => {
  const response = await tenureOf().request('GET', '/tenants', { query: { format: 'csv', limit: 1 } });
  expect(response.headers.get('content-type')).toContain('text/csv');
  expect(await response.text()).toMatch(/^id,/);
});

test('the next page is asked of the host that was set, whatever the Link says', async () => {
  const { seen, tenure } = await fake((request, response) => {
    const isFirst = !request.url?.includes('cursor');
    if (isFirst)
      response.setHeader('link', '<https://elsewhere.example/api/v1/tenants?cursor=c2>; rel="next"');
    response.end('{"data":[],"count":0}');
  });
  await tenure.listTenants().toArray();
  expect(seen).toHaveLength(2);
});
