import type { Db } from '../../db/connect.ts';
import { sql } from '../../db/sql.ts';

export type Named = 'prop' | 'unit' | 'ten';

/** The names of an account's records, by their uuids. */
export async function readNames(
  db: Db,
  accountId: string,
  ids: Record<Named, string[]>,
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(sql`
    select id, name from properties where account_id = ${accountId} and id = any(${ids.prop}::uuid[])
    union all
    select id, name from units where account_id = ${accountId} and id = any(${ids.unit}::uuid[])
    union all
    select id, first_name || ' ' || last_name from tenants
    where account_id = ${accountId} and id = any(${ids.ten}::uuid[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
