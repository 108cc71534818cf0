import { id, objectJson, text } from '../db/records/json.ts';
import { type Sql, sql } from '../db/sql.ts';

const tenant = objectJson([id('ten', 't.id'), text(sql`concat_ws(' ', t.first_name, t.last_name)`, 'name')]);

/**
 * The tenants of the lease `l` in its order, with their names, as a JSON array. Each is looked up by its id: reports
 * run without nested loops, and a join would read the account's tenants again for every lease.
 */
export const tenantNames = (accountId: string): Sql => sql`
  select coalesce('[' || string_agg(${tenant}, ',' order by lt.position) || ']', '[]') as tenants
  from lease_tenants lt cross join lateral (
    select * from tenants where account_id = ${accountId} and id = lt.tenant_id limit 1) t
  where lt.account_id = ${accountId} and lt.lease_id = l.id`;
