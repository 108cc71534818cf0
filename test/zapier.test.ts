import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { generatedText } from '../integrations/zapier/generate.ts';
import { openApiDocument } from '../src/http/openapi/openapi.ts';
import { routes } from '../src/http/routes/routes.ts';
import { make } from './support/records.ts';
import { testService } from './support/service.ts';
import { thorough } from './support/thorough.ts';

const folder = 'integrations/zapier';
const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8');

test('what the Zapier integration knows of the API is up to date (npm run generate in its folder)', () => {
  expect(read('generated.json')).toBe(generatedText());
});

test('its sample records are records as the API would return them', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(openApiDocument(routes), 'openapi');
  const { triggers, records } = JSON.parse(read('generated.json')) as {
    triggers: { record: string; sample: object }[];
    records: Record<string, { sample: object }>;
  };
  const ofRecords = Object.entries(records).map(([record, { sample }]) => ({ record, sample }));
  for (const { record, sample } of [...triggers, ...ofRecords]) {
    const name = record.replace(/(^|_)(.)/g, (_, __, letter: string) => letter.toUpperCase());
    const fits = ajv.validate(`openapi#/components/schemas/${name}`, sample);
    expect(fits, `${record}: ${ajv.errorsText()}`).toBe(true);
  }
});

interface Money {
  paymentCurrency(z: object, bundle: object): Promise<string>;
}

test('a payment is in the currency that Tenure would choose for its day', async () => {
  // Plain JavaScript, which is not compiled with us.
  const money = new URL(`../${folder}/money.js`, import.meta.url).href;
  const { paymentCurrency } = (await import(/* @vite-ignore */ money)) as Money;
  const service = await testService();
  const client = await service.client();
  const z = {
    request: async ({ url, params }: { url: string; params: Record<string, string> }) => {
      const { status, text, body } = await client.get(
        `${url.split('/api/v1')[1]}?${new URLSearchParams(params)}`,
      );
      if (status !== 200) throw new Error(text);
      return { data: body };
    },
  };
  const tenant = await make.tenant(client);
  const leased = async (dates: object, currency: string) =>
    make.lease(client, { tenant_ids: [tenant.id], rent_cents: 100, currency, ...dates });
  await leased({ start_date: '2020-01-01', end_date: '2020-12-31' }, 'JPY');
  await leased({ start_date: '2021-02-01', end_date: '2021-12-31', ended_on: '2021-06-30' }, 'KWD');
  await leased({ start_date: '2021-06-30', end_date: '2022-12-31' }, 'EUR');
  await leased({ start_date: '2022-06-01', end_date: '2022-12-31', ended_on: '2022-08-31' }, 'CHF');
  await leased({ start_date: '2022-09-01', end_date: '2023-12-31', ended_on: '2022-09-01' }, 'GBP');
  await leased({ start_date: '2023-01-01', end_date: '2039-12-31' }, 'CAD');
  await leased({ start_date: '2041-01-01' }, 'VND');
  const chosen: string[] = [];
  for (const paid_on of [
    ...['2019-12-31', '2020-01-01', '2020-12-31', '2021-01-01', '2021-06-29', '2021-06-30', '2021-07-01'],
    ...['2022-06-01', '2022-08-31', '2022-09-01', '2022-12-31', '2040-06-01', '2041-01-01', ''],
  ]) {
    const paid = { tenant_id: tenant.id, amount_cents: 1, ...(paid_on && { paid_on }) };
    const { body } = await client.post('/payments', paid);
    const inputData = { tenant_id: tenant.id, paid_on: paid_on && `${paid_on}T23:30:00-08:00` };
    const authData = { base_url: service.url };
    expect(await paymentCurrency(z, { authData, inputData }), paid_on).toBe(body.data.currency);
    chosen.push(body.data.currency);
  }
  expect(chosen.join(' ')).toBe('JPY JPY JPY KWD KWD EUR EUR CHF CHF EUR EUR VND VND CAD');
  await service.close();
});

test('its lockfile names no registry', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"');
});

/*
 * Its own tests, in a process of their own: the platform's SDK puts itself into node:http and fetch. It is not a
 * dependency of ours, so they run where it is installed (`npm ci` in its folder).
 */
test.runIf(thorough && existsSync(`${folder}/node_modules`))('its own tests pass', async () => {
  const { NODE_ENV: _, ...env } = process.env;
  const run = promisify(execFile)('npm', ['test', '--silent'], { cwd: folder, env });
  await run.catch(({ stdout, stderr }) => expect.fail(`${stdout}\n${stderr}`));
});
