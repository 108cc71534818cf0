import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId } from '../src/ids.ts';
import { kindNames } from '../src/imports/kind.ts';
import { type Person, signUp } from './support/browser.ts';
import { make } from './support/records.ts';
import { blocksOf, shellWords } from './support/samples.ts';
import { type Service, testService } from './support/service.ts';

/* Runs the samples of docs/csv.md as a reader would, and compares its table of columns with an import. */

const document = readFileSync('docs/csv.md', 'utf8');
const [exporting, importing, options, ...others] = blocksOf(document);
const folder = mkdtempSync(join(tmpdir(), 'tenure-csv-'));
let service: Service;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

test('all samples of the document are run here', () => expect(others).toEqual([]));

test('the export', async () => {
  const client = await service.client();
  await make.payment(client, { paid_on: '2026-02-01', memo: 'within' });
  await make.payment(client, { paid_on: '2025-12-31', memo: 'before' });
  const words = shellWords(exporting?.text ?? '', { KEY: client.key });
  expect(words.splice(-2)).toEqual(['>', 'payments.csv']);
  const [curl, , authorization = '', , accept = '', url = ''] = words;
  expect([curl, words.length]).toEqual(['curl', 6]);
  const headers = Object.fromEntries([authorization, accept].map((header) => header.split(': ')));
  const answer = await service.request('GET', url.replace('http://localhost:3000', ''), { headers });
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
  const lines = answer.text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('within');
});

/** The least that each file must contain. */
const files: Record<string, string> = {
  'roll.csv': 'Building,Apt #,Resident,Lease From,Mo. Rent\nOak House,1,Bo Lind,2026-01-01,900\n',
  'p.csv': 'Property Name\nMaple Court\n',
  'u.csv': 'Building,Unit #\nMaple Court,1A\n',
  't.csv': 'Tenant\n"Okafor, Ada"\n',
  'l.csv': 'Apt,Tenant,Lease Start,Monthly Rent\n1A,Ada Okafor,2026-01-01,"$1,250.00"\n',
  'chg.csv': 'Apt,Charge Type,Amount Due,Due Date\n1A,Parking,50.00,2026-02-01\n',
  'pay.csv': 'Resident,Amount Paid,Date Paid\nAda Okafor,"1,250.00",2026-02-01\n',
  'crd.csv': 'Resident,Credit Amount,Date,Reason\nAda Okafor,25.00,2026-02-03,Discount\n',
  'mnt.csv': 'Property,Task\nMaple Court,Tap drips\n',
};

test('the import, which as a trial writes nothing', async () => {
  const client = await service.client();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const [tenure, ...words] = shellWords(importing?.text ?? '', {});
  expect(tenure).toBe('tenure');
  const args = words.map((word) => {
    if (word === 'you@example.com') return formatId('acct', client.accountId);
    return word in files ? join(folder, word) : word;
  });
  const env = { PATH: process.env.PATH, DATABASE_URL: service.database.url, SECRET_KEY: 'x'.repeat(40) };
  const program = ['--disable-warning=ExperimentalWarning', 'src/cli.ts', ...args, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, program, { env });
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ dry_run: true, ok: true });
  expect(result.files.map(({ create }: { create: number }) => create)).toEqual(
    // A rent roll makes a property, a unit, a tenant and a lease.
    kindNames.map((kind) => (kind === 'rent_roll' ? 4 : 1)),
  );
  expect((await client.get('/properties')).body.count).toBe(0);
});

async function preview(person: Person, texts: Record<string, string>, more?: string) {
  const form = new FormData();
  for (const [kind, text] of Object.entries(texts)) form.append(kind, new File([text], `${kind}.csv`));
  if (more !== undefined) form.append('options', more);
  const response = await fetch(`${service.url}/internal/v1/imports/preview`, {
    method: 'POST',
    headers: { cookie: person.cookies(), origin: service.url },
    body: form,
  });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as {
    data: { files: { kind: string; columns: { header: string; field: string | null }[] }[] };
  };
  return data.files;
}

test('the options of the form', async () => {
  const texts = { properties: 'Name\nMaple Court\n', units: 'Property,Apt,Colour\nMaple Court,1A,red\n' };
  const [, units] = await preview(await signUp(service), texts, options?.text);
  expect(units?.columns).toMatchObject([
    { header: 'Property', field: 'property' },
    { header: 'Apt', field: 'name' },
    { header: 'Colour', field: null },
  ]);
});

test('every column of the table is recognised in its file', async () => {
  const columns = new Map<string, string[]>();
  let kind = '';
  for (const [, first = '', second = ''] of document.matchAll(/^\| (\w*) ?\| ([^|]*`[^|]*) \| /gm)) {
    kind = first || kind;
    const names = [...second.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    columns.set(kind, [...(columns.get(kind) ?? []), ...names]);
  }
  expect([...columns.keys()]).toEqual([...kindNames]);
  expect([...columns.values()].flat().length).toBeGreaterThan(60);
  const texts = Object.fromEntries(
    [...columns].map(([name, headers]) => {
      const own = [...new Set(headers)];
      return [name, `${own.join(',')}\n${own.map(() => '').join(',')}\n`];
    }),
  );
  for (const file of await preview(await signUp(service), texts)) {
    const unknown = file.columns.filter(({ field }) => field === null);
    expect(unknown, file.kind).toEqual([]);
  }
});
