import type { Db } from '../db/connect.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import { raw, type Sql, sql } from '../db/sql.ts';

/** Takes the account's import lock until the transaction ends. Returns false if another import holds it. */
export async function lockImports(tx: Db, accountId: string): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`tenure import ${accountId}`}, 0)) as locked`,
  );
  return row?.locked ?? false;
}

/**
 * Runs searches with plans made for the present sizes of the tables. A plan kept from the first batch was made for
 * empty tables, and would read all of them for every row. Do not use it for writes: the setting also applies to the
 * checks of foreign keys, and planning each of those costs almost as much again (measured: Postgres took 178 instead of
 * 100 µs a row).
 */
export async function searching<Result>(tx: Db, work: () => Promise<Result>): Promise<Result> {
  await tx.query(sql`set local plan_cache_mode = force_custom_plan`);
  const result = await work();
  await tx.query(sql`set local plan_cache_mode = auto`);
  return result;
}

/** What files leave open: the account's currency, and where the account is. */
export async function findAccountDefaults(
  db: Db,
  accountId: string,
): Promise<{ currency: string; timeZone: string }> {
  const [row] = await db.query<{ currency: string; timeZone: string }>(
    sql`select currency, time_zone as "timeZone" from accounts where id = ${accountId}`,
  );
  return row ?? { currency: 'USD', timeZone: 'UTC' };
}

/** The currencies of the account's leases. Payments without a currency take theirs from the lease. */
export async function findLeaseCurrencies(db: Db, accountId: string): Promise<string[]> {
  const rows = await db.query<{ currency: string }>(
    sql`select distinct currency from leases where account_id = ${accountId}`,
  );
  return rows.map(({ currency }) => currency);
}

/** What the key of a charge that was voided where it comes from refers to. */
export const noRecord = '00000000-0000-0000-0000-000000000000';

/** The records that keys of earlier imports refer to. */
export async function findKeys(
  db: Db,
  accountId: string,
  kind: string,
  keys: string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db.query<{ key: string; record_id: string }>(sql`
    select key, record_id from import_keys
    where account_id = ${accountId} and kind = ${kind} and key = any(${keys}::text[]) and record_id <> ${noRecord}`);
  return new Map(rows.map(({ key, record_id }) => [key, record_id]));
}

export async function rememberKeys(
  tx: Db,
  accountId: string,
  kind: string,
  keys: { key: string; record_id: string }[],
): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(sql`
    insert into import_keys (account_id, kind, key, record_id)
    select ${accountId}, ${kind}, n.key, n.record_id from ${rowsAsTable(keys, { key: 'text', record_id: 'uuid' })}
    on conflict (account_id, kind, key) do update set record_id = excluded.record_id
      where import_keys.record_id <> excluded.record_id`);
}

/** The records found for each row. */
export type Found = Map<number, string[]>;

export async function idsByRow(db: Db, query: Sql): Promise<Found> {
  const rows = await db.query<{ at: number; ids: string[] }>(query);
  return new Map(rows.map(({ at, ids }) => [at, ids]));
}

export const numbered = (rows: object[], columns: Record<string, string>): Sql =>
  rowsAsTable(
    rows.map((row, at) => ({ ...row, at })),
    { at: 'integer', ...columns },
  );

export type ExternalTable =
  | 'properties'
  | 'units'
  | 'tenants'
  | 'leases'
  | 'charges'
  | 'credits'
  | 'payments'
  | 'maintenance_requests';

/**
 * Finds records by their external_id. Of several charges or credits, it takes the ones that are not voided, or else the
 * one voided last.
 */
export const findByExternalId = (
  db: Db,
  accountId: string,
  table: ExternalTable,
  externalIds: string[],
): Promise<Found> => {
  const rows = numbered(
    externalIds.map((external_id) => ({ external_id })),
    { external_id: 'text' },
  );
  const ids = raw(
    table === 'charges' || table === 'credits'
      ? `coalesce(array_agg(r.id::text order by r.id) filter (where r.voided_on is null),
          (array_agg(r.id::text order by r.id desc))[1:1])`
      : 'array_agg(r.id::text order by r.id)',
  );
  return idsByRow(
    db,
    sql`select n.at, ${ids} as ids from ${rows} join ${raw(table)} r
      on r.account_id = ${accountId} and r.external_id = n.external_id group by n.at`,
  );
};

interface DepositOf {
  tenant_id: string;
  lease_id: string | null;
  paid_on: string;
}

/** The deposit charge of the lease, or of the tenant's leases, that is due nearest to the day of the payment. */
export const findDeposits = (db: Db, accountId: string, payments: DepositOf[]): Promise<Found> =>
  idsByRow(
    db,
    sql`select n.at, array[c.id::text] as ids
      from ${numbered(payments, { tenant_id: 'uuid', lease_id: 'uuid', paid_on: 'date' })}
      cross join lateral (
        select c.id from lease_tenants lt
        join charges c on c.account_id = ${accountId} and c.lease_id = lt.lease_id and c.kind = 'deposit'
          and c.voided_on is null
        where lt.account_id = ${accountId} and lt.tenant_id = n.tenant_id
          and (n.lease_id is null or lt.lease_id = n.lease_id)
        order by abs(c.due_on - n.paid_on), c.id limit 1) c`,
  );

export const findPropertiesByName = (db: Db, accountId: string, names: string[]): Promise<Found> =>
  idsByRow(
    db,
    sql`
    select n.at, array_agg(p.id::text order by p.id) as ids
    from ${numbered(
      names.map((name) => ({ name })),
      { name: 'text' },
    )} join properties p on p.account_id = ${accountId} and lower(p.name) = lower(n.name) group by n.at`,
  );

/** A unit spelt exactly the same comes before one that differs in case. */
export const findUnitsByName = (
  db: Db,
  accountId: string,
  units: { property_id: string; name: string }[],
): Promise<Found> =>
  idsByRow(
    db,
    sql`
    select n.at, coalesce(array_agg(u.id::text) filter (where u.name = n.name),
      array_agg(u.id::text order by u.id)) as ids
    from ${numbered(units, { property_id: 'uuid', name: 'text' })}
    join units u on u.account_id = ${accountId} and u.property_id = n.property_id and lower(u.name) = lower(n.name)
    group by n.at`,
  );

export interface TenantLike {
  first_name: string;
  last_name: string;
  email: string | null;
  phone: string | null;
}

/** Tenants with the same first name and either the same last name or the same e-mail address. */
export async function findTenantsLike(
  db: Db,
  accountId: string,
  people: TenantLike[],
): Promise<Map<number, (TenantLike & { id: string })[]>> {
  // Two joins, each on two equal values. A single join with `or` would compare everybody with everybody.
  const rows = await db.query<TenantLike & { id: string; at: number }>(sql`
    with n as (select * from ${numbered(people, { first_name: 'text', last_name: 'text', email: 'text' })}),
    t as (select id, first_name, last_name, email, phone from tenants where account_id = ${accountId})
    select n.at, t.* from n
    join t on lower(t.first_name) = lower(n.first_name) and lower(t.last_name) = lower(n.last_name)
    union
    select n.at, t.* from n
    join t on lower(t.first_name) = lower(n.first_name) and lower(t.email) = lower(n.email)
    order by id`);
  return Map.groupBy(rows, ({ at }) => at);
}

export const findLeasesByStart = (
  db: Db,
  accountId: string,
  leases: { unit_id: string; start_date: string }[],
): Promise<Found> =>
  idsByRow(
    db,
    sql`
    select n.at, array_agg(l.id::text order by l.id) as ids
    from ${numbered(leases, { unit_id: 'uuid', start_date: 'date' })}
    join leases l on l.account_id = ${accountId} and l.unit_id = n.unit_id and l.start_date = n.start_date
    group by n.at`,
  );

/** The tenants with that name who have, or had, a lease of the unit. */
export const findTenantsOfUnit = (
  db: Db,
  accountId: string,
  people: { unit_id: string; first_name: string; last_name: string }[],
): Promise<Found> =>
  idsByRow(
    db,
    sql`
    select n.at, array_agg(distinct t.id::text) as ids
    from ${numbered(people, { unit_id: 'uuid', first_name: 'text', last_name: 'text' })}
    join leases l on l.account_id = ${accountId} and l.unit_id = n.unit_id
    join lease_tenants lt on lt.account_id = ${accountId} and lt.lease_id = l.id
    join tenants t on t.account_id = ${accountId} and t.id = lt.tenant_id
      and lower(t.first_name) = lower(n.first_name) and lower(t.last_name) = lower(n.last_name)
    group by n.at`,
  );

/** For each row, the first days of leases of the unit that have not ended and belong to one of the tenants. */
export async function findOpenLeases(
  db: Db,
  accountId: string,
  leases: { unit_id: string; tenant_ids: string[] }[],
  today: string,
): Promise<Map<number, string[]>> {
  const pairs = leases.flatMap(({ unit_id, tenant_ids }, at) =>
    tenant_ids.map((tenant_id) => ({ at, unit_id, tenant_id })),
  );
  const rows = await db.query<{ at: number; starts: string[] }>(sql`
    select n.at, array_agg(distinct l.start_date::text) as starts
    from ${rowsAsTable(pairs, { at: 'integer', unit_id: 'uuid', tenant_id: 'uuid' })}
    join leases l on l.account_id = ${accountId} and l.unit_id = n.unit_id
      and (l.until is null or l.until > ${today}::date)
    join lease_tenants lt on lt.account_id = ${accountId} and lt.lease_id = l.id and lt.tenant_id = n.tenant_id
    group by n.at`);
  return new Map(rows.map(({ at, starts }) => [at, starts]));
}

export interface PaymentLike {
  tenant_id: string;
  paid_on: string;
  amount_cents: number;
  currency?: string | null;
  reference?: string | null;
}

const likeTypes = {
  tenant_id: 'uuid',
  paid_on: 'date',
  amount_cents: 'bigint',
  currency: 'text',
  reference: 'text',
};

/** The payments that each row may mean: equal in what identifies a payment, oldest first. */
export const findPaymentsLike = (db: Db, accountId: string, payments: PaymentLike[]): Promise<Found> =>
  idsByRow(
    db,
    sql`
    select n.at, array_agg(p.id::text order by p.id) as ids
    from ${numbered(payments, likeTypes)}
    join payments p on p.account_id = ${accountId} and p.tenant_id = n.tenant_id and p.paid_on = n.paid_on
      and p.amount_cents = n.amount_cents and (n.currency is null or p.currency = n.currency)
      and p.reference is not distinct from n.reference
    group by n.at`,
  );

interface MaintenanceLike {
  property_id: string;
  unit_id: string | null;
  title: string;
}

/** The requests that each row may mean, oldest first. */
export const findMaintenanceLike = (db: Db, accountId: string, requests: MaintenanceLike[]): Promise<Found> =>
  idsByRow(
    db,
    sql`
    select n.at, array_agg(m.id::text order by m.id) as ids
    from ${numbered(requests, { property_id: 'uuid', unit_id: 'uuid', title: 'text' })}
    join maintenance_requests m on m.account_id = ${accountId} and m.property_id = n.property_id
      and m.unit_id is not distinct from n.unit_id and lower(m.title) = lower(n.title)
    group by n.at`,
  );
