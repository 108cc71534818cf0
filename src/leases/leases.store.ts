import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { listRecords, type Page } from '../db/lists/list.ts';
import type { SortKeys } from '../db/lists/sorted-rows.ts';
import { shapeOf, type WithId } from '../db/records/columns.ts';
import { id, json, number, present, publicId, word } from '../db/records/json.ts';
import { findRows, insertRows } from '../db/records/rows.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { numbered } from '../db/records/written-in.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import type { Referring } from '../deletion/delete-record.ts';
import { formatId } from '../ids.ts';
import { leaseStatus } from '../ledger/rules/lease-status.ts';
import { rentOn } from '../ledger/rules/rent-on.ts';
import { decimalAmount } from '../money.ts';
import type { PageBounds } from '../paging.ts';
import { searchByNames } from '../search/search-by-names.ts';
import { searchedLeases } from '../search/searched-leases.ts';
import { type LeaseRow, leases } from './leases.columns.ts';
import type { LeaseFilter, leaseSortFields } from './leases.schema.ts';

export const leaseShape = (accountId: string, today: string): RecordShape =>
  shapeOf(
    leases,
    {
      unit_id: [id('prop', 'l.property_id'), json(tenantIds(accountId), 'tenant_ids')],
      rent_cents: [
        present(word(decimalAmount('l.rent_cents', 'l.currency'), 'rent')),
        present(number('now.rent_cents', 'current_rent_cents')),
        present(word(decimalAmount('now.rent_cents', 'l.currency'), 'current_rent')),
      ],
      deposit_cents: [word(decimalAmount('l.deposit_cents', 'l.currency'), 'deposit')],
      ended_on: [word(leaseStatus('l', today), 'status')],
      opening_balance_cents: [
        present(word(decimalAmount('l.opening_balance_cents', 'l.currency'), 'opening_balance')),
      ],
    },
    sql`cross join lateral (select ${rentOn('l', today)} as rent_cents) now`,
  );

const tenantIds = (accountId: string): Sql => sql`
  select json_agg(${publicId('ten', 'lt.tenant_id')} order by lt.position) from lease_tenants lt
  where lt.account_id = ${accountId} and lt.lease_id = l.id`;

/**
 * Leases of one unit are written one at a time. Without the lock, two overlapping leases written at once wait for each
 * other inside the exclusion constraint, until Postgres breaks the deadlock a second later (twenty at once: twelve
 * seconds). The locks are always taken in the same order. Returns false if the account lacks one of the units.
 */
