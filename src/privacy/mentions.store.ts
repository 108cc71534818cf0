import type { Db } from '../db/connect.ts';
import { sql } from '../db/sql.ts';

interface Said {
  field: string;
  text: string;
}

/** What the tenant's fields say, and what they said before they were changed. */
export async function findWhatTenantWas(tx: Db, accountId: string, tenantId: string): Promise<Said[]> {
  const now = await tx.query<Said>(sql`
    select said.field, said.text from tenants t cross join lateral (values ('first_name', t.first_name),
      ('last_name', t.last_name), ('email', t.email), ('phone', t.phone), ('external_id', t.external_id))
      as said(field, text)
    where t.account_id = ${accountId} and t.id = ${tenantId} and said.text is not null`);
  const before = await tx.query<Said>(sql`
    select change ->> 'field' as field, change ->> 'from' as text
    from history h cross join lateral json_array_elements(h.changes::json) as change
    where h.account_id = ${accountId} and h.record_id = ${tenantId} and h.changes is not null
      and change ->> 'from' is not null`);
  return [...now, ...before];
}
