/*
 * How fast and in how much memory payments come in from CSV and go out again:
 *
 *   node --disable-warning=ExperimentalWarning --expose-gc bench/csv.ts [rows] [tenants]
 *
 * On an embedded Postgres of its own with the settings of `npm start`. One webhook is subscribed, so that every
 * payment is an event and a queued delivery.
 */

import { once } from 'node:events';
import {
  chmodSync,
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../src/accounts/accounts.ts';
import { createKey } from '../src/api-keys/api-keys.ts';
import { createApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { fileSource } from '../src/csv/source.ts';
import { connect } from '../src/db/connect.ts';
import { openEmbedded } from '../src/db/embedded/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { sql } from '../src/db/sql.ts';
import { createServer } from '../src/http/server.ts';
import { type ImportRequest, importFiles, surveyFiles } from '../src/imports/imports.ts';
import type { KindName } from '../src/imports/kind.ts';
import { createLog } from '../src/log.ts';

const rows = Number(process.argv[2] ?? 100_000);
const tenants = Number(process.argv[3] ?? 2_000);
const secret = 'a secret key of at least 32 characters';

const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-csv-'));
chmodSync(folder, 0o711);
const log = createLog('silent');
const postgres = await openEmbedded({ dataDir: folder, role: 'server', purpose: 'bench', log });
const db = connect({ connection: postgres.connection, poolSize: 10, onError: () => undefined });
await migrate(db);
const { accountId } = await createAccount(db, {
  name: 'Bench',
  email: 'bench@example.com',
  password: 'not used here',
});
const { key } = await createKey(db, { accountId, name: 'bench', permission: 'write', expiresAt: null });
const config = loadConfig(
  { LOG_LEVEL: 'silent', SECRET_KEY: secret, RATE_LIMIT_PER_SECOND: '0' },
  '/nonexistent',
);
const server = createServer(createApp(config, db, log, secret));
await server.listen({ port: 0, host: '127.0.0.1' });
const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api/v1`;
const headers = { authorization: `Bearer ${key}` };
await fetch(`${url}/webhooks`, {
  method: 'POST',
  headers,
  body: JSON.stringify({ url: 'https://93.184.215.14/hook', events: ['payment.created'] }),
});

const files = {
  properties: await write('properties.csv', 20, (n) =>
    n < 0 ? 'external_id,name,city' : `P${n},House ${n},Portland`,
  ),
  units: await write('units.csv', tenants, (n) =>
    n < 0 ? 'Property ID,Unit #,Beds,Rent' : `P${n % 20},${n},2,"$1,250.00"`,
  ),
  tenants: await write('tenants.csv', tenants, (n) =>
    n < 0 ? 'Tenant ID,Name,E-mail' : `T${n},"Okafor, Ada${n}",ada${n}@example.com`,
  ),
  leases: await write('leases.csv', tenants, (n) =>
    n < 0
      ? 'Property ID,Unit #,Tenant ID,Lease Start,Rent'
      : `P${n % 20},${n},T${n},1/${(n % 28) + 1}/2010,"$1,250.00"`,
  ),
  payments: await write('payments.csv', rows, (n) => {
    if (n < 0) return 'Transaction ID,Tenant ID,Date Paid,Amount,Method,Memo';
    const month = (Math.floor(n / tenants) % 12) + 1;
    const year = 2011 + Math.floor(n / tenants / 12);
    return `X${n},T${n % tenants},${month}/${(n % 28) + 1}/${year},"$1,${String(n % 1000).padStart(3, '0')}.00",ACH,rent ${n}`;
  }),
};

await timed('properties, units, tenants, leases', rows, () =>
  run(['properties', 'units', 'tenants', 'leases'], {}),
);
await timed('payments, trial run', rows, () => run(['payments'], { dryRun: true }));
await timed('payments, with events', rows, () => run(['payments'], {}));
await timed('payments again, nothing changed', rows, () => run(['payments'], {}));
await timed('export of payments', rows, async () => {
  const response = await fetch(`${url}/payments`, { headers: { ...headers, accept: 'text/csv' } });
  let bytes = 0;
  let lines = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  return `${lines - 1} rows, ${Math.round(bytes / 1e6)} MB`;
});
const [events] = await db.query<{ events: number; queued: number }>(
  sql`select (select count(*)::integer from events) as events, (select count(*)::integer from delivery_queue) as queued`,
);
console.log(`events ${events?.events}, queued deliveries ${events?.queued}`);

await server.close();
await db.close();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });

async function write(name: string, count: number, line: (n: number) => string): Promise<string> {
  const path = join(folder, name);
  const out = createWriteStream(path);
  for (let n = -1; n < count; n++) if (!out.write(`${line(n)}\r\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
  return path;
}

async function run(kinds: KindName[], more: Partial<ImportRequest>): Promise<string> {
  const request: ImportRequest = {
    accountId,
    files: await Promise.all(
      kinds.map(async (kind) => ({ kind, source: await fileSource(files[kind]), mapping: {} })),
    ),
    dateOrder: null,
    dryRun: false,
    events: true,
    now: new Date(),
    waitMs: 0,
    ...more,
  };
  const report = await importFiles(db, request, await surveyFiles(request));
  if (!report.ok) throw new Error(JSON.stringify(report.files.map(({ errors }) => errors.slice(0, 3))));
  return report.files
    .map(({ kind, create, update, unchanged }) => `${kind} +${create} ~${update} =${unchanged}`)
    .join(', ');
}

/** Seconds of processor time that Postgres has used so far: on a busy machine it says more than the clock. */
function postgresSeconds(): number {
  const ticks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')) return 0;
        if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(folder) && !ours(pid)) return 0;
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        return Number(fields[11]) + Number(fields[12]);
      } catch {
        return 0;
      }
    });
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
}

/** Postgres runs in its data folder. */
function ours(pid: string): boolean {
  return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
}

/** Time, rows a second, and how far memory rose above where it was. */
async function timed(what: string, count: number, work: () => Promise<string>): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage();
  let peak = before;
  const watch = setInterval(() => {
    const now = process.memoryUsage();
    if (now.rss > peak.rss) peak = now;
  }, 20);
  const started = performance.now();
  const cpu = process.cpuUsage();
  const postgresBefore = postgresSeconds();
  const result = await work();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const busy = `cpu ${((user + system) / 1e6).toFixed(1)} s here, ${(postgresSeconds() - postgresBefore).toFixed(1)} s in Postgres`;
  clearInterval(watch);
  const grown = Math.round((peak.rss - before.rss) / 1e6);
  console.log(
    `${what}: ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} rows/s, rss ${Math.round(before.rss / 1e6)} MB +${grown} MB, ${busy} (${result})`,
  );
}
