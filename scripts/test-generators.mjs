// `npm run test:generators`: generates clients from openapi.json with the usual tools, each with its default options,
// and checks the types of what they wrote and of code that uses it. Installs them into a folder of its own, so it needs
// a registry.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const packages = {
  '@hey-api/openapi-ts': '0.99.0',
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  orval: '8.38.0',
  // The packages that orval's output imports.
  axios: '1.21.1',
  typescript: '5.9.3',
};
// The newest version that orval would accept asks for a package that was not published.
const overrides = { '@scalar/openapi-parser': '0.29.7' };

/** Lists have a type, errors have one, events can be distinguished, and a lease needs no field that has a default. */
const lease = "{ unit_id: 'x', tenant_ids: ['x'], start_date: '2026-01-01', rent_cents: 1 }";
const uses = {
  'use-hey-api.ts': `import { createLease, listEvents, listPayments, type ApiError, type PaymentList } from './hey-api';
const { data, error } = await listPayments();
export const list: PaymentList | undefined = data;
export const problem: ApiError | undefined = error;
export const cents: number | undefined = data?.data[0]?.amount_cents;
for (const event of (await listEvents()).data?.data ?? [])
  if (event.event === 'payment.created') console.log(event.data.payment.amount_cents.toFixed());
await createLease({ body: ${lease} });
`,
  'use-openapi-fetch.ts': `import createClient from 'openapi-fetch';
import type { components, paths } from './openapi-typescript';
const client = createClient<paths>({ baseUrl: 'http://localhost:3000/api/v1' });
const { data, error } = await client.GET('/payments');
export const list: components['schemas']['PaymentList'] | undefined = data;
export const problem: components['schemas']['ApiError'] | undefined = error;
for (const event of (await client.GET('/events')).data?.data ?? [])
  if (event.event === 'payment.created') console.log(event.data.payment.amount_cents.toFixed());
await client.POST('/leases', { body: ${lease} });
`,
  'use-orval.ts': `import { createLease, listEvents, listPayments, type PaymentList } from './orval';
export const list: PaymentList = (await listPayments()).data;
for (const event of (await listEvents()).data.data)
  if (event.event === 'payment.created') console.log(event.data.payment.amount_cents.toFixed());
await createLease(${lease});
`,
};

const folder = mkdtempSync(join(tmpdir(), 'tenure-generators-'));
const bin = (name) => join(folder, 'node_modules/.bin', name);
const json = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));

function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return;
  console.error(`${program} ${args.join(' ')}\n${error ?? ''}${stdout}${stderr}`);
  throw new Error(`${program} failed.`);
}

try {
  copyFileSync('openapi.json', join(folder, 'openapi.json'));
  json('package.json', { private: true, type: 'module', dependencies: packages, overrides });
  for (const [name, text] of Object.entries(uses)) writeFileSync(join(folder, name), text);
  json('tsconfig.json', {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
    },
    include: ['*.ts', 'hey-api'],
  });
  run('npm', 'install', '--no-audit', '--no-fund', '--silent');
  run(bin('openapi-ts'), '-i', 'openapi.json', '-o', 'hey-api');
  run(bin('openapi-typescript'), 'openapi.json', '-o', 'openapi-typescript.ts');
  run(bin('orval'), '--input', './openapi.json', '--output', './orval.ts');
  run(bin('tsc'), '-p', '.');
  console.log('hey-api, openapi-typescript with openapi-fetch, and orval: generated, and their types fit.');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
