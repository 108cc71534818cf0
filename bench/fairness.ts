/*
 * Does an endpoint that hangs delay the others? Times every delivery to twenty healthy endpoints from commit to
 * receipt: alone, beside one hanging endpoint with 10,000 deliveries queued, beside ten hanging ones, beside two hundred;
 * in one run, the quiet measurement before and after each. The promise is a p95 within twice the quiet one.
 *
 *   node bench/fairness.ts
 */
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../src/accounts/accounts.ts';
import { createApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { connect } from '../src/db/connect.ts';
import { openEmbedded } from '../src/db/embedded/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { sql } from '../src/db/sql.ts';
import { createSender } from '../src/deliveries/send.ts';
import { createWorker } from '../src/deliveries/worker.ts';
import { createLog } from '../src/log.ts';
import { addTenant } from '../src/tenants/tenants.ts';
import { subscribe, unsubscribe } from '../src/webhooks/webhooks.ts';

const healthyEndpoints = 20;
const eventsPerRound = 100;
const msBetweenEvents = 40;
const secretKey = 'only for this benchmark, 32 characters';

const folder = mkdtempSync(join(tmpdir(), 'tenure-fairness-'));
chmodSync(folder, 0o711);
const postgres = await openEmbedded({
  dataDir: folder,
  role: 'server',
  purpose: 'bench/fairness.ts',
  log: { info() {}, warn: console.warn, error: console.error },
});
const db = connect({ connection: postgres.connection, poolSize: 10, onError: () => undefined });
await migrate(db);
const config = loadConfig(
  { SECRET_KEY: secretKey, WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8' },
  '',
);
const app = createApp(config, db, createLog('silent'), secretKey);
const sender = createSender({
  rules: { allowHttp: true, allowedTargets: config.WEBHOOK_ALLOWED_TARGETS },
  timeoutMs: config.WEBHOOK_TIMEOUT_MS,
  connectTimeoutMs: 5_000,
  userAgent: 'Tenure/bench',
});
const worker = createWorker({ app, sender, graceMs: 0 });
worker.start();

/** When each event was received by the healthy endpoints, by tenant. */
const receipts = new Map<string, number[]>();
const receiver = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return;
    const at = performance.now();
    response.end();
    receipts.get(JSON.parse(body).data.tenant.id)?.push(at);
  });
}).listen(0, '127.0.0.1');
receiver.requestTimeout = 0;
await once(receiver, 'listening');
const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const { accountId } = await createAccount(db, {
  name: 'Bench',
  email: 'bench@example.com',
  password: 'not used here',
});
for (let i = 0; i < healthyEndpoints; i++) await subscribeTo(accountId, `/healthy/${i}`, 'tenant.created');

const rounds: [name: string, hanging: number, queuedEach: number][] = [
  ['quiet', 0, 0],
  ['one hanging, 10,000 queued', 1, 10_000],
  ['quiet', 0, 0],
  ['ten hanging, 1,000 queued each', 10, 1_000],
  ['quiet', 0, 0],
  ['200 hanging, 100 queued each', 200, 100],
  ['quiet', 0, 0],
];
await measure(); // warms up
const quiet: number[] = [];
const results: { name: string; p50: number; p95: number }[] = [];
for (const [name, hanging, queuedEach] of rounds) {
  const stop = await hang(hanging, queuedEach);
  const times = await measure();
  const result = { name, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
  results.push(result);
  if (hanging === 0) quiet.push(result.p95);
  await stop();
}
const quietP95 = percentile(
  quiet.sort((a, b) => a - b),
  0.5,
);
console.table(
  results.map(({ name, p50, p95 }) => ({
    round: name,
    'p50 ms': p50.toFixed(1),
    'p95 ms': p95.toFixed(1),
    'p95 to quiet': (p95 / quietP95).toFixed(2),
    'within twice': p95 <= 2 * quietP95 ? 'yes' : 'NO',
  })),
);
const worst = Math.max(...results.map(({ p95 }) => p95)) / quietP95;
console.log(`worst p95 ${worst.toFixed(2)} × the quiet one: ${worst <= 2 ? 'kept' : 'NOT kept'}`);

await worker.stop();
receiver.close();
receiver.closeAllConnections();
await db.close();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(worst <= 2 ? 0 : 1);

/** Milliseconds from commit to receipt of every delivery to a healthy endpoint, sorted. */
async function measure(): Promise<number[]> {
  const committed = new Map<string, number>();
  for (let i = 0; i < eventsPerRound; i++) {
    const json = await addTenant(
      db,
      accountId,
      { first_name: 'T', last_name: 'B' } as Parameters<typeof addTenant>[2],
      new Date(),
    );
    const at = performance.now();
    app.wakeWorkers();
    worker.wake();
    const { id } = JSON.parse(json) as { id: string };
    receipts.set(id, receipts.get(id) ?? []);
    committed.set(id, at);
    await sleep(msBetweenEvents);
  }
  const all = () => [...committed.keys()].every((id) => receipts.get(id)?.length === healthyEndpoints);
  while (!all()) await sleep(10);
  const times = [...committed].flatMap(([id, at]) =>
    (receipts.get(id) ?? []).map((received) => Math.max(0, received - at)),
  );
  receipts.clear();
  return times.sort((a, b) => a - b);
}

/** Endpoints that take a request and never answer, of accounts of their own, with a backlog. */
async function hang(count: number, queuedEach: number): Promise<() => Promise<void>> {
  const endpoints: { account: string; id: string }[] = [];
  for (let i = 0; i < count; i++) {
    // An account has at most a hundred endpoints.
    const account =
      i % 50 === 0
        ? (
            await createAccount(db, {
              name: 'Hanging',
              email: `${crypto.randomUUID()}@example.com`,
              password: 'not used here',
            })
          ).accountId
        : (endpoints.at(-1)?.account ?? '');
    endpoints.push({ account, id: await subscribeTo(account, `/hang/${i}`, 'unit.created') });
  }
  for (const { account, id } of endpoints) {
    await db.query(sql`
      with e as (
        insert into events (account_id, id, event, body, created_at)
        select ${account}, gen_random_uuid(), 'unit.created', '{}', now() from generate_series(1, ${queuedEach}::integer) returning id)
      insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
      select gen_random_uuid(), ${account}, ${id}, e.id, 'unit.created', 'event', true, now(), now() from e`);
  }
  worker.wake();
  return async () => {
    for (const { account, id } of endpoints) await unsubscribe(db, account, id, new Date());
    // What hangs is let go.
    receiver.closeAllConnections();
    await sleep(1_000);
  };
}

async function subscribeTo(
  account: string,
  path: string,
  event: 'tenant.created' | 'unit.created',
): Promise<string> {
  const subscription = { accountId: account, source: 'api' as const, url: base + path, events: [event] };
  const { id } = JSON.parse(
    await subscribe(db, app.secrets, subscription as Parameters<typeof subscribe>[2]),
  ) as { id: string };
  return id.slice(3);
}

function percentile(sorted: number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
