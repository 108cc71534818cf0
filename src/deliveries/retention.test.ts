import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { countLockWaits } from '../../test/support/database.ts';
import { queueDeliveries } from '../../test/support/queue.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { days, hours } from '../clock.ts';
import { sql } from '../db/sql.ts';
import { forgetOldKeys } from '../http/routes/idempotency.ts';
import { lowestIdAt, newId } from '../ids.ts';
import { sweepOld } from './retention.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const now = new Date();
const idDaysAgo = (count: number) => {
  const old = lowestIdAt(new Date(now.getTime() - days(count)));
  return old.slice(0, 14) + newId().slice(14);
};

test('events, deliveries, attempts and idempotency keys are deleted after their time, and nothing else is', async () => {
  const { db } = service.database;
  const accounts = [(await service.client()).accountId, (await service.client()).accountId];
  const old = Array.from({ length: 1_200 }, () => idDaysAgo(31));
  const young = Array.from({ length: 20 }, () => idDaysAgo(29));
  const stillQueued = idDaysAgo(40);
  for (const account of accounts) {
    const ids = [...old, ...young];
    await db.query(
      sql`insert into events select ${account}, id, 'tenant.created', '{}', ${now} from unnest(${ids}::uuid[]) id`,
    );
    await db.query(sql`insert into deliveries (account_id, id, endpoint_id, event_id, event, kind, status, attempts, created_at, finished_at)
      select ${account}, id, id, id, 'tenant.created', 'event', 'succeeded', 2, ${now}, ${now} from unnest(${ids}::uuid[]) id`);
    await db.query(sql`insert into delivery_attempts (account_id, delivery_id, attempt, started_at, outcome)
      select ${account}, id, n, ${now}, 'success' from unnest(${ids}::uuid[]) id, generate_series(1, 2) n`);
    for (const hours of [23, 25]) {
      await db.query(
        sql`insert into idempotency_keys values (${account}, ${`key ${hours}`}, '', 200, '', ${now}::timestamptz - ${hours} * interval '1 hour')`,
      );
    }
  }
  await db.query(
    sql`insert into events values (${accounts[0]}, ${stillQueued}, 'tenant.created', '{}', ${now})`,
  );
  await queueDeliveries(db, {
    accountId: accounts[0] ?? '',
    endpointId: newId(),
    eventId: stillQueued,
    kind: 'redelivery',
    waitMs: hours(1),
  });

  // Two processes at the same time do no harm.
  const counts = await Promise.all([
    sweepOld(service.app.db, now, 30, [forgetOldKeys]),
    sweepOld(service.app.db, now, 30, [forgetOldKeys]),
  ]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(2 * (1_200 * 4 + 1));

  const left = async (table: string, account: string | undefined) => {
    const rows = await db.pool.query(`select * from ${table} where account_id = $1`, [account]);
    return rows.rowCount;
  };
  expect(await left('events', accounts[0])).toBe(21);
  expect(await left('events', accounts[1])).toBe(20);
  for (const account of accounts) {
    expect(await left('deliveries', account)).toBe(20);
    expect(await left('delivery_attempts', account)).toBe(40);
    expect(await left('idempotency_keys', account)).toBe(1);
  }

  // A process whose clock is ahead of the database's.
  expect(await sweepOld(service.app.db, new Date(now.getTime() + days(300)), 30, [forgetOldKeys])).toBe(0);
});

test('a key that is used again while the sweep waits for it is kept', async () => {
  const { db } = service.database;
  const { accountId } = await service.client();
  await db.query(
    sql`insert into idempotency_keys values (${accountId}, 'again', '', 200, '', ${now}::timestamptz - interval '25 hours')`,
  );
  let swept: Promise<number> = Promise.resolve(-1);
  await db.transaction(async (tx) => {
    await tx.query(sql`update idempotency_keys set created_at = ${now} where account_id = ${accountId}`);
    swept = forgetOldKeys(service.app.db, accountId, now, 500);
    await vi.waitUntil(async () => (await countLockWaits(db)) > 0, { timeout: 2_500 });
  });
  expect(await swept).toBe(0);
});
