import { changedAt } from '../db/changed-at.ts';
import type { Db } from '../db/connect.ts';
import { id, number, text, time, word } from '../db/json.ts';
import { listRecords, type Page, type RecordShape } from '../db/list.ts';
import { type Sql, sql } from '../db/sql.ts';
import { leaseRunsOn, leaseStatus } from '../leases/lease-status.ts';
import { decimalAmount } from '../money.ts';
import type { PageBounds } from '../paging.ts';
import type { UnitFilter } from './units.schema.ts';

/** The status of the lease that runs on the unit today, or null. Leases of a unit never overlap. */
const leaseToday = (today: string): Sql => sql`
  (select ${leaseStatus('l', today)} from leases l
   where l.account_id = u.account_id and l.unit_id = u.id and ${leaseRunsOn('l', today)})`;

const unitStatus = (today: string): Sql => sql`
  case when u.offline then 'offline' else
    case ${leaseToday(today)} when 'active' then 'occupied' when 'notice' then 'notice' else 'vacant' end end`;

export const unitShape = (today: string): RecordShape => ({
  table: 'units',
  alias: 'u',
  joins: sql`join accounts a on a.id = u.account_id left join lateral (select ${unitStatus(today)} as status) derived on true`,
  fields: [
    id('unit', 'u.id'),
    id('prop', 'u.property_id'),
    text('u.name'),
    number('u.bedrooms'),
    number('u.bathrooms'),
    number('u.area_sqft'),
    number('u.market_rent_cents'),
    word(decimalAmount('u.market_rent_cents', 'a.currency'), 'market_rent'),
    word('a.currency'),
    number('u.offline'),
    word('derived.status'),
    time('u.created_at'),
    time('u.updated_at'),
  ],
});

export interface UnitRow {
  name: string;
  bedrooms: number | null;
  bathrooms: number | null;
  area_sqft: number | null;
  market_rent_cents: number | null;
  offline: boolean;
}

export interface NewUnit extends UnitRow {
  id: string;
  createdAt: Date;
}

export const insertUnits = (accountId: string, propertyId: string, units: NewUnit[]): Sql => sql`
  insert into units (account_id, id, property_id, name, bedrooms, bathrooms, area_sqft, market_rent_cents, offline, created_at, updated_at)
  select ${accountId}, n.id, ${propertyId}, n.name, n.bedrooms, n.bathrooms, n.area_sqft, n.market_rent_cents, n.offline, n.at, n.at
  from unnest(${units.map((u) => u.id)}::uuid[], ${units.map((u) => u.name)}::text[], ${units.map((u) => u.bedrooms)}::integer[],
    ${units.map((u) => u.bathrooms)}::numeric[], ${units.map((u) => u.area_sqft)}::integer[],
    ${units.map((u) => u.market_rent_cents)}::bigint[], ${units.map((u) => u.offline)}::boolean[],
    ${units.map((u) => u.createdAt.toISOString())}::timestamptz[])
    as n(id, name, bedrooms, bathrooms, area_sqft, market_rent_cents, offline, at)
  returning *`;

export const selectUnits = (accountId: string, propertyId: string): Sql =>
  sql`select * from units where account_id = ${accountId} and property_id = ${propertyId}`;

export async function findUnitForChange(tx: Db, accountId: string, id: string): Promise<UnitRow | null> {
  const [row] = await tx.query<UnitRow>(sql`
    select name, bedrooms, bathrooms::float8 as bathrooms, area_sqft, market_rent_cents::float8 as market_rent_cents, offline
    from units where account_id = ${accountId} and id = ${id} for no key update`);
  return row ?? null;
}

export const updateUnit = (accountId: string, id: string, u: UnitRow, now: Date): Sql => sql`
  update units set name = ${u.name}, bedrooms = ${u.bedrooms}, bathrooms = ${u.bathrooms}, area_sqft = ${u.area_sqft},
    market_rent_cents = ${u.market_rent_cents}, offline = ${u.offline}, updated_at = ${changedAt('units', now)}
  where account_id = ${accountId} and id = ${id} returning *`;

export function listUnits(
  db: Db,
  accountId: string,
  filter: UnitFilter,
  bounds: PageBounds,
  today: string,
): Promise<Page> {
  return listRecords(db, unitShape(today), {
    accountId,
    bounds,
    conditions: [
      ...(filter.property_id === undefined ? [] : [sql`u.property_id = ${filter.property_id}`]),
      ...(filter.status === undefined ? [] : [sql`${unitStatus(today)} = any(${filter.status})`]),
    ],
  });
}