export async function lockUnits(tx: Db, accountId: string, unitIds: string[]): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from units where account_id = ${accountId} and id = any(${unitIds}::uuid[])
    order by id for no key update`);
  return rows.length === unitIds.length;
}

export async function hasTenants(tx: Db, accountId: string, tenantIds: string[]): Promise<boolean> {
  const rows = await tx.query(
    sql`select id from tenants where account_id = ${accountId} and id = any(${tenantIds}::uuid[])`,
  );
  return rows.length === tenantIds.length;
}

type Lease = WithId<LeaseRow>;

export async function findLeases(db: Db, accountId: string, ids: string[], lock: boolean): Promise<Lease[]> {
  const found = await findRows(db, leases, accountId, ids, lock);
  // This is a second statement after the leases are locked, because the first one sees the tenants from before it
  // waited for the lock.
  const rows = await db.query<{ lease_id: string; tenant_ids: string[] }>(sql`
    select lease_id, array_agg(tenant_id::text order by position) as tenant_ids from lease_tenants
    where account_id = ${accountId} and lease_id = any(${ids}::uuid[]) group by lease_id`);
  const tenants = new Map(rows.map((row) => [row.lease_id, row.tenant_ids]));
  return found.map((lease) => ({ ...lease, tenant_ids: tenants.get(lease.id) ?? [] }));
}

/** Whether the unit has another lease in this time, as the constraint leases_no_overlap asks. */
export async function overlaps(
  db: Db,
  accountId: string,
  lease: Pick<Lease, 'id' | 'unit_id' | 'start_date'>,
  until: string | null,
): Promise<boolean> {
  const rows = await db.query(sql`
    select from leases where account_id = ${accountId} and unit_id = ${lease.unit_id} and id <> ${lease.id}
      and daterange(start_date, until) && daterange(${lease.start_date}::date, ${until}::date) limit 1`);
  return rows.length > 0;
}

/** A lease gets the property of its unit. */
export const insertLeases = (accountId: string, rows: Lease[]): Sql =>
  insertRows(leases, accountId, rows, {
    values: { property_id: raw('u.property_id'), ...numbered },
    joins: sql`join units u on u.account_id = ${accountId} and u.id = n.unit_id`,
  });

export async function insertTenantsOf(tx: Db, accountId: string, rows: Lease[]): Promise<void> {
  const tenants = rows.flatMap(({ id, tenant_ids }) =>
    tenant_ids.map((tenant_id, at) => ({ lease_id: id, tenant_id, position: at + 1 })),
  );
  await tx.query(sql`
    insert into lease_tenants (account_id, lease_id, tenant_id, position)
    select ${accountId}, n.lease_id, n.tenant_id, n.position from ${rowsAsTable(tenants, tenantTypes)}`);
}

const tenantTypes = { lease_id: 'uuid', tenant_id: 'uuid', position: 'smallint' };

export async function deleteTenantsOf(tx: Db, accountId: string, ids: string[]): Promise<void> {
  await tx.query(
    sql`delete from lease_tenants where account_id = ${accountId} and lease_id = any(${ids}::uuid[])`,
  );
}

/** How the tenants of leases changed. They are in a table of their own and are written before the leases. */
export function movedTenants(moved: Lease[], before: Map<string, Lease>): Sql {
  const shown = (lease: Lease | undefined) => lease?.tenant_ids.map((id) => formatId('ten', id)) ?? [];
  const changes = moved.map((lease) => [
    lease.id,
    JSON.stringify({ field: 'tenant_ids', from: shown(before.get(lease.id)), to: shown(lease) }),
  ]);
  return sql`(${JSON.stringify(Object.fromEntries(changes))}::jsonb ->> l.id::text)`;
}

export const selectLeases = (accountId: string, ids: string[]): Sql =>
  sql`select * from leases where account_id = ${accountId} and id = any(${ids}::uuid[])`;

/**
 * What a bookkeeper would miss: any payment, whatever its status, and charges that somebody made. Charges that the
 * schedule posted and nobody paid say nothing that the lease itself does not.
 */
export const referringToLease: Referring[] = [
  {
    type: 'payment',
    select: (accountId, id) =>
      sql`select id from payments where account_id = ${accountId} and lease_id = ${id}`,
  },
  {
    type: 'charge',
    select: (accountId, id) => sql`
      select id from charges
      where account_id = ${accountId} and lease_id = ${id} and source not in ('schedule', 'late_fee')`,
  },
  {
    type: 'credit',
    select: (accountId, id) =>
      sql`select id from credits where account_id = ${accountId} and lease_id = ${id}`,
  },
  {
    type: 'deposit_refund',
    select: (accountId, id) =>
      sql`select id from deposit_refunds where account_id = ${accountId} and lease_id = ${id}`,
  },
];

/** The same expressions as in the indexes. Leases without an end come after all others. */
const sortKeys: SortKeys<(typeof leaseSortFields)[number]> = {
  start_date: { key: (l) => `${l}.start_date`, type: 'date' },
  end_date: { key: (l) => `coalesce(${l}.ended_on, ${l}.end_date, 'infinity'::date)`, type: 'date' },
  rent_cents: { key: (l) => `${l}.rent_cents`, type: 'bigint' },
};

export function listLeases(
  db: Db,
  shape: RecordShape,
  caller: Caller,
  filter: LeaseFilter,
  bounds: PageBounds,
  today: string,
): Promise<Page> {
  const { accountId } = caller;
  return listRecords(db, shape, {
    accountId,
    bounds,
    sorting: { keys: sortKeys },
    search: filter.q === undefined ? undefined : searchByNames(searchedLeases, caller, filter.q),
    ...(filter.external_id === undefined ? {} : { few: sql`l.external_id = ${filter.external_id}` }),
    conditions: [
      ...(filter.property_id === undefined ? [] : [sql`l.property_id = ${filter.property_id}`]),
      ...(filter.unit_id === undefined ? [] : [sql`l.unit_id = ${filter.unit_id}`]),
      ...(filter.tenant_id === undefined ? [] : [rentedBy(accountId, filter.tenant_id)]),
      ...(filter.ends_by === undefined
        ? []
        : [sql`coalesce(l.ended_on, l.end_date) <= ${filter.ends_by}::date`]),
      ...(filter.status === undefined ? [] : [sql`${leaseStatus('l', today)} = any(${filter.status})`]),
    ],
  });
}

const rentedBy = (accountId: string, tenantId: string): Sql => sql`
  l.id in (select lease_id from lease_tenants where account_id = ${accountId} and tenant_id = ${tenantId})`;
