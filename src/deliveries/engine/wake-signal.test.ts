import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { type Delivering, testDelivering } from '../../../test/support/delivering.ts';
import { until } from '../../../test/support/process.ts';
import { make } from '../../../test/support/records.ts';
import { raw, sql } from '../../db/sql.ts';
import { createWakeSignal, wakeChannel } from './wake-signal.ts';

let delivering: Delivering;
let listener: PoolClient | undefined;
afterEach(() => {
  listener?.release(true);
  listener = undefined;
  return delivering.close();
});

/** A database whose changes carry signals, and what is heard of them. */
async function listening(options?: { afterMs: number }) {
  delivering = await testDelivering({}, { workers: 0 });
  const { db, log } = delivering.service.app;
  const heardAt: number[] = [];
  const client = await db.connect();
  listener = client;
  client.on('notification', () => heardAt.push(performance.now()));
  await client.query(`listen ${wakeChannel}`);
  const wake = createWakeSignal(db, log, options);
  db.signals = wake.signals;
  return {
    db,
    wake,
    heardAt,
    /** How many signals came so far: what was committed before is heard with the next answer. */
    async heard(): Promise<number> {
      await client.query('select 1');
      return heardAt.length;
    },
  };
}

describe('the signal', () => {
  test('to other processes comes after the own worker has had its turn', async () => {
    const { wake, heardAt, heard } = await listening({ afterMs: 300 });
    const written = performance.now();
    for (let i = 0; i < 5; i++) wake.send();
    await until(() => heardAt.length > 0);
    expect(await heard()).toBe(1);
    expect(heardAt[0]).toBeGreaterThan(written + 290);
  });

  test('to other processes is one for all that are answered at once', async () => {
    const { wake, heardAt, heard } = await listening();
    for (let i = 0; i < 100; i++) wake.send();
    await until(() => heardAt.length > 0);
    await sleep(50);
    expect(await heard()).toBe(1);
  });

  test('to other processes is coalesced', async () => {
    const { wake, heardAt, heard } = await listening();
    const started = performance.now();
    for (let i = 0; i < 200; i++) {
      wake.send();
      await sleep(0);
    }
    await until(() => heardAt.length > 0);
    const count = await heard();
    // A hundred a second, ten at once, the one that finds the ten just gone, and one whose timer came a moment early.
    expect(count).toBeLessThanOrEqual((performance.now() - started) / 10 + 12);
  });
});

describe('a change', () => {
  const one = sql`select 1 as one`;

  test('that comes alone carries the signal, answers as ever, and needs no other', async () => {
    const { db, wake, heard } = await listening();
    expect(await db.change(one)).toEqual([{ one: 1 }]);
    wake.send();
    await sleep(50);
    expect(await heard()).toBe(1);
    expect(await db.change(one)).toEqual([{ one: 1 }]);
    expect(await heard()).toBe(2);
  });

  test('that comes with others does not; a signal follows them', async () => {
    const { db, wake, heard } = await listening();
    const write = async () => {
      await db.change(one);
      wake.send();
    };
    await Promise.all([write(), write(), write(), write()]);
    await sleep(50);
    expect(await heard()).toBeGreaterThan(1);
  });

  test('that fails says nothing, and the next is announced', async () => {
    const { db, wake, heard } = await listening();
    await expect(db.change(sql`select 1 / ${0}::integer`)).rejects.toThrow('division by zero');
    expect(await heard()).toBe(0);
    wake.send();
    await sleep(50);
    expect(await heard()).toBe(1);
  });

  test('inside a transaction carries nothing', async () => {
    const { db, heard } = await listening();
    await db.transaction(async (tx) => {
      expect(await tx.change(one)).toEqual([{ one: 1 }]);
    });
    expect(await heard()).toBe(0);
  });

  test('is made without the signal where Postgres has no room for one', async () => {
    const { db, wake, heard } = await listening();
    // As a queue of signals that is full: an error of that kind the first time, and none the second.
    await db.query(sql`create sequence tries`);
    await db.query(
      sql`create function full_at_first() returns bigint language plpgsql as ${raw(`$$
      begin
        if nextval('tries') = 1 then raise 'too many notifications in the NOTIFY queue' using errcode = '54000'; end if;
        return currval('tries');
      end $$`)}`,
    );
    expect(await db.change(sql`select full_at_first()::integer as tries`)).toEqual([{ tries: 2 }]);
    expect(await heard()).toBe(0);
    wake.send();
    await sleep(50);
    expect(await heard()).toBe(1);
  });

  test('of the API is heard by a worker of another process', async () => {
    const { heard } = await listening();
    await make.tenant(delivering.client);
    expect(await heard()).toBe(1);
  });
});
