/*
 * Tenure as shipped: payments recorded as the API records them (one statement, which carries the signal or is followed by it), by `tenure api` with
 * `tenure worker` in another process, or both in one as `tenure start` does.
 */
import '../../../src/system/v8-flags.ts';
import { createAccount } from '../../../src/accounts/accounts.ts';
import type { Caller } from '../../../src/caller.ts';
import { loadConfig } from '../../../src/config.ts';
import { sql } from '../../../src/db/sql.ts';
import { formatId, parseId } from '../../../src/ids.ts';
import type { PaymentInput } from '../../../src/payments/payments.schema.ts';
import { recordPayment } from '../../../src/payments/payments.ts';
import { type Running, start } from '../../../src/start.ts';
import { addTenant } from '../../../src/tenants/tenants.ts';
import { subscribe } from '../../../src/webhooks/webhooks.ts';
import { serve } from '../../lib/child.ts';
import { type Commits, type Pace, type Role, writeAtPace } from '../pace.ts';

const parts = { write: 'api', work: 'worker', both: 'start' } as const;

let running: Running;
let caller: Caller;
let tenantId: string;

serve({
  async setup({ database, base, role }: Role) {
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
    running = await start(config, parts[role]);
    if (role !== 'work') await prepare(base);
  },
  async write(pace: Pace): Promise<Commits> {
    const { db, workers } = running.app;
    return writeAtPace(pace, async (n) => {
      const input = {
        tenant_id: tenantId,
        amount_cents: 125_000 + n,
        method: 'bank_transfer',
        status: 'paid',
      };
      const json = await recordPayment(db, caller, input as PaymentInput, new Date());
      workers.wake();
      return (JSON.parse(json) as { id: string }).id;
    });
  },
  /** By their deliveries' ids, which is what the receiver sees. */
  async translate(commits: Commits): Promise<Commits> {
    const rows = await running.app.db.query<{ id: string; payment: string }>(sql`
      select d.id, e.body::json -> 'data' -> 'payment' ->> 'id' as payment
      from deliveries d join events e on e.account_id = d.account_id and e.id = d.event_id`);
    return Object.fromEntries(
      rows.flatMap(({ id, payment }) => {
        const at = commits[payment];
        return at === undefined ? [] : [[formatId('dlv', id), at]];
      }),
    );
  },
  stop: () => running.stop(),
});

async function prepare(base: string): Promise<void> {
  const { db, secrets } = running.app;
  const email = `${crypto.randomUUID()}@example.com`;
  const { accountId } = await createAccount(db, { name: 'Bench', email, hash: 'nobody signs in here' });
  caller = { accountId, currency: 'USD', source: 'api' } as Caller;
  const input = { first_name: 'Ada', last_name: 'Okafor' } as Parameters<typeof addTenant>[2];
  const json = await addTenant(db, accountId, input, new Date());
  tenantId = parseId('ten', (JSON.parse(json) as { id: string }).id) ?? '';
  const events: ['payment.created'] = ['payment.created'];
  await subscribe(db, secrets, { accountId, source: 'api', url: `${base}/hooks/0`, events });
}
