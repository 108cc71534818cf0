import type { Db } from '../db/connect.ts';
import { listRecords, type Page } from '../db/lists/list.ts';
import type { ListQuery } from '../db/lists/query.ts';
import { searchFor } from '../db/lists/search.ts';
import type { TextInOrder } from '../db/lists/searched-rows.ts';
import type { SortKeys } from '../db/lists/sorted-rows.ts';
import { shapeOf } from '../db/records/columns.ts';
import { date, id, number, object, objectJson, text, word } from '../db/records/json.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { all, raw, type Sql, sql } from '../db/sql.ts';
import type { Referring } from '../deletion/delete-record.ts';
import { changedField } from '../events/history.ts';
import { leaseStatus } from '../ledger/rules/lease-status.ts';
import { rentOn } from '../ledger/rules/rent-on.ts';
import type { PageBounds } from '../paging.ts';
import { tenants } from './tenants.columns.ts';
import type { TenantFilter, tenantSortFields } from './tenants.schema.ts';

/** The lease a tenant is shown with: the current one, or else the next upcoming one, or else the last that ended. */
const shownLease = (accountId: string, today: string): Sql => sql`
  select l.*, s.status, ${rentOn('l', today)} as current_rent_cents from lease_tenants lt
  join leases l on l.account_id = ${accountId} and l.id = lt.lease_id
  cross join lateral (select ${leaseStatus('l', today)} as status) s
  where lt.account_id = ${accountId} and lt.tenant_id = t.id order by ${shownFirst} limit 1`;

const shownFirst = raw(`
  case when s.status = 'upcoming' then 1 when s.status = 'ended' then 2 else 0 end,
  case when s.status = 'upcoming' then l.start_date end, case when s.status = 'ended' then l.until end desc,
  l.start_date desc, l.id desc`);

const shownFields = [
  object('property', 'p', [id('prop', 'p.id'), text('p.name')]),
  object('unit', 'u', [id('unit', 'u.id'), text('u.name')]),
  object('lease', 'l', [
    id('lease', 'l.id'),
    word('l.status'),
    date('l.start_date'),
    date('l.end_date'),
    number('l.rent_cents'),
    number('l.current_rent_cents'),
    word('l.currency'),
  ]),
  word(sql`coalesce(l.status, 'none')`, 'lease_status'),
];

const shownJoins = (accountId: string, today: string): Sql => sql`
  left join lateral (${shownLease(accountId, today)}) l on true
  left join units u on u.account_id = ${accountId} and u.id = l.unit_id
  left join properties p on p.account_id = ${accountId} and p.id = l.property_id`;

export const tenantShape = (accountId: string, today: string): RecordShape =>
  shapeOf(tenants, { external_id: shownFields }, shownJoins(accountId, today));

/** The fields of a tenant that show the lease. */
export const shownOfTenant = (accountId: string, day: string): Sql =>
  sql`(select ${objectJson(shownFields)} from (select) one ${shownJoins(accountId, day)})`;

/** How those fields changed, taken from their JSON. */
export const changesOfTenant = (before: Sql, after: Sql): Sql[] =>
  shownFields.map(
    ({ name }) => sql`
      case when (${before}::jsonb -> '${raw(name)}') is distinct from (${after}::jsonb -> '${raw(name)}')
      then ${changedField(name, sql`(${before}::json -> '${raw(name)}')::text`, sql`(${after}::json -> '${raw(name)}')::text`)} end`,
  );

export const referringToTenant: Referring[] = [
  {
    type: 'lease',
    select: (accountId, id) =>
      sql`select lease_id as id from lease_tenants where account_id = ${accountId} and tenant_id = ${id}`,
  },
  {
    type: 'payment',
    select: (accountId, id) =>
      sql`select id from payments where account_id = ${accountId} and tenant_id = ${id}`,
  },
  {
    type: 'maintenance_request',
    select: (accountId, id) =>
      sql`select id from maintenance_requests where account_id = ${accountId} and tenant_id = ${id}`,
  },
];

/** The same expression as in the index tenants_by_name: by last name, then by first name. */
const byName = (t: string): string => `lower(${t}.last_name || ' ' || ${t}.first_name)`;

const sortKeys: SortKeys<(typeof tenantSortFields)[number]> = {
  last_name: { key: byName, type: 'text' },
};

