import { expect } from 'vitest';
import { raw, sql } from '../../src/db/sql.ts';
import { parseId } from '../../src/ids.ts';
import { tenants } from '../../src/tenants/tenants.columns.ts';
import { holdDeposit } from './ledger.ts';
import { day, make } from './records.ts';
import type { Answer, Client, Service } from './service.ts';

interface PlantedTenant {
  id: string;
  leaseId: string;
  /** Every text that was planted. */
  texts: string[];
}

let count = 0;

/**
 * A tenant whose lease has ended. Every field that may reveal something about them has a text that can be found again.
 */
export async function plantTenant(service: Service, client: Client): Promise<PlantedTenant> {
  const texts: string[] = [];
  const plant = (name: string): string => {
    const text = `planted-${name}-${++count}x`;
    texts.push(text);
    return text;
  };
  const done = (answer: Answer) => {
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body.data;
  };
  const once = (): Record<string, string> => ({ 'idempotency-key': `once-${++count}` });
  const person = () =>
    Object.fromEntries(
      Object.keys(tenants.columns).map((name) => [
        name,
        name === 'email' ? `${plant(name)}@example.com` : plant(name),
      ]),
    );

  const { id } = done(await client.post('/tenants', person(), once()));
  done(await client.patch(`/tenants/${id}`, person()));
  done(await client.post(`/tenants/${id}/notes`, { note: plant('note') }, once()));

  const start_date = day(-400);
  const lease = await make.lease(client, {
    tenant_ids: [id],
    start_date,
    end_date: day(-40),
    ledger_from: start_date,
  });
  done(await client.post(`/leases/${lease.id}/notes`, { note: plant('lease-note') }));
  const entry = () => ({ lease_id: lease.id, amount_cents: 1_000, memo: plant('memo') });
  const charge = { ...entry(), kind: 'repair', due_on: day(-200) };
  const { id: voided } = done(await client.post('/charges', charge, once()));
  done(await client.post(`/charges/${voided}/void`, { reason: plant('reason') }));
  done(await client.post('/charges', { ...entry(), kind: 'fee', due_on: day(-100) }));
  const batch = { items: [{ ...entry(), kind: 'fee', due_on: day(-95) }] };
  expect(done(await client.post('/charges/batch', batch, once())).created).toBe(1);
  const credit = { ...entry(), reason: 'concession', credited_on: day(-90) };
  const { id: withdrawn } = done(await client.post('/credits', credit));
  done(await client.post(`/credits/${withdrawn}/void`, { reason: plant('credit-reason') }));
  const recurring = { ...entry(), kind: 'pet', every: 'month', starts_on: day(-100) };
  done(await client.post('/recurring-charges', recurring));
  await holdDeposit(client, lease.id, day(-80));
  const refund = { amount_cents: 100, refunded_on: day(-70), memo: plant('refund') };
  const { id: refunded } = done(await client.post(`/leases/${lease.id}/deposit-refunds`, refund, once()));
  done(await client.post(`/deposit-refunds/${refunded}/void`, { reason: plant('refund-reason') }));

  const paid = { tenant_id: id, paid_on: day(-300) };
  const texted = () => ({ memo: plant('payment'), reference: plant('reference') });
  const { id: payment } = done(
    await client.post('/payments', { ...paid, ...texted(), amount_cents: 70_000 }, once()),
  );
  done(await client.patch(`/payments/${payment}`, texted()));
  done(await client.post(`/payments/${payment}/notes`, { note: plant('payment-note') }));

  const request = () => ({
    title: plant('title'),
    description: plant('description'),
    resolution: plant('done'),
  });
  const { property_id } = lease;
  const asked = done(await client.post('/maintenance', { property_id, tenant_id: id, ...request() }));
  done(await client.patch(`/maintenance/${asked.id}`, request()));

  for (const record of [id, lease.id, payment, asked.id]) {
    const address = `/files?record=${record}&name=${plant('file')}.txt`;
    const { id: file } = done(await client.post(address, { of: 'a tenant' }, once()));
    done(await client.patch(`/files/${file}`, { name: `${plant('file-name')}.txt` }));
  }

  // What imports and the audit log keep.
  const { db } = service.database;
  await db.query(sql`
    insert into import_keys (account_id, kind, key, record_id)
    values (${client.accountId}, 'tenant', ${plant('key')}, ${parseId('ten', id)})`);
  const exported = ['q', 'email', 'phone', 'external_id'].map((name) => `${name}=${plant(`search-${name}`)}`);
  for (const filter of [...exported, exported.join('&')])
    expect((await client.get(`/tenants?format=csv&${filter}`)).status, filter).toBe(200);
  return { id, leaseId: lease.id, texts };
}

/** Where one of the texts is in an account, as `table: text`: in any column of any table, including stored answers. */
export async function whereFound(service: Service, accountId: string, texts: string[]): Promise<string[]> {
  const { db } = service.database;
  const tables = await db.query<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id'`);
  const looks = tables.map(
    ({ name }) =>
      sql`select ${raw(`'${name}'`)} as name, to_jsonb(t)::text as row from ${raw(name)} t where account_id = ${accountId}`,
  );
  const found = new Set<string>();
  const look = (name: string, text: string) => {
    for (const each of texts) if (text.includes(each)) found.add(`${name}: ${each}`);
  };
  for (const statement of looks)
    for (const { name, row } of await db.query<{ name: string; row: string }>(statement)) look(name, row);
  for (const { body } of await db.query<{ body: Buffer }>(
    sql`select body from idempotency_keys where account_id = ${accountId}`,
  ))
    look('idempotency_keys', service.app.secrets.decrypt(body));
  return [...found].sort();
}
