import type { Db } from '../db/connect.ts';
import { listRecords, type Page } from '../db/lists/list.ts';
import { searchFor } from '../db/lists/search.ts';
import type { SortKeys } from '../db/lists/sorted-rows.ts';
import { shapeOf } from '../db/records/columns.ts';
import { word } from '../db/records/json.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Referring } from '../deletion/delete-record.ts';
import { leaseRunsOn, leaseStatus } from '../ledger/rules/lease-status.ts';
import { decimalAmount } from '../money.ts';
import type { PageBounds } from '../paging.ts';
import { units } from './units.columns.ts';
import type { UnitFilter, unitSortFields } from './units.schema.ts';

/** What a unit shows of its lease on the day. Leases of a unit never overlap. */
export const unitStatus = (accountId: string, today: string): Sql => sql`
  case when u.offline then 'offline' else coalesce((
    select case when l.status = 'active' then 'occupied' when l.status = 'notice' then 'notice' end
    from (select ${leaseStatus('l', today)} as status from leases l
      where l.account_id = ${accountId} and l.unit_id = u.id and ${leaseRunsOn('l', today)}) l), 'vacant') end`;

export const unitShape = (accountId: string, today: string): RecordShape =>
  shapeOf(
    units,
    {
      market_rent_cents: [
        word(decimalAmount('u.market_rent_cents', 'a.currency'), 'market_rent'),
        word('a.currency'),
      ],
      offline: [word('derived.status')],
    },
    sql`join accounts a on a.id = u.account_id
      left join lateral (select ${unitStatus(accountId, today)} as status) derived on true`,
  );

export const selectUnits = (accountId: string, propertyId: string): Sql =>
  sql`select * from units where account_id = ${accountId} and property_id = ${propertyId}`;

export const referringToUnit: Referring[] = [
  {
    type: 'lease',
    select: (accountId, id) => sql`select id from leases where account_id = ${accountId} and unit_id = ${id}`,
  },
  {
    type: 'maintenance_request',
    // With the property, by which an index finds them.
    select: (accountId, id) => sql`
      select m.id from units u
      join maintenance_requests m on m.account_id = ${accountId} and m.property_id = u.property_id and m.unit_id = u.id
      where u.account_id = ${accountId} and u.id = ${id}`,
  },
];

/** The same expression as in the index units_by_name. */
const sortKeys: SortKeys<(typeof unitSortFields)[number]> = {
  name: { key: (u) => `lower(${u}.name)`, type: 'text' },
};

export function listUnits(
  db: Db,
  shape: RecordShape,
  accountId: string,
  filter: UnitFilter,
  bounds: PageBounds,
  today: string,
): Promise<Page> {
  return listRecords(db, shape, {
    accountId,
    bounds,
    sorting: { keys: sortKeys },
    search: filter.q === undefined ? undefined : searchFor('u', filter.q),
    ...(filter.external_id === undefined ? {} : { few: sql`u.external_id = ${filter.external_id}` }),
    conditions: [
      ...(filter.property_id === undefined ? [] : [sql`u.property_id = ${filter.property_id}`]),
      ...(filter.property_status === undefined ? [] : [inProperties(accountId, filter.property_status)]),
      ...(filter.status === undefined ? [] : [sql`${unitStatus(accountId, today)} = any(${filter.status})`]),
    ],
  });
}

const inProperties = (accountId: string, statuses: string[]): Sql => sql`exists (
  select from properties p where p.account_id = ${accountId} and p.id = u.property_id and p.status = any(${statuses}))`;
