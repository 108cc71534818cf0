import { changedAt } from '../db/changed-at.ts';
import type { Db } from '../db/connect.ts';
import { id, number, text, time, word } from '../db/json.ts';
import { listRecords, type Page, type RecordShape } from '../db/list.ts';
import { matches } from '../db/search.ts';
import { type Sql, sql } from '../db/sql.ts';
import { leaseRunsOn } from '../leases/lease-status.ts';
import type { PageBounds } from '../paging.ts';
import type { PropertyFilter } from './properties.schema.ts';

export const propertyShape = (today: string): RecordShape => ({
  table: 'properties',
  alias: 'p',
  joins: sql`left join lateral (
    select count(*) as unit_count, count(*) filter (where exists (
      select from leases l where l.account_id = u.account_id and l.unit_id = u.id and ${leaseRunsOn('l', today)}
    )) as occupied_unit_count
    from units u where u.account_id = p.account_id and u.property_id = p.id) counts on true`,
  fields: [
    id('prop', 'p.id'),
    text('p.name'),
    word('p.type'),
    text('p.address'),
    text('p.address_line2'),
    text('p.city'),
    text('p.state'),
    text('p.postal_code'),
    word('p.country'),
    number('p.year_built'),
    text('p.notes'),
    text('p.external_id'),
    word('p.status'),
    number('counts.unit_count'),
    number('counts.occupied_unit_count'),
    time('p.created_at'),
    time('p.updated_at'),
  ],
});

export interface PropertyRow {
  name: string;
  type: string;
  address: string | null;
  address_line2: string | null;
  city: string | null;
  state: string | null;
  postal_code: string | null;
  country: string | null;
  year_built: number | null;
  notes: string | null;
  external_id: string | null;
  status: string;
}

export const insertProperty = (accountId: string, id: string, p: PropertyRow, createdAt: Date): Sql => sql`
  insert into properties (account_id, id, name, type, address, address_line2, city, state, postal_code, country, year_built,
    notes, external_id, status, created_at, updated_at)
  values (${accountId}, ${id}, ${p.name}, ${p.type}, ${p.address}, ${p.address_line2}, ${p.city}, ${p.state}, ${p.postal_code},
    ${p.country}, ${p.year_built}, ${p.notes}, ${p.external_id}, ${p.status}, ${createdAt}, ${createdAt})
  returning *`;

export const selectProperty = (accountId: string, id: string): Sql =>
  sql`select * from properties where account_id = ${accountId} and id = ${id}`;

export async function findPropertyForChange(
  tx: Db,
  accountId: string,
  id: string,
): Promise<PropertyRow | null> {
  const [row] = await tx.query<PropertyRow>(sql`
    select name, type, address, address_line2, city, state, postal_code, country, year_built, notes, external_id, status
    from properties where account_id = ${accountId} and id = ${id} for no key update`);
  return row ?? null;
}

export const updateProperty = (accountId: string, id: string, p: PropertyRow, now: Date): Sql => sql`
  update properties set name = ${p.name}, type = ${p.type}, address = ${p.address}, address_line2 = ${p.address_line2},
    city = ${p.city}, state = ${p.state}, postal_code = ${p.postal_code}, country = ${p.country}, year_built = ${p.year_built},
    notes = ${p.notes}, external_id = ${p.external_id}, status = ${p.status}, updated_at = ${changedAt('properties', now)}
  where account_id = ${accountId} and id = ${id} returning *`;

export function listProperties(
  db: Db,
  accountId: string,
  filter: PropertyFilter,
  bounds: PageBounds,
  today: string,
): Promise<Page> {
  return listRecords(db, propertyShape(today), {
    accountId,
    bounds,
    conditions: [
      ...(filter.status === undefined ? [] : [sql`p.status = any(${filter.status})`]),
      ...(filter.q === undefined ? [] : [matches(['p.name', 'p.address', 'p.city'], filter.q)]),
    ],
  });
}
