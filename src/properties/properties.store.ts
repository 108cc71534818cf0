import type { Db } from '../db/connect.ts';
import { listRecords, type Page } from '../db/lists/list.ts';
import { searchFor } from '../db/lists/search.ts';
import type { SortKeys } from '../db/lists/sorted-rows.ts';
import { shapeOf } from '../db/records/columns.ts';
import { number } from '../db/records/json.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Referring } from '../deletion/delete-record.ts';
import { leaseRunsOn } from '../ledger/rules/lease-status.ts';
import type { PageBounds } from '../paging.ts';
import { properties } from './properties.columns.ts';
import type { PropertyFilter, propertySortFields } from './properties.schema.ts';

export const propertyShape = (accountId: string, today: string): RecordShape =>
  shapeOf(
    properties,
    { status: [number('counts.unit_count'), number('counts.occupied_unit_count')] },
    sql`left join lateral (
      select count(*) as unit_count, count(*) filter (where exists (
        select from leases l where l.account_id = ${accountId} and l.unit_id = u.id and ${leaseRunsOn('l', today)}
      )) as occupied_unit_count
      from units u where u.account_id = ${accountId} and u.property_id = p.id) counts on true`,
  );

export const selectProperty = (accountId: string, id: string): Sql =>
  sql`select * from properties where account_id = ${accountId} and id = ${id}`;

/** Units are enough: leases, and what is owed, refer to a unit. */
export const referringToProperty: Referring[] = [
  {
    type: 'unit',
    select: (accountId, id) =>
      sql`select id from units where account_id = ${accountId} and property_id = ${id}`,
  },
  {
    type: 'maintenance_request',
    select: (accountId, id) =>
      sql`select id from maintenance_requests where account_id = ${accountId} and property_id = ${id}`,
  },
];

/** The same expression as in the index properties_by_name. */
const sortKeys: SortKeys<(typeof propertySortFields)[number]> = {
  name: { key: (p) => `lower(${p}.name)`, type: 'text' },
};

export function listProperties(
  db: Db,
  accountId: string,
  filter: PropertyFilter,
  bounds: PageBounds,
  today: string,
): Promise<Page> {
  return listRecords(db, propertyShape(accountId, today), {
    accountId,
    bounds,
    sorting: { keys: sortKeys },
    search: filter.q === undefined ? undefined : searchFor('p', filter.q),
    conditions: [
      ...(filter.status === undefined ? [] : [sql`p.status = any(${filter.status})`]),
      ...(filter.external_id === undefined ? [] : [sql`p.external_id = ${filter.external_id}`]),
    ],
  });
}
