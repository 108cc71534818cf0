import type { Db } from '../db/connect.ts';
import { newestRows } from '../db/lists/list.ts';
import { contains, type Search, searchFor, searchForBeginning } from '../db/lists/search.ts';
import { publicId } from '../db/records/json.ts';
import { join, literal, raw, type Sql, sql } from '../db/sql.ts';

const shown = 20;
/**
 * How many of the newest matches of each kind are compared. In accounts with more matches, people type a longer text.
 */
const compared = 200;
/** How many houses have their units searched. */
const houses = 25;
/** How many parts of a text may be a house's name, with the rest being a unit's. */
const mostParts = 3;

/** A JSON array. Records that begin with the text come before those that only contain it. */
export async function search(db: Db, accountId: string, text: string): Promise<string> {
  const begins = (column: string): Sql =>
    sql`case when position(lower(${text}) in lower(${raw(column)})) = 1 then 0 else 1 end`;
  // Names are searched in both orders, so that "Okafor Ada" and "2B Maple" are found too.
  const [row] = await db.query<{ json: string }>(sql`
    select coalesce(json_agg(json_build_object('type', type, 'id', id, 'title', title, 'subtitle', subtitle)
      order by rank, kind, title, id), '[]')::text as json
    from (select * from (
      (select 1 as kind, 'property' as type, ${publicId('prop', 'p.id')} as id, p.name as title,
        nullif(concat_ws(', ', p.address, p.city), '') as subtitle, ${begins('p.name')} as rank
       from properties p
       where p.account_id = ${accountId} and p.id in (${matching(accountId, 'properties', text)})
       order by rank, title, id limit ${literal(shown)})
      union all
      (select 2, 'tenant', ${publicId('ten', 't.id')}, t.first_name || ' ' || t.last_name, coalesce(t.email, t.phone),
        least(${begins('t.first_name')}, ${begins('t.last_name')}) as rank
       from tenants t
       where t.account_id = ${accountId} and t.id in (${matching(accountId, 'tenants', text)})
       order by rank, 4, 3 limit ${literal(shown)})
      union all
      (select 3, 'unit', ${publicId('unit', 'u.id')}, u.name, p.name, ${begins('u.name')} as rank
       from units u join properties p on p.account_id = ${accountId} and p.id = u.property_id
       where u.account_id = ${accountId} and u.id in (
         ${matching(accountId, 'units', text)} union all ${unitsOfHouses(accountId, text)})
       order by rank, 4, 3 limit ${literal(shown)})) found
      order by rank, kind, title, id limit ${literal(shown)}) nearest`);
  return row?.json ?? '[]';
}

/** The ids of the newest rows that match, including those in which a word begins with the text. */
const matching = (accountId: string, table: string, text: string): Sql =>
  sql`${newest(accountId, table, searchForBeginning('r', text), compared)} union all
    ${newest(accountId, table, searchFor('r', text), compared)}`;

const newest = (accountId: string, table: string, search: Search, limit: number): Sql => sql`
  select id from (${newestRows({ table, alias: 'r' }, { accountId, bounds: { limit, before: null, since: null }, search })}) r`;

/** Units found with the name of their house: by that name alone, or by a part of both. */
function unitsOfHouses(accountId: string, text: string): Sql {
  const parts = partsOf(text).map((part) => newest(accountId, 'properties', searchFor('r', part), houses));
  return sql`
    select u.id from (${join(parts, ' union ')}) house
    join properties p on p.account_id = ${accountId} and p.id = house.id
    cross join lateral (
      select r.id from units r
      where r.account_id = ${accountId} and r.property_id = p.id
        and ${contains(sql`lower(p.name || ' ' || r.name || ' ' || p.name)`, text)}
      order by r.id limit ${literal(shown)}) u`;
}

/** The text, and words at its beginning or end that may be the name of a house: "maple" in "maple 2b". */
function partsOf(text: string): string[] {
  const words = text.split(/\s+/);
  const lengths = words.map((_, at) => at).filter((length) => length > 0);
  const longest = lengths.reverse().slice(0, mostParts);
  return [
    text,
    ...longest.map((length) => words.slice(0, length).join(' ')),
    ...longest.map((length) => words.slice(-length).join(' ')),
  ];
}
