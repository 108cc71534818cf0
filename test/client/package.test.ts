import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf } from '../support/samples.ts';
import { type Client, type Service, testService } from '../support/service.ts';

/*
 * The package as users get it: packed, unpacked into a new folder, and used there from JavaScript and from TypeScript.
 */

const run = promisify(execFile);
const tsc = resolve('node_modules/.bin/tsc');
let service: Service;
let account: Client;
let folder: string;
beforeAll(async () => {
  service = await testService();
  account = await service.client();
  folder = mkdtempSync(join(tmpdir(), 'tenure-client-'));
  const npm = ['pack', '--silent', '--pack-destination', folder];
  const { stdout } = await run('npm', npm, { cwd: 'clients/typescript' });
  const unpacked = join(folder, 'node_modules/@tenure');
  mkdirSync(unpacked, { recursive: true });
  await run('tar', ['-xf', join(folder, stdout.trim().split('\n').at(-1) ?? ''), '-C', unpacked]);
  symlinkSync('package', join(unpacked, 'client'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

test('it depends on nothing, and has code, types, a README and the licence', () => {
  const unpacked = join(folder, 'node_modules/@tenure/client');
  const packed = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  expect(packed.dependencies ?? {}).toEqual({});
  for (const file of ['dist/index.js', 'dist/index.d.ts', 'README.md', 'LICENSE'])
    expect(readFileSync(join(unpacked, file), 'utf8').length, file).toBeGreaterThan(100);
});

test('the tour of its README gives the output it shows', async () => {
  const blocks = blocksOf(readFileSync('clients/typescript/README.md', 'utf8'));
  const textOf = (lang: string) => blocks.filter((block) => block.lang === lang).map(({ text }) => text);
  expect(textOf('js').length).toBeGreaterThan(7);
  writeFileSync(join(folder, 'tour.mjs'), textOf('js').join('\n'));
  const env = { ...process.env, TENURE_URL: service.url, TENURE_API_KEY: account.key };
  const { stdout } = await run(process.execPath, ['tour.mjs'], { cwd: folder, env });
  expect(stdout).toBe(textOf('text').join(''));
});

test('TypeScript knows its types, with the strictest options, and finds mistakes', async () => {
  const right = `import { Tenure, TenureError, verifyWebhook, type Event, type Payment } from '@tenure/client';
const tenure = new Tenure({ baseUrl: 'http://localhost:3000', apiKey: 'svc_live_x' });
export const payments: Promise<Payment[]> = tenure.listPayments({ status: 'paid', limit: 5 }).toArray();
export async function amounts(): Promise<number> {
  let sum = 0;
  for await (const { amount_cents } of tenure.listPayments({ status: ['paid', 'pending'] })) sum += amount_cents;
  return sum;
}
export function amountIn(event: Event): number | undefined {
  return event.event === 'payment.created' ? event.data.payment.amount_cents : undefined;
}
export const typeOf = (error: TenureError) => error.type === 'lease_overlap';
export const received = (request: Request) => request.text().then((body) => verifyWebhook({ body, headers: request.headers, secret: 'x' }));
`;
  const wrong = [
    "tenure.listPayments({ status: 'payed' })",
    'tenure.createTenant({ first_name: 1, last_name: "x" })',
    'tenure.getPayment()',
    'tenure.listPayment()',
  ].map((call) => `// @ts-expect-error\nexport const _${call.length} = () => ${call};`);
  writeFileSync(join(folder, 'use.ts'), `${right}${wrong.join('\n')}\n`);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
  };
  for (const module of ['nodenext', 'preserve']) {
    const config = { compilerOptions: { ...compilerOptions, module }, files: ['use.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = await run(tsc, ['-p', folder]).catch((error) => error);
    expect(stdout).toBe('');
  }
});
