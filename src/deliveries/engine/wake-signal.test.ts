import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { type Delivering, testDelivering } from '../../../test/support/delivering.ts';
import { until } from '../../../test/support/process.ts';
import type { Sql } from '../../db/sql.ts';
import { createWakeSignal, wakeChannel } from './wake-signal.ts';

let delivering: Delivering;
let listener: PoolClient | undefined;
afterEach(() => {
  listener?.release(true);
  listener = undefined;
  return delivering.close();
});

/** A wake signal and a listener that hears what it sends. */
async function listening(options?: { afterMs: number }) {
  delivering = await testDelivering({}, { workers: 0 });
  const { db, log } = delivering.service.app;
  const heardAt: number[] = [];
  const client = await db.connect();
  listener = client;
  client.on('notification', () => heardAt.push(performance.now()));
  await client.query(`listen ${wakeChannel}`);
  /** The signals that are on their way to the database. */
  const sent: Promise<unknown>[] = [];
  const counting = {
    ...db,
    query: <Row>(query: Sql) => {
      const answer = db.query<Row>(query);
      sent.push(answer);
      return answer;
    },
  };
  const wake = createWakeSignal(counting, log, options);
  return {
    wake,
    heardAt,
    /**
     * How many signals came so far. Whatever is to follow at once is on its way after a turn of the event loop, and
     * what was committed before is heard with the next answer.
     */
    async heard(): Promise<number> {
      await yieldToOthers();
      await Promise.all(sent);
      await client.query('select 1');
      return heardAt.length;
    },
  };
}

describe('the signal', () => {
  test("to other processes comes after this process's worker has had its turn", async () => {
    const { wake, heardAt, heard } = await listening({ afterMs: 300 });
    const written = performance.now();
    for (let i = 0; i < 5; i++) wake.send();
    await until(() => heardAt.length > 0);
    expect(await heard()).toBe(1);
    expect(heardAt[0]).toBeGreaterThan(written + 290);
  });

  test('to other processes is one for all that are answered at once', async () => {
    const { wake, heard } = await listening();
    for (let i = 0; i < 100; i++) wake.send();
    expect(await heard()).toBe(1);
  });

  test('to other processes is coalesced', async () => {
    const { wake, heardAt, heard } = await listening();
    const started = performance.now();
    for (let i = 0; i < 200; i++) {
      wake.send();
      await yieldToOthers();
    }
    await until(() => heardAt.length > 0);
    const count = await heard();
    // A hundred a second, the first ten at once, the one that finds the ten just used up, and one whose timer came a
    // moment early.
    expect(count).toBeLessThanOrEqual((performance.now() - started) / 10 + 12);
  });
});
