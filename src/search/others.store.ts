import type { Db } from '../db/connect.ts';
import { contains } from '../db/lists/search.ts';
import { publicId } from '../db/records/json.ts';
import { join, literal, raw, type Sql, sql } from '../db/sql.ts';
import { parseId } from '../ids.ts';
import { decimalAmount } from '../money.ts';
import type { Found } from './search.schema.ts';

/** How many results there are of each kind. */
const shown = literal(10);
/** How many results there are for each tenant found. */
const ofEach = literal(3);
/** Their texts have no index, so only this many of the newest are searched. */
const lookedThrough = literal(1_000);

interface Known {
  /** Tenants whose leases and payments are found. */
  tenants: string[];
  units: string[];
  /** Whether their names may be shown. */
  namesTenants: boolean;
  namesPlaces: boolean;
}

/** Leases, payments, maintenance requests, charges and credits, the newest first. */
export function searchOthers(db: Db, accountId: string, text: string, known: Known): Promise<Found[]> {
  const tenants = known.tenants.flatMap((id) => parseId('ten', id) ?? []);
  const units = known.units.flatMap((id) => parseId('unit', id) ?? []);
  const nobody = raw('null::text');
  const property = known.namesPlaces
    ? sql`(select p.name from properties p where p.account_id = ${accountId} and p.id = r.property_id)`
    : nobody;
  const place = known.namesPlaces
    ? sql`${property} || ' ' || (select u.name from units u where u.account_id = ${accountId} and u.id = r.unit_id)`
    : nobody;
  const tenant = known.namesTenants
    ? sql`(select t.first_name || ' ' || t.last_name from tenants t
        where t.account_id = ${accountId} and t.id = r.tenant_id)`
    : nobody;
  const leaseholders = known.namesTenants
    ? sql`(select string_agg(t.first_name || ' ' || t.last_name, ', ' order by lt.position) from lease_tenants lt
        join tenants t on t.account_id = ${accountId} and t.id = lt.tenant_id
        where lt.account_id = ${accountId} and lt.lease_id = r.id)`
    : nobody;
  const amount = sql`${decimalAmount('r.amount_cents', 'r.currency')} || ' ' || r.currency`;
  const kinds = [
    sql`
      select 1 as kind, 'lease' as type, ${publicId('lease', 'r.id')} as id, ${place} as title,
        concat_ws(', ', ${leaseholders}, 'from ' || r.start_date) as subtitle
      from leases r where r.account_id = ${accountId} and r.id in (
        select lt.lease_id from lease_tenants lt
        where lt.account_id = ${accountId} and lt.tenant_id = any(${tenants}::uuid[])
        union all
        select l.id from leases l where l.account_id = ${accountId} and l.unit_id = any(${units}::uuid[]))`,
    sql`
      select 2, 'payment', ${publicId('pay', 'r.id')}, ${tenant}, ${amount} || ' on ' || r.paid_on || ', ' || r.status
      from payments r where r.account_id = ${accountId} and r.id in (
        select paid.id from unnest(${tenants}::uuid[]) tenant(id) cross join lateral (
          select y.id from payments y where y.account_id = ${accountId} and y.tenant_id = tenant.id
          order by y.id desc limit ${ofEach}) paid
        union all ${withText(accountId, 'payments', ['reference', 'memo'], text)}
        union all ${ofAmount(accountId, text)})`,
    sql`
      select 3, 'maintenance_request', ${publicId('mnt', 'r.id')}, r.title,
        concat_ws(', ', ${property}, 'no. ' || r.number, r.status)
      from maintenance_requests r where r.account_id = ${accountId} and r.id in (
        ${withText(accountId, 'maintenance_requests', ['title', 'description', 'assigned_to'], text)}
        union all ${withNumber(accountId, text)})`,
    sql`
      select 4, 'charge', ${publicId('chg', 'r.id')}, concat_ws(', ', ${place}, r.kind),
        concat_ws(', ', ${amount} || ' due on ' || r.due_on, r.memo)
      from charges r where r.account_id = ${accountId} and r.id in (
        ${withText(accountId, 'charges', ['memo', 'external_id'], text)})`,
    sql`
      select 5, 'credit', ${publicId('crd', 'r.id')}, concat_ws(', ', ${place}, r.reason),
        concat_ws(', ', ${amount} || ' on ' || r.credited_on, r.memo)
      from credits r where r.account_id = ${accountId} and r.id in (
        ${withText(accountId, 'credits', ['memo', 'external_id'], text)})`,
  ];
  const each = kinds.map((kind) => sql`(${kind} order by r.id desc limit ${shown})`);
  return db.query<Found & Record<string, unknown>>(
    sql`select type, id, title, subtitle from (${join(each, ' union all ')}) found order by kind, id desc`,
  );
}

/** The ids of the newest rows that have the text in one of these columns. */
const withText = (accountId: string, table: string, columns: string[], text: string): Sql => sql`
  select recent.id from (
    select n.id, lower(concat_ws(' ', ${raw(columns.map((column) => `n.${column}`).join(', '))})) as words
    from ${raw(table)} n where n.account_id = ${accountId} order by n.id desc limit ${lookedThrough}) recent
  where ${contains(raw('recent.words'), text)}`;

/** The newest payments whose amount begins with the typed one: `$1,250`, `1250.00`. */
function ofAmount(accountId: string, text: string): Sql {
  const [, whole = '', decimals = ''] =
    /^\p{Sc}?((?:\d{1,3}(?:,\d{3})+|\d{1,12}))(\.\d{0,4})?$/u.exec(text.trim()) ?? [];
  const amount = whole === '' ? null : whole.replaceAll(',', '') + decimals;
  return sql`
    select recent.id from (
      select n.id, ${decimalAmount('n.amount_cents', 'n.currency')} as amount
      from payments n where n.account_id = ${accountId} and ${amount}::text is not null
      order by n.id desc limit ${lookedThrough}) recent
    where starts_with(recent.amount, ${amount}::text)`;
}

/** The maintenance request of this number: `75` or `#75`. */
function withNumber(accountId: string, text: string): Sql {
  const [, digits] = /^#?(\d{1,9})$/.exec(text.trim()) ?? [];
  return sql`
    select n.id from maintenance_requests n
    where n.account_id = ${accountId} and n.number = ${digits === undefined ? null : Number(digits)}::integer`;
}
