import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { generatedText } from '../integrations/zapier/generate.ts';
import { openApiDocument } from '../src/http/openapi.ts';
import { routes } from '../src/http/routes.ts';

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

test('its lockfile names no registry', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"');
});

/*
 * Its own tests, in a process of their own: the platform's SDK puts itself into node:http and fetch. It is no
 * dependency of ours, so they run where it is installed (`npm ci` in its folder).
 */
test.skipIf(!existsSync(`${folder}/node_modules`))('its own tests pass', { timeout: 180_000 }, async () => {
  const { NODE_ENV: _, ...env } = process.env;
  const run = promisify(execFile)('npm', ['test', '--silent'], { cwd: folder, env });
  await run.catch(({ stdout, stderr }) => expect.fail(`${stdout}\n${stderr}`));
});
