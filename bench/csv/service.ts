/*
 * The service with its API in one process, importing and exporting as `tenure import` and GET with `Accept: text/csv` do.
 */
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import '../../src/system/v8-flags.ts';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/api-keys/api-keys.ts';
import { loadConfig } from '../../src/config.ts';
import { fileSource } from '../../src/csv/source.ts';
import { type ImportRequest, importFiles, surveyFiles } from '../../src/imports/imports.ts';
import type { KindName } from '../../src/imports/kind.ts';
import { type Running, start } from '../../src/start.ts';
import { serve } from '../lib/child.ts';

export type Step = 'records' | 'trial' | 'import' | 'again' | 'export';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-csv-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('SIGTERM', () => process.exit());

let running: Running;
let accountId: string;
let headers: { authorization: string };
let rows: { payments: number; records: number };
const files = new Map<KindName, string>();

const work: Record<Step, () => Promise<number>> = {
  records: () => run(['properties', 'units', 'tenants', 'leases'], {}, rows.records),
  trial: () => run(['payments'], { dryRun: true }, rows.payments),
  import: () => run(['payments'], {}, rows.payments),
  again: () => run(['payments'], {}, rows.payments),
  export: exportPayments,
};

serve({
  async setup({ database, payments, tenants }: { database: string; payments: number; tenants: number }) {
    const settings = { DATABASE_URL: database, SECRET_KEY: 'only for this benchmark, 32 characters' };
    running = await start(
      loadConfig({ ...settings, LOG_LEVEL: 'error', PORT: '0', RATE_LIMIT_PER_SECOND: '0' }, ''),
      'api',
    );
    const { db } = running.app;
    const email = 'bench@example.com';
    ({ accountId } = await createAccount(db, { name: 'Bench', email, hash: 'nobody signs in here' }));
    const { key } = await createKey(db, { accountId, name: 'bench', permission: 'write', expiresAt: null });
    headers = { authorization: `Bearer ${key}` };
    await fetch(`${running.address}/api/v1/webhooks`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url: 'https://93.184.215.14/hook', events: ['payment.created'] }),
    });
    rows = { payments, records: 20 + 3 * tenants };
    await writeFiles(payments, tenants);
  },
  async run(step: Step) {
    collectGarbage();
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    const startedAt = performance.now();
    const count = await work[step]();
    const seconds = (performance.now() - startedAt) / 1000;
    clearInterval(watch);
    return { rows: count, seconds, grownMb: (peak - before) / 1e6 };
  },
});

async function run(kinds: KindName[], more: Partial<ImportRequest>, expected: number): Promise<number> {
  const request: ImportRequest = {
    accountId,
    files: await Promise.all(
      kinds.map(async (kind) => ({ kind, source: await fileSource(files.get(kind) ?? ''), mapping: {} })),
    ),
    dateOrder: null,
    dryRun: false,
    events: true,
    now: new Date(),
    waitMs: 0,
    ...more,
  };
  const report = await importFiles(running.app.db, request, await surveyFiles(request));
  if (!report.ok) throw new Error(JSON.stringify(report.files.map(({ errors }) => errors.slice(0, 3))));
  const count = report.files.reduce((sum, file) => sum + file.create + file.update + file.unchanged, 0);
  if (count !== expected) throw new Error(`${expected} rows were in the files, ${count} were found.`);
  return count;
}

async function exportPayments(): Promise<number> {
  const response = await fetch(`${running.address}/api/v1/payments`, {
    headers: { ...headers, accept: 'text/csv' },
  });
  let lines = 0;
  for await (const chunk of response.body ?? []) for (const byte of chunk) if (byte === 10) lines += 1;
  if (lines - 1 !== rows.payments)
    throw new Error(`${rows.payments} payments went in, ${lines - 1} came out.`);
  return lines - 1;
}

async function writeFiles(payments: number, tenants: number): Promise<void> {
  await write('properties', 20, 'external_id,name,city', (n) => `P${n},House ${n},Portland`);
  await write('units', tenants, 'Property ID,Unit #,Beds,Rent', (n) => `P${n % 20},${n},2,"$1,250.00"`);
  await write(
    'tenants',
    tenants,
    'Tenant ID,Name,E-mail',
    (n) => `T${n},"Okafor, Ada${n}",ada${n}@example.com`,
  );
  await write(
    'leases',
    tenants,
    'Property ID,Unit #,Tenant ID,Lease Start,Rent',
    (n) => `P${n % 20},${n},T${n},1/${(n % 28) + 1}/2010,"$1,250.00"`,
  );
  await write('payments', payments, 'Transaction ID,Tenant ID,Date Paid,Amount,Method,Memo', (n) => {
    const month = (Math.floor(n / tenants) % 12) + 1;
    const year = 2011 + Math.floor(n / tenants / 12);
    return `X${n},T${n % tenants},${month}/${(n % 28) + 1}/${year},"$1,${String(n % 1000).padStart(3, '0')}.00",ACH,rent ${n}`;
  });
}

async function write(
  kind: KindName,
  count: number,
  header: string,
  line: (n: number) => string,
): Promise<void> {
  const path = join(folder, `${kind}.csv`);
  const out = createWriteStream(path);
  out.write(`${header}\r\n`);
  for (let n = 0; n < count; n++) if (!out.write(`${line(n)}\r\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
  files.set(kind, path);
}
