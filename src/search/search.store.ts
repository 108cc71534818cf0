import type { Db } from '../db/connect.ts';
import { publicId } from '../db/records/json.ts';
import { matches } from '../db/records/search.ts';
import { literal, raw, type Sql, sql } from '../db/sql.ts';

const shown = 20;

/** A JSON array. What begins with the text comes before what only contains it. */
export async function search(db: Db, accountId: string, text: string): Promise<string> {
  const begins = (column: string): Sql =>
    sql`case when position(lower(${text}) in lower(${raw(column)})) = 1 then 0 else 1 end`;
  // Names are searched both ways round, so that "Okafor Ada" and "2B Maple" are found too.
  const [row] = await db.query<{ json: string }>(sql`
    select coalesce(json_agg(json_build_object('type', type, 'id', id, 'title', title, 'subtitle', subtitle)
      order by rank, kind, title, id), '[]')::text as json
    from (select * from (
      (select 1 as kind, 'property' as type, ${publicId('prop', 'p.id')} as id, p.name as title,
        nullif(concat_ws(', ', p.address, p.city), '') as subtitle, ${begins('p.name')} as rank
       from properties p
       where p.account_id = ${accountId} and ${matches(['p.name', 'p.address', 'p.city'], text)}
       order by rank, title, id limit ${literal(shown)})
      union all
      (select 2, 'tenant', ${publicId('ten', 't.id')}, t.first_name || ' ' || t.last_name, coalesce(t.email, t.phone),
        least(${begins('t.first_name')}, ${begins('t.last_name')}) as rank
       from tenants t
       where t.account_id = ${accountId}
         and ${matches(['t.first_name', 't.last_name', 't.first_name', 't.email', 't.phone'], text)}
       order by rank, 4, 3 limit ${literal(shown)})
      union all
      (select 3, 'unit', ${publicId('unit', 'u.id')}, u.name, p.name, ${begins('u.name')} as rank
       from units u join properties p on p.account_id = ${accountId} and p.id = u.property_id
       where u.account_id = ${accountId} and ${matches(['p.name', 'u.name', 'p.name'], text)}
       order by rank, 4, 3 limit ${literal(shown)})) found
      order by rank, kind, title, id limit ${literal(shown)}) nearest`);
  return row?.json ?? '[]';
}
