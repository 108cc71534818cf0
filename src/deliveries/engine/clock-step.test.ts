import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Delivering, testDelivering } from '../../../test/support/delivering.ts';
import { claimDeliveries } from '../../../test/support/queue.ts';
import { answerWith, type Receiver, startReceiver } from '../../../test/support/receiver.ts';
import { sql } from '../../db/sql.ts';
import { ClockWatch, mendTimes } from './clock-step.ts';
import { leaseMs } from './queue.store.ts';

/** A time that was asked for and answered at the same moment. */
const at = (ms: number) => ({ askedMs: ms, answeredMs: ms });

describe('the watch', () => {
  test('notices a clock that is set back, and counts the first look', () => {
    const clock = new ClockWatch();
    expect(clock.wentBack(5_000_000, at(1_000))).toBe(true);
    expect(clock.wentBack(5_001_000, at(2_000))).toBe(false);
    expect(clock.wentBack(1_402_000, at(3_000))).toBe(true);
    expect(clock.wentBack(1_403_000, at(4_000))).toBe(false);
  });

  test('is not disturbed by a clock that is corrected a little, or set forward', () => {
    const clock = new ClockWatch();
    clock.wentBack(5_000_000, at(1_000));
    expect(clock.wentBack(5_000_500, at(2_000))).toBe(false);
    expect(clock.wentBack(9_000_000, at(3_000))).toBe(false);
  });

  test('does not take a slow answer for a clock that was set back, whenever the clock was read', () => {
    for (const looked of [2_000, 12_000]) {
      const clock = new ClockWatch();
      clock.wentBack(5_000_000 + 1_000, at(1_000));
      expect(clock.wentBack(5_000_000 + looked, { askedMs: 2_000, answeredMs: 12_000 })).toBe(false);
      expect(clock.wentBack(5_000_000 + 13_000, at(13_000))).toBe(false);
      expect(clock.wentBack(5_000_000 + 14_000 - 60_000, at(14_000))).toBe(true);
    }
  });
});

describe('after the clock was set back by an hour', () => {
  let receiver: Receiver;
  let delivering: Delivering;
  beforeEach(async () => {
    receiver = await startReceiver();
    delivering = await testDelivering({ WEBHOOK_RETRY_DELAYS_MS: '300,300,300,300' }, { workers: 0 });
  });
  afterEach(async () => {
    await delivering.close();
    await receiver.close();
  });

  /** To a database whose clock is an hour behind, all times that it wrote down are an hour ahead. */
  const stepBack = () =>
    delivering.service.database.db.query(sql`
      update delivery_queue set next_at = next_at + interval '1 hour', lease_until = lease_until + interval '1 hour',
        last_attempt_at = last_attempt_at + interval '1 hour'`);
  const claimAll = () => claimDeliveries(delivering.service.database.db, { leaseMs });

  test('deliveries of a worker that died are free again after a lease, not after an hour', async () => {
    const { db } = delivering.service.database;
    const webhook = await delivering.subscribe(receiver.url());
    await delivering.enqueue(3, [webhook.id]);
    expect(await claimAll()).toHaveLength(3);
    await stepBack();
    expect(await mendTimes(db)).toBe(3);
    const [row] = await db.query<{ longest: number }>(
      sql`select extract(epoch from max(lease_until) - now())::float8 * 1000 as longest from delivery_queue`,
    );
    expect(row?.longest).toBeLessThanOrEqual(leaseMs);
    // They are still leased. A living worker does not lose them.
    expect(await claimAll()).toEqual([]);
    expect(await mendTimes(db)).toBe(0);
  });

  test('a retry comes after its wait, not an hour late', async () => {
    receiver.answer(answerWith(500));
    const webhook = await delivering.subscribe(receiver.url());
    await delivering.enqueue(1, [webhook.id]);
    const first = delivering.addWorker();
    await receiver.count(1);
    await first.stop();
    await stepBack();
    const before = receiver.received.length;
    receiver.answer(answerWith(200));

    delivering.addWorker();
    await receiver.count(before + 1);
    const delivery = await delivering.deliveryTo(webhook.id);
    expect((await delivering.finished(delivery.id)).status).toBe('succeeded');
  });

  test('times that are right are left alone', async () => {
    const { db } = delivering.service.database;
    const webhook = await delivering.subscribe(receiver.url());
    await delivering.enqueue(2, [webhook.id]);
    await claimAll();
    const look = () => db.query(sql`select * from delivery_queue order by id`);
    const before = await look();
    expect(await mendTimes(db)).toBe(0);
    expect(await look()).toEqual(before);
  });
});
