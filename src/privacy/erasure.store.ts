import type { Db } from '../db/connect.ts';
import { setChanged } from '../db/records/changed-at.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import { noJoins, type RecordShape } from '../db/records/shape.ts';
import { join, raw, type Sql, sql } from '../db/sql.ts';
import { leaseStatus } from '../ledger/rules/lease-status.ts';
import { tenants } from '../tenants/tenants.columns.ts';
import { type AboutTenant, historyOf } from './about-tenant.store.ts';
import { erasedReason, erasedTenant, erasedTitle } from './redact.ts';

/**
 * Waits for leases that are just being made for the tenant, and keeps others from being made until the erasure is done.
 */
export async function lockTenant(tx: Db, accountId: string, tenantId: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select id from tenants where account_id = ${accountId} and id = ${tenantId} for update`,
  );
  return rows.length > 0;
}

export async function hasUnendedLease(
  tx: Db,
  { accountId, leaseIds }: AboutTenant,
  today: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select l.id from leases l where l.account_id = ${accountId} and l.id = any(${leaseIds}::uuid[])
      and ${leaseStatus('l', today)} <> 'ended' limit 1`);
  return rows.length > 0;
}

/** If it was done before, everything is searched again. */
export async function noteErasure(tx: Db, accountId: string, tenantId: string, now: Date): Promise<void> {
  await tx.query(sql`
    insert into erasures (account_id, tenant_id, erased_at, step, next_at)
    values (${accountId}, ${tenantId}, ${now}, 'events', ${now})
    on conflict (account_id, tenant_id) do update set
      erased_at = excluded.erased_at, step = 'events', position = null, looks = 0, next_at = excluded.next_at`);
}

/** The shape of a row of which only the alias matters. */
const plainShape = (table: string, alias: string): RecordShape => ({
  table,
  alias,
  fields: [],
  joins: noJoins,
});

/** Texts in one table that may say something about the tenant. */
export interface Texts {
  shape: RecordShape;
  /** Which rows belong to the tenant and contain such a text. */
  where: Sql;
  set: Sql;
}

export function textsOf({ accountId, tenantId, ownLeaseIds }: AboutTenant): Texts[] {
  const ofTenant = (alias: string) =>
    sql`${raw(alias)}.account_id = ${accountId} and ${raw(alias)}.tenant_id = ${tenantId}`;
  const ofLease = (alias: string) =>
    sql`${raw(alias)}.account_id = ${accountId} and ${raw(alias)}.lease_id = any(${ownLeaseIds}::uuid[])`;
  const voided = sql`void_reason = case when voided_on is not null then ${erasedReason}::text end`;
  const hasVoided = (alias: string) => sql`${raw(alias)}.void_reason <> ${erasedReason}`;
  return [
    {
      shape: plainShape('payments', 'p'),
      where: sql`${ofTenant('p')} and (p.reference is not null or p.memo is not null)`,
      set: raw('reference = null, memo = null'),
    },
    {
      shape: plainShape('maintenance_requests', 'm'),
      where: sql`${ofTenant('m')}
        and (m.title <> ${erasedTitle} or m.description is not null or m.resolution is not null)`,
      set: sql`title = ${erasedTitle}, description = null, resolution = null`,
    },
    {
      shape: plainShape('charges', 'c'),
      where: sql`${ofLease('c')} and (c.memo is not null or ${hasVoided('c')})`,
      set: sql`memo = null, ${voided}`,
    },
    {
      shape: plainShape('credits', 'k'),
      where: sql`${ofLease('k')} and (k.memo is not null or ${hasVoided('k')})`,
      set: sql`memo = null, ${voided}`,
    },
    {
      shape: plainShape('recurring_charges', 'r'),
      where: sql`${ofLease('r')} and r.memo is not null`,
      set: raw('memo = null'),
    },
  ];
}

/** Always locks in the same order, so that no two processes wait for each other. */
export async function lockTexts(tx: Db, { shape: { table, alias }, where }: Texts): Promise<string[]> {
  const [name, row] = [raw(table), raw(alias)];
  const rows = await tx.query<{ id: string }>(
    sql`select ${row}.id from ${name} ${row} where ${where} order by ${row}.id for no key update`,
  );
  return rows.map(({ id }) => id);
}

export const eraseTexts = (
  accountId: string,
  ids: string[],
  { shape: { table, alias }, set }: Texts,
  now: Date,
): Sql => sql`
  update ${raw(table)} ${raw(alias)} set ${set}, ${setChanged(alias, now)}
  where ${raw(alias)}.account_id = ${accountId} and ${raw(alias)}.id = any(${ids}::uuid[])
  returning ${raw(alias)}.*`;

/** Refunds have no history of their own: they appear in that of their lease. */
export async function eraseRefunds(tx: Db, { accountId, ownLeaseIds }: AboutTenant): Promise<void> {
  await tx.query(sql`
    update deposit_refunds set memo = null,
      void_reason = case when voided_on is not null then ${erasedReason}::text end
    where account_id = ${accountId} and lease_id = any(${ownLeaseIds}::uuid[])
      and (memo is not null or void_reason <> ${erasedReason})`);
}

/** Writes no rows if there is nothing left to erase. */
export const eraseTenantRow = (accountId: string, tenantId: string, now: Date): Sql => {
  const columns = Object.entries(tenants.columns).map(([name, { type }]) => ({
    name: raw(name),
    value: sql`${erasedTenant[name]}::${raw(type)}`,
  }));
  const list = (parts: Sql[]) => join(parts, ', ');
  return sql`
    update tenants t set ${list(columns.map(({ name, value }) => sql`${name} = ${value}`))}, ${setChanged('t', now)}
    where t.account_id = ${accountId} and t.id = ${tenantId}
      and (${list(columns.map(({ name }) => sql`t.${name}`))}) is distinct from (${list(columns.map(({ value }) => value))})
    returning t.*`;
};

export const selectTenant = (accountId: string, tenantId: string): Sql =>
  sql`select * from tenants where account_id = ${accountId} and id = ${tenantId}`;

interface Remembered {
  record_id: string;
  id: string;
  note: string | null;
  changes: string | null;
}

/** Entries with a note, or with the old and new value of a field. */
export const findHistory = (tx: Db, about: AboutTenant): Promise<Remembered[]> =>
  tx.query<Remembered>(sql`
    select distinct record_id, id, note, changes from (${historyOf(about, about.ownLeaseIds)}) entries
    where note is not null or changes is not null`);

export async function replaceHistory(tx: Db, accountId: string, entries: Remembered[]): Promise<void> {
  if (entries.length === 0) return;
  const columns = { record_id: 'uuid', id: 'uuid', note: 'text', changes: 'text' };
  await tx.query(sql`
    update history h set note = n.note, changes = n.changes from ${rowsAsTable(entries, columns)}
    where h.account_id = ${accountId} and h.record_id = n.record_id and h.id = n.id`);
}

/**
 * Removes from the audit log what exported lists were searched for: a name, an address, a number or an id in another
 * system.
 */
export async function forgetSearches(tx: Db, accountId: string): Promise<void> {
  await tx.query(sql`
    update audit_log set subject = regexp_replace(subject, '([?&](q|email|phone|external_id)=)[^&]*', '\\1', 'g')
    where account_id = ${accountId} and action = 'export.downloaded'
      and subject ~ '[?&](q|email|phone|external_id)=[^&]'`);
}
