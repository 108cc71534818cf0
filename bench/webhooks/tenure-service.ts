/*
 * Tenure as shipped, with payments recorded as the API records them: `tenure api` with `tenure worker` in another
 * process, or both in one as `tenure start` has them. Endpoints that hang, with a backlog, can be put beside those
 * that answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import '../../src/system/v8-flags.ts';
import { loadConfig } from '../../src/config.ts';
import { sql } from '../../src/db/sql.ts';
import { formatId, parseId } from '../../src/ids.ts';
import { recordPayment } from '../../src/payments/payments.ts';
import { type Part, type Running, start } from '../../src/start.ts';
import { addTenant } from '../../src/tenants/tenants.ts';
import { unsubscribe } from '../../src/webhooks/webhooks.ts';
import { serve } from '../lib/child.ts';
import { secretKey, toThisMachine } from '../lib/tenure.ts';
import { callerOf, countRows, type Endpoint, queueDeliveries, subscribeAll } from './endpoints.ts';
import { type Commits, type Pace, writeAtPace } from './pace.ts';
import type { Given } from './peer.ts';
import { pathOf } from './workload.ts';

type Payment = Parameters<typeof recordPayment>[2];
type Tenant = Parameters<typeof addTenant>[2];

let running: Running;
let base: string;
let accountId: string;
let tenantId: string;
let hanging: Endpoint[] = [];

serve({
  async setup({ database, base: receiver, mode, endpoints = 1 }: Given) {
    const settings = { DATABASE_URL: database, SECRET_KEY: secretKey, PORT: '0', LOG_LEVEL: 'error' };
    running = await start(loadConfig({ ...settings, ...toThisMachine }, ''), mode as Part);
    base = receiver;
    if (mode === 'worker') return;
    const { db } = running.app;
    const urls = Array.from({ length: endpoints }, (_, n) => base + pathOf(n));
    const [first] = await subscribeAll(db, urls);
    accountId = first?.accountId ?? '';
    const tenant = { first_name: 'Ada', last_name: 'Okafor' } as Tenant;
    const { id } = JSON.parse(await addTenant(db, callerOf(accountId), tenant, new Date())) as { id: string };
    tenantId = parseId('ten', id) ?? '';
  },

  /** It works from its start. */
  go() {},

  async write(pace: Pace): Promise<Commits> {
    const { db, workers } = running.app;
    const caller = callerOf(accountId);
    const payment = { tenant_id: tenantId, amount_cents: 125_000, method: 'bank_transfer', status: 'paid' };
    const commits = await writeAtPace(pace, async () => {
      const json = await recordPayment(db, caller, payment as Payment, new Date());
      workers.wake();
      return (JSON.parse(json) as { id: string }).id;
    });
    return byDelivery(commits);
  },

  /** Endpoints that take a request and never answer, of accounts of their own, with a backlog. */
  async hang({ count, queued }: { count: number; queued: number }) {
    if (count === 0) return;
    const { db, workers } = running.app;
    const urls = Array.from({ length: count }, (_, n) => `${base}/hang/${n}`);
    hanging = await subscribeAll(db, urls);
    await queueDeliveries(db.pool, hanging, { count: count * queued, endpoints: count });
    workers.wake();
  },

  /** Hanging requests are ended. Their connections must be closed for the queue to become empty. */
  async release() {
    for (const endpoint of hanging)
      await unsubscribe(running.app.db, callerOf(endpoint.accountId), endpoint.id, new Date());
    hanging = [];
  },

  async idle() {
    while ((await countRows(running.app.db.pool, 'delivery_queue')) > 0) await sleep(50);
  },
});

/** From payments to their deliveries, whose ids the receiver sees. One snapshot has each in one of the two tables. */
async function byDelivery(commits: Commits): Promise<Commits> {
  const rows = await running.app.db.query<{ id: string; payment: string }>(sql`
    select d.id, e.body::json -> 'data' -> 'payment' ->> 'id' as payment from events e join (
      select id, account_id, event_id from delivery_queue union all select id, account_id, event_id from deliveries
    ) d on d.account_id = e.account_id and d.event_id = e.id
    where e.account_id = ${accountId} and e.event = 'payment.created'`);
  return Object.fromEntries(
    rows.flatMap(({ id, payment }) => {
      const at = commits[payment];
      return at === undefined ? [] : [[formatId('dlv', id), at]];
    }),
  );
}
