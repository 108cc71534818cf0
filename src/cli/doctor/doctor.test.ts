import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { make } from '../../../test/support/records.ts';
import { testService } from '../../../test/support/service.ts';
import { loadConfig } from '../../config.ts';
import { raw, sql } from '../../db/sql.ts';
import { beat } from '../../deliveries/worker-beats.ts';
import { newId, parseId } from '../../ids.ts';
import { readSecretKeys } from '../../secret-keys/key-file.ts';
import { rotateSecretKey } from '../../secret-keys/secret-keys.ts';
import { createSecretBox } from '../../secrets/secret-box.ts';
import { describeDays, describeSecret } from './doctor.ts';
import { describeDeposits, describeLedger } from './ledger.ts';

test('after a lost key, doctor advises only what is possible: accepted keys need a SECRET_KEY', async () => {
  const service = await testService();
  const { db } = service.database;
  await make.webhook(await service.client());
  const folder = mkdtempSync(join(tmpdir(), 'tenure-doctor-'));
  const config = loadConfig({ DATA_DIR: folder }, '/nonexistent');
  const now = new Date();
  const { current } = readSecretKeys(config, now, []);
  await rotateSecretKey(db, createSecretBox(current), { lost: true, now });

  const told = (given: typeof config) => describeSecret(db, given).catch((error) => error.message);
  const kept = await told(config);
  expect(kept).toContain('1 webhook secrets cannot be read');
  expect(kept).toContain('give these webhooks a new secret');
  expect(kept).not.toContain('SECRET_KEYS_ACCEPTED');
  expect(await told({ ...config, SECRET_KEY: current })).toContain('SECRET_KEYS_ACCEPTED');
  rmSync(folder, { recursive: true });
  await service.close();
});

test('doctor adds up the ledger again and names the leases whose open amounts are wrong', async () => {
  const service = await testService();
  const { db } = service.database;
  const client = await service.client();
  const [right, wrong] = [await make.lease(client), await make.lease(client)];
  const told = () =>
    describeLedger(db).then(
      ({ message }) => message,
      (error) => error.message,
    );
  await client.get('/charges');
  expect(await told()).toBe('open amounts add up to the balances, on every day');

  const inWrong = sql`account_id = ${client.accountId} and lease_id = ${parseId('lease', wrong.id)}`;
  const falsify = async (change: string) => {
    await db.query(sql`update open_spans set ${raw(change)} where ${inWrong}`);
    const message = await told();
    expect(message).toContain('the open amounts of 1 lease do not add up');
    expect(message).toContain(wrong.id);
    expect(message).not.toContain(right.id);
  };
  await falsify('amount_cents = amount_cents + 1');
  await falsify('amount_cents = amount_cents - 1, from_day = from_day + 1');
  // A lease that is marked is about to be recalculated anyway.
  await db.query(sql`insert into ledger_changes (account_id, lease_id, mark, from_day)
    select ${client.accountId}, id, id, '1900-01-01' from leases
    where account_id = ${client.accountId} and id = ${parseId('lease', wrong.id)}`);
  expect(await told()).toContain('add up to the balances');
  await client.get('/charges');
  expect(await told()).toContain('add up to the balances');
  await service.close();
});

test('doctor names leases whose deposits were refunded beyond what was paid, and since when', async () => {
  const service = await testService();
  const { db } = service.database;
  const client = await service.client();
  const nothing = 'no more of a deposit is applied or refunded than is paid, on any day';
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const take = async () => {
    const terms = { start_date: day(-20), ledger_from: day(-20), deposit_cents: 50_000 };
    const lease = await make.lease(client, terms);
    const { body } = await client.get(`/charges?lease_id=${lease.id}&kind=deposit`);
    const [{ id: charge_id }] = body.data;
    const [tenant_id] = lease.tenant_ids;
    const paid = { tenant_id, charge_id, amount_cents: 50_000, paid_on: day(-18) };
    const payment = await make.payment(client, paid);
    const credit = { lease_id: lease.id, reason: 'deposit', amount_cents: 20_000, credited_on: day(-9) };
    expect((await client.post('/credits', credit)).status).toBe(201);
    const refund = { amount_cents: 30_000, refunded_on: day(-5) };
    expect((await client.post(`/leases/${lease.id}/deposit-refunds`, refund)).status).toBe(201);
    return { lease, payment };
  };
  const [right, bounced, uncharged] = [await take(), await take(), await take()];
  await client.get('/balances');
  expect(await describeDeposits(db)).toEqual({ message: nothing });

  // The payment of a deposit is returned after most of the deposit was given away.
  const returned = { status: 'returned', reversed_on: day(-7) };
  expect((await client.patch(`/payments/${bounced.payment.id}`, returned)).status).toBe(200);
  await client.get('/balances');
  const { message } = await describeDeposits(db);
  expect(message).toMatch(/^of the deposits of 1 lease more is applied or refunded than is paid/);
  expect(message).toContain(`${bounced.lease.id} (${day(-7)})`);
  expect(message).not.toContain(right.lease.id);
  expect(message).not.toContain(uncharged.lease.id);

  // Somebody changes the data by hand. The command finds it, and a charge puts it right.
  await db.query(sql`
    update deposit_refunds set amount_cents = amount_cents + 1
    where account_id = ${client.accountId} and lease_id = ${parseId('lease', uncharged.lease.id)}`);
  await expect(describeDeposits(db)).rejects.toThrow(
    new RegExp(
      `^of the deposits of 1 lease more is applied .* than is charged, .*: ${uncharged.lease.id} \\(${day(-5)}\\)\\.`,
    ),
  );
  const rest = { lease_id: uncharged.lease.id, kind: 'deposit', amount_cents: 1, due_on: day(-5) };
  expect((await client.post('/charges', rest)).status).toBe(201);
  await client.get('/balances');
  const both = (await describeDeposits(db)).message;
  expect(both).toMatch(/^of the deposits of 2 leases more is applied or refunded than is paid/);
  expect(both).toContain(`${uncharged.lease.id} (${day(-5)})`);
  await service.close();
});

test('doctor says whether accounts are behind, and whether a worker is running', async () => {
  const service = await testService();
  const { db } = service.database;
  const [, late] = [await service.client(), await service.client()];
  const told = () => describeDays(db, new Date()).catch((error) => `wrong: ${error.message}`);
  expect(await told()).toEqual({ message: 'in every account, the days that have begun are done' });
  await db.query(sql`
    update account_clocks set through_day = '2026-01-31', next_turn_at = '2026-02-01' where account_id = ${late.accountId}`);
  expect(await told()).toEqual({
    message:
      '1 accounts have days that are not turned, the first since 2026-01-31; a worker goes through them when it runs',
  });
  await beat(db, { id: newId(), host: 'here', pid: 1, version: '0' });
  expect(await told()).toMatch(/^wrong: 1 accounts .* though a worker runs/);
  await service.close();
});
