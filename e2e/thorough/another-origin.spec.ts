import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from '../fixtures.ts';

/** A page of another origin with a key of its own, as an integrator would build it. */
test('a page of a named origin works with the API, and one of another origin cannot', async ({
  browser,
  owner,
  service,
}) => {
  const { key } = await owner.post<{ key: string }>('/api-keys', { name: 'Partner', permission: 'write' });
  const partner = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Partner</title>');
  });
  partner.listen(Number(new URL(service.partner).port), '0.0.0.0');
  await once(partner, 'listening');
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const call = () => page.evaluate(callApi, { base: `${service.url}/api/v1`, key });
    await page.goto(service.partner);
    expect(await call()).toEqual({
      created: 201,
      changed: 200,
      stale: 412,
      missing: 404,
      known: 304,
      internal: 'closed',
    });

    // The same server under another name is another origin.
    await page.goto(service.partner.replace('localhost', '127.0.0.1'));
    await expect(call()).rejects.toThrow(/Failed to fetch/);
  } finally {
    await context.close();
    partner.close();
  }
});

/** This runs in the page. */
async function callApi({ base, key }: { base: string; key: string }) {
  const send = (method: string, path: string, body?: object, more: Record<string, string> = {}) =>
    fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more },
      ...(body && { body: JSON.stringify(body) }),
    });
  const created = await send(
    'POST',
    '/tenants',
    { first_name: 'Ada', last_name: 'Okafor' },
    { 'idempotency-key': crypto.randomUUID() },
  );
  const path = (created.headers.get('location') ?? '').replace('/api/v1', '');
  const tag = created.headers.get('etag') ?? '';
  const changed = await send('PATCH', path, { notes: 'Called.' }, { 'if-match': tag });
  const stale = await send('PATCH', path, { notes: 'Lost.' }, { 'if-match': tag });
  const known = await send('GET', path, undefined, { 'if-none-match': changed.headers.get('etag') ?? '' });
  const missing = await send('GET', '/tenants/ten_00000000000000000000000000000000');
  const internal = await fetch(`${base.replace('/api/', '/internal/')}/session`, {
    credentials: 'include',
  }).then(
    () => 'open',
    () => 'closed',
  );
  return {
    created: created.status,
    changed: changed.status,
    stale: stale.status,
    missing: missing.status,
    known: known.status,
    internal,
  };
}
