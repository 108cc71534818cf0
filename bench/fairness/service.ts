/*
 * One process as `tenure start` has it: it writes, and its worker delivers to healthy endpoints and to such as hang. The
 * receiver is in it too, so that commits and receipts are timed by one clock.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import '../../src/system/v8-flags.ts';
import { createAccount } from '../../src/accounts/accounts.ts';
import { loadConfig } from '../../src/config.ts';
import { sql } from '../../src/db/sql.ts';
import { type Running, start } from '../../src/start.ts';
import { addTenant } from '../../src/tenants/tenants.ts';
import { subscribe, unsubscribe } from '../../src/webhooks/webhooks.ts';
import { serve } from '../lib/child.ts';

const healthyEndpoints = 20;
const msBetweenEvents = 40;

interface Endpoint {
  account: string;
  id: string;
}

let running: Running;
let base: string;
let writer: string;
let hanging: Endpoint[] = [];
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
});
receiver.requestTimeout = 0;

serve({
  async setup(database: string) {
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const config = loadConfig(
      {
        DATABASE_URL: database,
        SECRET_KEY: 'only for this benchmark, 32 characters',
        PORT: '0',
        LOG_LEVEL: 'error',
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
      },
      '',
    );
    running = await start(config, 'start');
    writer = await newAccount('Bench');
    for (let n = 0; n < healthyEndpoints; n++) await subscribeTo(writer, `/healthy/${n}`, 'tenant.created');
  },

  /** Endpoints that take a request and never answer, of accounts of their own, with a backlog. */
  async hang({ count, queued }: { count: number; queued: number }) {
    let account = '';
    for (let n = 0; n < count; n++) {
      // An account has at most a hundred endpoints.
      if (n % 50 === 0) account = await newAccount('Hanging');
      hanging.push({ account, id: await subscribeTo(account, `/hang/${n}`, 'unit.created') });
    }
    for (const endpoint of hanging) await queueFor(endpoint, queued);
    running.app.workers.wake();
  },

  /** Milliseconds from commit to receipt of every delivery to a healthy endpoint. */
  async measure(events: number): Promise<number[]> {
    const committed = new Map<string, number>();
    for (let n = 0; n < events; n++) {
      const input = { first_name: 'T', last_name: 'B' } as Parameters<typeof addTenant>[2];
      const json = await addTenant(running.app.db, writer, input, new Date());
      const at = performance.now();
      running.app.workers.wake();
      const { id } = JSON.parse(json) as { id: string };
      receipts.set(id, receipts.get(id) ?? []);
      committed.set(id, at);
      await sleep(msBetweenEvents);
    }
    while ([...committed.keys()].some((id) => receipts.get(id)?.length !== healthyEndpoints)) await sleep(10);
    const times = [...committed].flatMap(([id, at]) =>
      (receipts.get(id) ?? []).map((received) => Math.max(0, received - at)),
    );
    receipts.clear();
    return times;
  },

  /** What hangs is let go, and everything of it is gone before the next scene begins. */
  async release() {
    for (const { account, id } of hanging) await unsubscribe(running.app.db, account, id, new Date());
    hanging = [];
    receiver.closeAllConnections();
    while ((await queued()) > 0) await sleep(50);
    await sleep(500);
  },
});

async function newAccount(name: string): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`;
  return (await createAccount(running.app.db, { name, email, hash: 'nobody signs in here' })).accountId;
}

async function subscribeTo(
  accountId: string,
  path: string,
  event: 'tenant.created' | 'unit.created',
): Promise<string> {
  const { db, secrets } = running.app;
  const json = await subscribe(db, secrets, { accountId, source: 'api', url: base + path, events: [event] });
  return (JSON.parse(json) as { id: string }).id.slice(3);
}

async function queueFor({ account, id }: Endpoint, count: number): Promise<void> {
  await running.app.db.query(sql`
    with e as (
      insert into events (account_id, id, event, body, created_at)
      select ${account}, gen_random_uuid(), 'unit.created', '{}', now() from generate_series(1, ${count}::integer) returning id)
    insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
    select gen_random_uuid(), ${account}, ${id}, e.id, 'unit.created', 'event', true, now(), now() from e`);
}

async function queued(): Promise<number> {
  const [row] = await running.app.db.query<{ count: number }>(
    sql`select count(*)::integer as count from delivery_queue`,
  );
  return row?.count ?? 0;
}
