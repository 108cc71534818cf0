import type { Db } from '../db/connect.ts';
import { type Sql, sql } from '../db/sql.ts';

/** How a text refers to a record. */
export type By = 'id' | 'key' | 'external_id' | 'email' | 'name';

export interface Named {
  /** The index of the wanted text. */
  at: number;
  id: string;
  by: By;
  property_id?: string;
}

export interface Wanted {
  text: string;
  /** The text as a uuid, if it is one of our ids. */
  uuid: string | null;
  property_id?: string | null;
}

const wantedRows = (wanted: Wanted[]): Sql => sql`
  unnest(${wanted.map((_, at) => at)}::integer[], ${wanted.map(({ text }) => text)}::text[],
    ${wanted.map(({ uuid }) => uuid)}::uuid[], ${wanted.map(({ property_id }) => property_id ?? null)}::uuid[])
    as w(at, text, uuid, property_id)`;

const byKey = (accountId: string, kind: string): Sql => sql`
  select w.at, k.record_id as id, 'key' as by from w
  join import_keys k on k.account_id = ${accountId} and k.kind = ${kind} and k.key = w.text`;

export const findProperties = (db: Db, accountId: string, wanted: Wanted[]): Promise<Named[]> =>
  db.query<Named>(sql`
    with w as (select * from ${wantedRows(wanted)})
    select w.at, p.id, 'id' as by from w join properties p on p.account_id = ${accountId} and p.id = w.uuid
    union all ${byKey(accountId, 'property')}
    union all select w.at, p.id, 'external_id' from w
      join properties p on p.account_id = ${accountId} and p.external_id = w.text
    union all select w.at, p.id, 'name' from w
      join properties p on p.account_id = ${accountId} and lower(p.name) = lower(w.text)`);

export const findTenants = (db: Db, accountId: string, wanted: Wanted[]): Promise<Named[]> =>
  db.query<Named>(sql`
    with w as (select * from ${wantedRows(wanted)})
    select w.at, t.id, 'id' as by from w join tenants t on t.account_id = ${accountId} and t.id = w.uuid
    union all ${byKey(accountId, 'tenant')}
    union all select w.at, t.id, 'external_id' from w
      join tenants t on t.account_id = ${accountId} and t.external_id = w.text
    union all select w.at, t.id, 'email' from w
      join tenants t on t.account_id = ${accountId} and lower(t.email) = lower(w.text)
    union all select w.at, t.id, 'name' from w
      join tenants t on t.account_id = ${accountId} and lower(t.first_name || ' ' || t.last_name) = lower(w.text)`);

/** Leases have no names. A file has their ids, or the ids that they were imported with. */
export const findLeases = (db: Db, accountId: string, wanted: Wanted[]): Promise<Named[]> =>
  db.query<Named>(sql`
    with w as (select * from ${wantedRows(wanted)})
    select w.at, l.id, 'id' as by from w join leases l on l.account_id = ${accountId} and l.id = w.uuid
    union all ${byKey(accountId, 'lease')}
    union all select w.at, l.id, 'external_id' from w
      join leases l on l.account_id = ${accountId} and l.external_id = w.text`);

export const findCharges = (db: Db, accountId: string, wanted: Wanted[]): Promise<Named[]> =>
  db.query<Named>(sql`
    with w as (select * from ${wantedRows(wanted)})
    select w.at, c.id, 'id' as by from w join charges c on c.account_id = ${accountId} and c.id = w.uuid
    union all ${byKey(accountId, 'charge')}
    union all select w.at, c.id, 'external_id' from w
      join charges c on c.account_id = ${accountId} and c.external_id = w.text and c.voided_on is null`);

/** By name, within the property if one is named. */
export const findUnits = (db: Db, accountId: string, wanted: Wanted[]): Promise<Named[]> =>
  db.query<Named>(sql`
    with w as (select * from ${wantedRows(wanted)})
    select found.*, u.property_id from (
      select w.at, u.id, 'id' as by from w join units u on u.account_id = ${accountId} and u.id = w.uuid
      union all ${byKey(accountId, 'unit')}
      union all select w.at, u.id, 'external_id' from w
        join units u on u.account_id = ${accountId} and u.external_id = w.text
      union all select w.at, u.id, 'name' from w
        join units u on u.account_id = ${accountId} and lower(u.name) = lower(w.text)
          and (w.property_id is null or u.property_id = w.property_id)) found
    join units u on u.account_id = ${accountId} and u.id = found.id`);
