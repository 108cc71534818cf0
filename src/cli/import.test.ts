import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../../test/abuse/fuzz/settings.ts';
import { make } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { thorough } from '../../test/support/thorough.ts';
import { sql } from '../db/sql.ts';
import { formatId, parseId } from '../ids.ts';
import { type ImportOptions, importCommand } from './import.ts';

let service: Service;
let client: Client;
const folder = mkdtempSync(join(tmpdir(), 'tenure-import-'));
beforeAll(async () => {
  service = await testService();
  client = await service.client();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** Runs `tenure import` as a user would. */
function tenureImport(
  args: string[],
  node: string[] = [],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const account = formatId('acct', client.accountId);
  return new Promise((resolve) => {
    const program = [
      '--disable-warning=ExperimentalWarning',
      ...node,
      'src/cli.ts',
      'import',
      '--account',
      account,
    ];
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      DATABASE_URL: service.database.url,
      SECRET_KEY: 'x'.repeat(40),
    };
    execFile(process.execPath, [...program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

test('imports files, says what it did, and names the lines that keep a file out', async () => {
  const properties = file('p.csv', 'Name,City\nMaple Court,Portland\n');
  const units = file('u.csv', 'Haus;Apt;Miete\nMaple Court;1A;1.250,00\n');
  const map = ['--map', 'Haus=property', '--map', 'units:Miete=market_rent'];

  const trial = await tenureImport([
    '--properties',
    properties,
    '--units',
    units,
    ...map,
    '--dry-run',
    '--json',
  ]);
  expect(trial.code, trial.stderr).toBe(0);
  expect(JSON.parse(trial.stdout)).toMatchObject({
    dry_run: true,
    ok: true,
    files: [{ create: 1 }, { create: 1 }],
  });
  expect((await client.get('/properties')).body.count).toBe(0);

  const done = await tenureImport(['--units', units, '--properties', properties, ...map, '--no-events']);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toContain(`${properties}: 1 property: 1 created, 0 changed, 0 unchanged`);
  expect((await client.get('/units')).body.data).toMatchObject([{ name: '1A', market_rent_cents: 125_000 }]);
  expect((await client.get('/events')).body.count).toBe(0);

  const payments = file('pay.csv', 'Tenant,Amount,Date Paid\nAda Okafor,12,03/04/2026\n');
  const wrong = await tenureImport(['--payments', payments]);
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain('nothing of this file was imported');
  expect(wrong.stderr).toContain(
    `${payments}, line 2, column "Date Paid": "03/04/2026" can be read month first or day first`,
  );

  await make.tenant(client);
  const settled = await tenureImport(['--payments', payments, '--date-format', 'DD/MM/YYYY']);
  expect(settled.code, settled.stderr).toBe(0);
  expect((await client.get('/payments')).body.data).toMatchObject([
    { paid_on: '2026-04-03', source: 'import' },
  ]);
});

test.each<[Partial<ImportOptions>, string]>([
  [{}, 'Give at least one file'],
  [{ units: '/nonexistent.csv' }, 'there is no such file'],
  [{ units: folder }, 'is not a file'],
  [{ units: 'package.json', dateFormat: 'nonsense' }, '--date-format must be'],
  [{ units: 'package.json', map: ['Apt=unit'] }, '--map "Apt=unit" matches none of the files'],
  [{ units: 'package.json', map: ['nonsense'] }, '--map takes Header=field'],
])('wrong usage is reported before anything is opened: %j', async (options, message) => {
  await expect(importCommand({ account: 'x', events: true, ...options })).rejects.toThrow(message);
});

test('imports nothing if the rejected rows cannot be written anywhere', async () => {
  const tenants = file('unwritten.csv', 'First name,Last name\nUna,Written\n');
  const nowhere = join(folder, 'nowhere', 'rejected.csv');
  const { code, stdout, stderr } = await tenureImport(['--tenants', tenants, '--rejected', nowhere]);
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: `${nowhere} cannot be opened: no such file or directory.\n`,
  });
  expect((await client.get('/tenants?q=Una')).body.data).toEqual([]);
});

test('rows left out are counted, written to a file, and signalled by the exit code', async () => {
  const tenants = file('some.csv', 'Name,Email\nCleo Martin,cleo@example.com\nDev Patel,dev at example\n');
  const rejected = join(folder, 'rejected.csv');
  const some = await tenureImport(['--tenants', tenants, '--skip-errors', '--rejected', rejected]);
  expect(some.code, some.stderr).toBe(2);
  expect(some.stdout).toContain('1 created, 0 changed, 0 unchanged, 1 with errors left out');
  expect(some.stdout).toContain('1 row was not imported');
  const mended = file(
    'mended.csv',
    readFileSync(rejected, 'utf8').replaceAll('dev at example', 'dev@example.com'),
  );
  const all = await tenureImport(['--tenants', mended, '--skip-errors']);
  expect(all.code, all.stderr).toBe(0);
});

/** Progress is reported every 10,000 rows. */
const manyPayments = isLong ? 20_000 : 10_500;

test.runIf(thorough || isLong)(
  `${manyPayments} payments are imported with a heap of 64 MB, with progress`,
  async () => {
    const tenant = await make.tenant(client, { external_id: 'T1' });
    const rows = Array.from(
      { length: manyPayments },
      (_, n) => `X${n},T1,2026-01-${String((n % 28) + 1).padStart(2, '0')},${n + 1}.00,${'memo '.repeat(20)}`,
    );
    const path = file('large.csv', `Transaction ID,Tenant ID,Date Paid,Amount,Memo\n${rows.join('\n')}`);
    const { code, stdout, stderr } = await tenureImport(['--payments', path], ['--max-old-space-size=64']);
    expect(code, stderr).toBe(0);
    const told = manyPayments.toLocaleString('en');
    expect(stdout).toContain(`${told} payments: ${told} created`);
    expect(stderr).toContain('10,000 payments (');
    const [row] = await service.database.db.query<{ count: number }>(
      sql`select count(*)::integer as count from payments where account_id = ${client.accountId} and tenant_id = ${parseId('ten', tenant.id)}`,
    );
    expect(row?.count).toBe(manyPayments);
  },
);
