import type { Db } from '../db/connect.ts';
import { publicId } from '../db/records/json.ts';
import { type Sql, sql } from '../db/sql.ts';
import { formatId } from '../ids.ts';

/** Where to find data about a tenant. */
export interface AboutTenant {
  accountId: string;
  tenantId: string;
  /** All leases that name the tenant, or did when the lease was deleted. */
  leaseIds: string[];
  /** Those leases that name nobody else, except erased tenants. */
  ownLeaseIds: string[];
  /** Records whose files are about the tenant alone, by their public ids. */
  withFiles: string[];
}

/** Null if the account has no such tenant. */
export async function findAboutTenant(
  db: Db,
  accountId: string,
  tenantId: string,
): Promise<AboutTenant | null> {
  const rows = await db.query<{ lease_id: string | null; shared: boolean }>(sql`
    select lt.lease_id, exists (
      select from lease_tenants o where o.account_id = ${accountId} and o.lease_id = lt.lease_id
        and o.tenant_id <> ${tenantId} and not exists (
          select from erasures e where e.account_id = ${accountId} and e.tenant_id = o.tenant_id)) as shared
    from tenants t left join lease_tenants lt on lt.account_id = ${accountId} and lt.tenant_id = t.id
    where t.account_id = ${accountId} and t.id = ${tenantId}`);
  if (rows.length === 0) return null;
  const named = [
    ...rows.flatMap(({ lease_id, shared }) => (lease_id === null ? [] : [{ id: lease_id, shared }])),
    ...(await findDeletedLeases(db, accountId, tenantId)),
  ];
  const ownLeaseIds = named.filter(({ shared }) => !shared).map(({ id }) => id);
  const paymentsAndRequests = await db.query<{ id: string }>(sql`
    select ${publicId('pay', 'id')} as id from payments where account_id = ${accountId} and tenant_id = ${tenantId}
    union all
    select ${publicId('mnt', 'id')} from maintenance_requests
    where account_id = ${accountId} and tenant_id = ${tenantId}`);
  return {
    accountId,
    tenantId,
    leaseIds: named.map(({ id }) => id),
    ownLeaseIds,
    withFiles: [
      formatId('ten', tenantId),
      ...ownLeaseIds.map((id) => formatId('lease', id)),
      ...paymentsAndRequests.map(({ id }) => id),
    ],
  };
}

/** The same for a deleted tenant, to whom nothing referred except leases that were deleted before. */
export async function findAboutDeleted(db: Db, accountId: string, tenantId: string): Promise<AboutTenant> {
  const leases = await findDeletedLeases(db, accountId, tenantId);
  return {
    accountId,
    tenantId,
    leaseIds: leases.map(({ id }) => id),
    ownLeaseIds: leases.filter(({ shared }) => !shared).map(({ id }) => id),
    withFiles: [formatId('ten', tenantId)],
  };
}

/** The history of deleted leases tells whom they named. */
const findDeletedLeases = (
  db: Db,
  accountId: string,
  tenantId: string,
): Promise<{ id: string; shared: boolean }[]> =>
  db.query(sql`
    select h.record_id as id, exists (
      select from json_array_elements(h.changes::json) change
      cross join json_array_elements_text(change -> 'from') as named(tenant)
      where change ->> 'field' = 'tenant_ids' and named.tenant <> ${formatId('ten', tenantId)} and not exists (
        select from erasures e where e.account_id = ${accountId} and ${publicId('ten', 'e.tenant_id')} = named.tenant))
      as shared
    from history h
    where h.account_id = ${accountId} and h.action = 'deleted' and strpos(h.changes, ${formatId('ten', tenantId)}) > 0`);

/** The ids of the tenant's records and those of these leases, including records deleted together with one of them. */
export const recordsOf = ({ accountId, tenantId }: AboutTenant, leaseIds: string[]): Sql => sql`
  select ${tenantId}::uuid union all select unnest(${leaseIds}::uuid[])
  union all select id from payments where account_id = ${accountId} and tenant_id = ${tenantId}
  union all select id from maintenance_requests where account_id = ${accountId} and tenant_id = ${tenantId}
  union all select id from charges where account_id = ${accountId} and lease_id = any(${leaseIds}::uuid[])
  union all select id from credits where account_id = ${accountId} and lease_id = any(${leaseIds}::uuid[])
  union all select id from recurring_charges where account_id = ${accountId} and lease_id = any(${leaseIds}::uuid[])
  union all select record_id from history where account_id = ${accountId} and action = 'deleted'
    and changes like any(${leaseIds.map((id) => `%${formatId('lease', id)}%`)}::text[])`;

/**
 * The history of the tenant's records and those of these leases, and of maintenance requests that were the tenant's, up
 * to the change that gave them to somebody else.
 */
export const historyOf = (about: AboutTenant, leaseIds: string[]): Sql => sql`
  select * from history where account_id = ${about.accountId} and record_id in (${recordsOf(about, leaseIds)})
  union all
  select h.* from history moved join history h on h.account_id = ${about.accountId} and h.record_id = moved.record_id
    and h.id <= moved.id
  where moved.account_id = ${about.accountId} and moved.changes like '%"field":"tenant_id"%'
    and strpos(moved.changes, ${`"field":"tenant_id","from":"${formatId('ten', about.tenantId)}"`}) > 0`;

/**
 * Whether the event `e` is about the tenant: it names them, or a charge or credit of a lease that does, or a file of
 * one of their records. No index answers this, so events are examined a page at a time.
 */
export const concerns = ({ tenantId, leaseIds, withFiles }: AboutTenant): Sql => sql`
  (strpos(e.body, ${formatId('ten', tenantId)}) > 0
   or (e.event ~ '^(charge|credit)[.]' and e.body like any(${leaseIds.map((id) => `%${formatId('lease', id)}%`)}::text[]))
   or (e.event like 'file.%' and e.body::json #>> '{data,file,record}' = any(${withFiles}::text[])))`;

/** Higher than any id: a search that starts with the newest rows begins here. */
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
