import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from '../fixtures.ts';

/** The @tenure/client that its package contains, in a page of another origin. */
test('the client pages, retries, reports errors and verifies webhooks in a browser', async ({
  browser,
  owner,
  service,
}) => {
  const { key } = await owner.post<{ key: string }>('/api-keys', { name: 'Partner', permission: 'write' });
  const built = mkdtempSync(join(tmpdir(), 'tenure-client-'));
  execFileSync('node_modules/.bin/tsc', ['-p', 'clients/typescript/tsconfig.json', '--outDir', built]);
  const partner = createServer((request, response) => {
    const file = basename(request.url ?? '');
    if (file.endsWith('.js'))
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(built, file)));
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Partner</title>');
  });
  partner.listen(Number(new URL(service.partner).port), '0.0.0.0');
  await once(partner, 'listening');
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(service.partner);
    const timestamp = Math.floor(Date.now() / 1000);
    const body = '{"id":"evt_1","event":"tenant.created"}';
    const secret = 'whsec_test';
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    const webhook = { body, secret, headers: `t=${timestamp},v1=${signature}` };
    expect(await page.evaluate(useClient, { baseUrl: service.url, apiKey: key, webhook })).toEqual({
      names: ['C', 'B', 'A'],
      attempts: 2,
      recorded: 1,
      error: { status: 400, type: 'validation_failed', fields: ['first_name'], hasRequest: true },
      event: 'tenant.created',
      forged: 'TenureSignatureError',
    });
  } finally {
    await context.close();
    partner.close();
    rmSync(built, { recursive: true, force: true });
  }
});

interface Given {
  baseUrl: string;
  apiKey: string;
  webhook: { body: string; secret: string; headers: string };
}

/** This runs in the page. */
async function useClient({ baseUrl, apiKey, webhook }: Given) {
  const address = '/index.js';
  const { Tenure, verifyWebhook } = (await import(
    address
  )) as typeof import('../../clients/typescript/src/index.ts');
  const tenure = new Tenure({ baseUrl, apiKey });
  for (const first_name of ['A', 'B', 'C']) await tenure.createTenant({ first_name, last_name: 'Okafor' });
  const tenants = await tenure.listTenants({ limit: 1 }).toArray();

  // The answer to the first attempt is lost.
  let attempts = 0;
  const unlucky = new Tenure({
    baseUrl,
    apiKey,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (++attempts === 1) throw new TypeError('Failed to fetch');
      return response;
    },
  });
  const tenant_id = tenants[0]?.id ?? '';
  await unlucky.createPayment({ tenant_id, amount_cents: 100, currency: 'USD' });
  const recorded = (await tenure.listPayments({ tenant_id })).count;

  const error = await tenure.createTenant({ first_name: '', last_name: 'x' }).catch((caught) => caught);
  const { event } = await verifyWebhook(webhook);
  const forged = await verifyWebhook({ ...webhook, body: '{}' }).catch((caught) => caught);
  return {
    names: tenants.map(({ first_name }) => first_name),
    attempts,
    recorded,
    error: {
      status: error.status,
      type: error.type,
      fields: Object.keys(error.fieldErrors),
      hasRequest: error.requestId?.startsWith('req_'),
    },
    event,
    forged: forged.name,
  };
}
