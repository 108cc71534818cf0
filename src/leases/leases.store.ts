import { changedAt } from '../db/changed-at.ts';
import type { Db } from '../db/connect.ts';
import { date, id, json, number, publicId, time, word } from '../db/json.ts';
import { listRecords, noJoins, type Page, type RecordShape } from '../db/list.ts';
import { findMany, type ManyTable, tableOf, updateMany, type WithId, withTime } from '../db/many.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { decimalAmount } from '../money.ts';
import type { PageBounds } from '../paging.ts';
import { leaseStatus } from './lease-status.ts';
import type { LeaseFilter } from './leases.schema.ts';

export const leaseShape = (today: string): RecordShape => ({
  table: 'leases',
  alias: 'l',
  joins: noJoins,
  fields: [
    id('lease', 'l.id'),
    id('unit', 'l.unit_id'),
    id('prop', 'l.property_id'),
    json(
      sql`select json_agg(${publicId('ten', 'lt.tenant_id')} order by lt.position) from lease_tenants lt
          where lt.account_id = l.account_id and lt.lease_id = l.id`,
      'tenant_ids',
    ),
    date('l.start_date'),
    date('l.end_date'),
    number('l.rent_cents'),
    word(decimalAmount('l.rent_cents', 'l.currency'), 'rent'),
    number('l.deposit_cents'),
    word(decimalAmount('l.deposit_cents', 'l.currency'), 'deposit'),
    word('l.currency'),
    number('l.due_day'),
    date('l.notice_given_on'),
    date('l.ended_on'),
    word(leaseStatus('l', today), 'status'),
    time('l.created_at'),
    time('l.updated_at'),
  ],
});

export interface LeaseRow {
  tenant_ids: string[];
  start_date: string;
  end_date: string | null;
  rent_cents: number;
  deposit_cents: number | null;
  currency: string;
  due_day: number;
  notice_given_on: string | null;
  ended_on: string | null;
}

/**
 * Leases of one unit are written one at a time. Without the lock, two that overlap and are written at once
 * wait for each other inside the exclusion constraint until Postgres breaks the deadlock, a second later
 * (twenty at once: twelve seconds). False where the account has no such unit.
 */