/** The same expressions as in the indexes tenants_text_in_order and tenants_with_long_text. */
const textInOrder: TextInOrder = {
  isIn: (t) => `(octet_length(${t}.search_text) < 1000)`,
  sampledBy: byName,
};

export function listTenants(
  db: Db,
  accountId: string,
  filter: TenantFilter,
  bounds: PageBounds,
  today: string,
): Promise<Page> {
  return listRecords(db, tenantShape(accountId, today), {
    accountId,
    bounds,
    sorting: { keys: sortKeys },
    search: filter.q === undefined ? undefined : searchFor('t', filter.q),
    textInOrder,
    ...(filter.lease_status && { among: withLease(accountId, filter.lease_status, today) }),
    ...(filter.property_id &&
      filter.q && { few: sql`t.id in (${tenantsOf(accountId, filter.property_id)})` }),
    ...exactly(filter),
    conditions: [
      ...(filter.property_id === undefined ? [] : [livesIn(accountId, filter.property_id, today)]),
      ...(filter.lease_status === undefined ? [] : [hasStatus(accountId, filter.lease_status, today)]),
    ],
    countConditions: [
      ...(filter.property_id === undefined ? [] : [livesIn(accountId, filter.property_id, today)]),
      ...(filter.lease_status === undefined ? [] : [amongStatuses(accountId, filter.lease_status, today)]),
    ],
  });
}

/** Values that few tenants have, each with an index of its own. */
function exactly({ email, phone, external_id }: TenantFilter): Pick<ListQuery, 'few'> {
  const exact = [
    ...(email === undefined ? [] : [sql`lower(t.email) = lower(${email})`]),
    ...(phone === undefined ? [] : [sql`regexp_replace(t.phone, '\\D', '', 'g') = ${phone}`]),
    ...(external_id === undefined ? [] : [sql`t.external_id = ${external_id}`]),
  ];
  return exact.length === 0 ? {} : { few: all(exact) };
}

/** An index finds the tenants with any lease there. For each of these, the lease shown is then checked. */
const livesIn = (accountId: string, propertyId: string, today: string): Sql => sql`
  t.id in (${tenantsOf(accountId, propertyId)})
  and (select shown.property_id from (${shownLease(accountId, today)}) shown) = ${propertyId}`;

const tenantsOf = (accountId: string, propertyId: string): Sql => sql`
  select lt.tenant_id from leases l join lease_tenants lt on lt.account_id = ${accountId} and lt.lease_id = l.id
  where l.account_id = ${accountId} and l.property_id = ${propertyId}`;

/** Likewise, one pass over the leases finds the tenants whose shown lease has to be checked. */
function hasStatus(accountId: string, statuses: string[], today: string): Sql {
  const status = sql`(select shown.status from (${shownLease(accountId, today)}) shown)`;
  const shown = sql`coalesce(${status}, 'none') = any(${statuses})`;
  const found = withLease(accountId, statuses, today);
  return found ? sql`t.id in (${found}) and ${shown}` : shown;
}

/** Tenants with any lease of these statuses; undefined if having none counts too. */
const withLease = (accountId: string, statuses: string[], today: string): Sql | undefined =>
  statuses.includes('none')
    ? undefined
    : sql`
      select lt.tenant_id from leases l join lease_tenants lt on lt.account_id = ${accountId} and lt.lease_id = l.id
      where l.account_id = ${accountId} and ${leaseStatus('l', today)} = any(${statuses})`;

/** The same for all tenants at once. Looking up 90,000 of them one by one takes two seconds. */
function amongStatuses(accountId: string, statuses: string[], today: string): Sql {
  const shown = sql`
    select distinct on (lt.tenant_id) lt.tenant_id, s.status from leases l
    join lease_tenants lt on lt.account_id = ${accountId} and lt.lease_id = l.id
    cross join lateral (select ${leaseStatus('l', today)} as status) s
    where l.account_id = ${accountId} order by lt.tenant_id, ${shownFirst}`;
  const among = (condition: Sql): Sql =>
    sql`exists (select from (${shown}) shown where shown.tenant_id = t.id and ${condition})`;
  return statuses.includes('none')
    ? sql`not ${among(sql`shown.status <> all(${statuses})`)}`
    : among(sql`shown.status = any(${statuses})`);
}
