import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp, signUpAs } from '../../../test/support/browser.ts';
import { readCsv } from '../../../test/support/csv.ts';
import { expectError } from '../../../test/support/records.ts';
import { type Ids, populate, settings } from '../../../test/support/route-driver.ts';
import { type Service, testService } from '../../../test/support/service.ts';
import { dateOf } from '../../clock.ts';
import { sql } from '../../db/sql.ts';
import { parseId } from '../../ids.ts';

let service: Service;
beforeAll(async () => {
  service = await testService({ ...settings, SIGN_UP: 'open' });
});
afterAll(() => service.close());

async function download(person: Person): Promise<Record<string, string>> {
  const headers = { cookie: person.cookies() };
  const response = await fetch(`${service.url}/internal/v1/account/export?format=zip`, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="export-.*\.zip"$/);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  );
}

test('an owner takes every list along as CSV and JSON, however long, and nothing of another account', async () => {
  const owner = await signUp(service);
  const stranger = await signUp(service);
  const ids = await populate(owner);
  const theirs: Ids = await populate(stranger);
  const accountId = parseId('acct', (await owner.get('/session')).body.data.account.id);
  await service.database.db.query(sql`
    insert into tenants (account_id, id, first_name, last_name, created_at, updated_at)
    select ${accountId}, gen_random_uuid(), 'Tenant', n::text, now(), now() from generate_series(1, 1500) n`);

  const lease_id = String(ids.lease);
  const today = dateOf(new Date());
  const held = { lease_id, amount_cents: 500 };
  const deposit = await owner.post('/charges', { ...held, kind: 'deposit', due_on: today });
  const credit = { charge_id: deposit.body.data.id, reason: 'adjustment', credited_on: today };
  expect((await owner.post('/credits', { ...held, ...credit })).status).toBe(201);
  const refund = { amount_cents: 100, refunded_on: today };
  const refunded = await owner.post(`/leases/${lease_id}/deposit-refunds`, refund);
  expect(refunded.status, refunded.text).toBe(201);

  const files = await download(owner);
  const { body } = await owner.get('/account/export');
  const file = `files/${ids.file}/file.txt`;
  expect(Object.keys(files).sort()).toEqual([...body.data.files, file].sort());
  expect(JSON.parse(files[file] ?? '')).toEqual({ record: ids.prop });
  for (const list of ['properties', 'units', 'leases', 'payments', 'charges', 'maintenance', 'webhooks'])
    expect(JSON.parse(files[`${list}.json`] ?? ''), list).toEqual((await owner.get(`/${list}`)).body.data);
  const tenants = JSON.parse(files['tenants.json'] ?? '');
  expect(tenants.length).toBeGreaterThan(1500);
  expect(readCsv(files['tenants.csv'] ?? '')).toHaveLength(tenants.length);
  for (const prefix of ['prop', 'unit', 'ten', 'lease', 'pay', 'chg', 'crd', 'rec', 'mnt', 'we', 'evt'])
    expect(Object.values(files).join(), prefix).toContain(ids[prefix]);
  expect(JSON.parse(files['deposit-refunds.json'] ?? '')).toContainEqual(refunded.body.data);
  const histories = JSON.parse(files['histories.json'] ?? '');
  for (const [id, path] of [
    ['lease', 'leases'],
    ['ten', 'tenants'],
  ] as const) {
    const { data } = (await owner.get(`/${path}/${ids[id]}/history?limit=100`)).body;
    const own = histories.filter(({ record_id }: { record_id: string }) => record_id === ids[id]);
    expect(own.reverse()).toEqual(data.map((entry: object) => ({ record_id: ids[id], ...entry })));
  }
  expect(readCsv(files['histories.csv'] ?? '')).toHaveLength(histories.length);
  for (const id of Object.values(theirs)) expect(Object.values(files).join()).not.toContain(id);
  const [entry] = await service.database.db.query(sql`
    select subject from audit_log where account_id = ${accountId} and action = 'export.downloaded' order by id desc limit 1`);
  expect(entry).toEqual({ subject: '/account/export' });
});

test('others in the team cannot', async () => {
  const owner = await signUp(service);
  for (const role of ['manager', 'viewer'] as const)
    expectError(await (await signUpAs(service, owner, role)).get('/account/export'), 403, 'Forbidden');
});