export async function lockUnit(tx: Db, accountId: string, unitId: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select id from units where account_id = ${accountId} and id = ${unitId} for no key update`,
  );
  return rows.length > 0;
}

export async function hasTenants(tx: Db, accountId: string, tenantIds: string[]): Promise<boolean> {
  const rows = await tx.query(
    sql`select id from tenants where account_id = ${accountId} and id = any(${tenantIds}::uuid[])`,
  );
  return rows.length === tenantIds.length;
}

export async function insertLease(
  tx: Db,
  accountId: string,
  id: string,
  unitId: string,
  l: LeaseRow,
  createdAt: Date,
): Promise<void> {
  await tx.query(sql`
    insert into leases (account_id, id, unit_id, property_id, start_date, end_date, notice_given_on, ended_on, rent_cents,
      deposit_cents, currency, due_day, created_at, updated_at)
    select ${accountId}, ${id}, u.id, u.property_id, ${l.start_date}, ${l.end_date}, ${l.notice_given_on}, ${l.ended_on},
      ${l.rent_cents}, ${l.deposit_cents}, ${l.currency}, ${l.due_day}, ${createdAt}, ${createdAt}
    from units u where u.account_id = ${accountId} and u.id = ${unitId}`);
}

export async function insertLeaseTenants(
  tx: Db,
  accountId: string,
  leaseId: string,
  tenantIds: string[],
): Promise<void> {
  await tx.query(sql`
    insert into lease_tenants (account_id, lease_id, tenant_id, position)
    select ${accountId}, ${leaseId}, t.id, t.position from unnest(${tenantIds}::uuid[]) with ordinality as t(id, position)`);
}

export async function deleteLeaseTenants(tx: Db, accountId: string, leaseId: string): Promise<void> {
  await tx.query(sql`delete from lease_tenants where account_id = ${accountId} and lease_id = ${leaseId}`);
}

export const selectLease = (accountId: string, id: string): Sql =>
  sql`select * from leases where account_id = ${accountId} and id = ${id}`;

export async function findLeaseForChange(
  tx: Db,
  accountId: string,
  id: string,
): Promise<(LeaseRow & { unit_id: string }) | null> {
  const [row] = await tx.query<Omit<LeaseRow, 'tenant_ids'> & { unit_id: string }>(sql`
    select unit_id, start_date::text, end_date::text, rent_cents::float8 as rent_cents,
      deposit_cents::float8 as deposit_cents, currency, due_day, notice_given_on::text, ended_on::text
    from leases where account_id = ${accountId} and id = ${id} for no key update`);
  if (!row) return null;
  // With the lease locked, and not in the same statement: that sees tenants as they were before it had to wait.
  const [tenants] = await tx.query<{ ids: string[] }>(sql`
    select array_agg(tenant_id::text order by position) as ids from lease_tenants
    where account_id = ${accountId} and lease_id = ${id}`);
  return { ...row, tenant_ids: tenants?.ids ?? [] };
}

export const updateLease = (accountId: string, id: string, l: LeaseRow, now: Date): Sql => sql`
  update leases set start_date = ${l.start_date}, end_date = ${l.end_date}, rent_cents = ${l.rent_cents},
    deposit_cents = ${l.deposit_cents}, currency = ${l.currency}, due_day = ${l.due_day},
    notice_given_on = ${l.notice_given_on}, ended_on = ${l.ended_on}, updated_at = ${changedAt('leases', now)}
  where account_id = ${accountId} and id = ${id} returning *`;

/** As imports write them, many at once. */
export type ManyLeasesRow = { unit_id: string } & { [Field in keyof LeaseRow]: LeaseRow[Field] };
type Terms = Omit<ManyLeasesRow, 'unit_id' | 'tenant_ids'>;

const terms: ManyTable<Terms> = {
  table: 'leases',
  columns: {
    start_date: 'date',
    end_date: 'date',
    rent_cents: 'bigint',
    deposit_cents: 'bigint',
    currency: 'text',
    due_day: 'smallint',
    notice_given_on: 'date',
    ended_on: 'date',
  },
};

export async function findLeases(
  db: Db,
  accountId: string,
  ids: string[],
  lock: boolean,
): Promise<WithId<ManyLeasesRow>[]> {
  const found = await findMany<Terms & { unit_id: string }>(
    db,
    { table: 'leases', columns: { unit_id: 'uuid', ...terms.columns } },
    accountId,
    ids,
    lock,
  );
  const rows = await db.query<{ lease_id: string; tenant_ids: string[] }>(sql`
    select lease_id, array_agg(tenant_id::text order by position) as tenant_ids from lease_tenants
    where account_id = ${accountId} and lease_id = any(${ids}::uuid[]) group by lease_id`);
  const tenants = new Map(rows.map((row) => [row.lease_id, row.tenant_ids]));
  return found.map((lease) => ({ ...lease, tenant_ids: tenants.get(lease.id) ?? [] }));
}

export async function insertLeases(
  tx: Db,
  accountId: string,
  leases: WithId<ManyLeasesRow>[],
): Promise<void> {
  const names = Object.keys(terms.columns);
  const columns = { id: 'uuid', unit_id: 'uuid', ...terms.columns, at: 'timestamptz' };
  await tx.query(sql`
    insert into leases (account_id, id, unit_id, property_id, ${raw(names.join(', '))}, created_at, updated_at)
    select ${accountId}, n.id, u.id, u.property_id, ${raw(names.map((name) => `n.${name}`).join(', '))}, n.at, n.at
    from ${tableOf(leases.map(withTime), columns)} join units u on u.account_id = ${accountId} and u.id = n.unit_id`);
}

export async function updateLeases(
  tx: Db,
  accountId: string,
  leases: WithId<ManyLeasesRow>[],
  now: Date,
): Promise<void> {
  await tx.query(updateMany<Terms>(terms, accountId, leases, now));
}

export async function insertTenantsOfLeases(
  tx: Db,
  accountId: string,
  leases: WithId<ManyLeasesRow>[],
): Promise<void> {
  const rows = leases.flatMap(({ id, tenant_ids }) =>
    tenant_ids.map((tenant_id, at) => ({ lease_id: id, tenant_id, position: at + 1 })),
  );
  await tx.query(sql`
    insert into lease_tenants (account_id, lease_id, tenant_id, position)
    select ${accountId}, n.lease_id, n.tenant_id, n.position
    from ${tableOf(rows, { lease_id: 'uuid', tenant_id: 'uuid', position: 'smallint' })}`);
}

export async function deleteTenantsOfLeases(tx: Db, accountId: string, ids: string[]): Promise<void> {
  await tx.query(
    sql`delete from lease_tenants where account_id = ${accountId} and lease_id = any(${ids}::uuid[])`,
  );
}

export const selectLeases = (accountId: string, ids: string[]): Sql =>
  sql`select * from leases where account_id = ${accountId} and id = any(${ids}::uuid[])`;

export function listLeases(
  db: Db,
  accountId: string,
  filter: LeaseFilter,
  bounds: PageBounds,
  today: string,
): Promise<Page> {
  return listRecords(db, leaseShape(today), {
    accountId,
    bounds,
    conditions: [
      ...(filter.property_id === undefined ? [] : [sql`l.property_id = ${filter.property_id}`]),
      ...(filter.unit_id === undefined ? [] : [sql`l.unit_id = ${filter.unit_id}`]),
      ...(filter.tenant_id === undefined ? [] : [rentedBy(accountId, filter.tenant_id)]),
      ...(filter.status === undefined ? [] : [sql`${leaseStatus('l', today)} = any(${filter.status})`]),
    ],
  });
}

const rentedBy = (accountId: string, tenantId: string): Sql => sql`
  l.id in (select lease_id from lease_tenants where account_id = ${accountId} and tenant_id = ${tenantId})`;
