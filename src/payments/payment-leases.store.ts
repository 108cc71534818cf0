import type { Db } from '../db/connect.ts';
import { setChanged } from '../db/records/changed-at.ts';
import type { Computed } from '../db/records/rows.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import { numbered } from '../db/records/written-in.ts';
import { literal, raw, type Sql, sql } from '../db/sql.ts';
import { newId } from '../ids.ts';
import { markChanged } from '../ledger/marks.ts';
import { leaseRunsOn } from '../ledger/rules/lease-status.ts';

/*
 * Which lease a payment is for: the tenant's lease that runs or ends on the day of the payment, because people pay when
 * they move out; or else the next one, because they pay before they move in; or else the one that ended last, because
 * some pay late. A cancelled lease charges no rent, but if there is no other, it is the one on which the money is owed
 * back.
 */

/** Chooses the lease for a payment `of` from among the tenant's leases. No two days are a million days apart. */
const leaseOf = (accountId: string, of: string, among: Sql): Sql => {
  const paidOn = raw(`${of}.paid_on`);
  return sql`
    select l.id, l.unit_id, l.property_id, l.currency
    from lease_tenants lt join leases l on l.account_id = ${accountId} and l.id = lt.lease_id
    where lt.account_id = ${accountId} and lt.tenant_id = ${raw(of)}.tenant_id and ${among}
    order by case when l.until <= l.start_date then 3000000
      when (${leaseRunsOn('l', paidOn)}) or l.ended_on = ${paidOn} then ${paidOn} - l.start_date
      when l.start_date > ${paidOn} then 1000000 + l.start_date - ${paidOn}
      else 2000000 + ${paidOn} - l.until end, l.start_date desc, l.unit_id
    limit 1`;
};

/** Rows `n` either name their lease or leave the choice to the rule. */
const leaseOfEach = (accountId: string): Sql => sql`
  left join lateral (${leaseOf(
    accountId,
    'n',
    sql`(n.lease_id is null or l.id = n.lease_id)`,
  )}) lease on true`;

/** What a new payment takes from its lease. */
export const fromLease = (accountId: string, accountCurrency: string): Computed =>
  fromJoined(accountCurrency, leaseOfEach(accountId));

/** The same for payments that name their lease, whether or not the tenant still has it. */
export const fromNamedLease = (accountId: string, accountCurrency: string): Computed =>
  fromJoined(
    accountCurrency,
    sql`left join leases lease on lease.account_id = ${accountId} and lease.id = n.lease_id`,
  );

const fromJoined = (accountCurrency: string, joins: Sql): Computed => ({
  joins,
  values: {
    lease_id: raw('lease.id'),
    unit_id: raw('lease.unit_id'),
    property_id: raw('lease.property_id'),
    currency: sql`coalesce(n.currency, lease.currency, ${accountCurrency})`,
    ...numbered,
  },
});

/** A changed payment never loses its lease, even if the tenant no longer has it. */
export const followingLease = (accountId: string): Computed => ({
  joins: leaseOfEach(accountId),
  values: {
    lease_id: raw('coalesce(lease.id, p.lease_id)'),
    unit_id: raw('coalesce(lease.unit_id, p.unit_id)'),
    property_id: raw('coalesce(lease.property_id, p.property_id)'),
    currency: raw('coalesce(n.currency, p.currency)'),
  },
});

/** Marks the leases of new payments to be recalculated from the day of the payment. */
export const markLeasesOfNew = (accountId: string): Sql =>
  markChanged(accountId, sql`select lease_id, paid_on as from_day from changed`);

const counted = [
  'lease_id',
  'charge_id',
  'amount_cents',
  'currency',
  'paid_on',
  'status',
  'reversed_on',
  'period',
];
const countedOf = (alias: string): Sql => raw(`row(${counted.map((name) => `${alias}.${name}`)})::text`);

/**
 * The steps around an update. If a payment changes in a way that affects the ledger, its leases before and after the
 * update are marked. On a distributed database the program passes in the old values.
 */
export async function markingLeases(
  tx: Db,
  accountId: string,
  ids: string[],
): Promise<{ first?: Sql; also: Sql }> {
  const before = sql`
    select p.id, p.lease_id, p.paid_on::text as paid_on, ${countedOf('p')} as counted from payments p
    where p.account_id = ${accountId} and p.id = any(${ids}::uuid[])`;
  const also = (from: Sql): Sql =>
    markChanged(
      accountId,
      sql`
      select either.lease_id, either.from_day from changed c join ${from} on n.id = c.id
      cross join lateral (values (n.lease_id, n.paid_on::date), (c.lease_id, c.paid_on)) either(lease_id, from_day)
      where n.counted <> ${countedOf('c')}`,
    );
  if (!tx.isDistributed()) return { first: sql`before as (${before})`, also: also(raw('before n')) };
  const rows = await tx.query<{ id: string; lease_id: string | null; paid_on: string; counted: string }>(
    before,
  );
  return {
    also: also(rowsAsTable(rows, { id: 'uuid', lease_id: 'uuid', paid_on: 'text', counted: 'text' })),
  };
}

interface Naming {
  id: string;
  tenant_id: string;
  /** The lease that the payment names, if any. */
  lease_id: string | null;
  charge_id: string | null;
}

export interface Named {
  id: string;
  has_tenant: boolean;
  /** Whether the lease that is named, or else that of the charge, is the tenant's. */
  has_lease: boolean;
  /** Null if there is no such charge, or it is voided. */
  charge_lease_id: string | null;
}

/** Finds the leases and charges that payments name. */
export const findNamed = (db: Db, accountId: string, naming: Naming[]): Promise<Named[]> =>
  db.query<Named>(sql`
    select n.id, t.id is not null as has_tenant, lt.lease_id is not null as has_lease, c.lease_id as charge_lease_id
    from ${rowsAsTable(naming, { id: 'uuid', tenant_id: 'uuid', lease_id: 'uuid', charge_id: 'uuid' })}
    left join tenants t on t.account_id = ${accountId} and t.id = n.tenant_id
    left join charges c on c.account_id = ${accountId} and c.id = n.charge_id and c.voided_on is null
    left join lease_tenants lt on lt.account_id = ${accountId} and lt.tenant_id = n.tenant_id
      and lt.lease_id = coalesce(n.lease_id, c.lease_id)`);

interface Move {
  id: string;
  lease_id: string;
  unit_id: string;
  property_id: string;
}

/**
 * The payments of these tenants that name neither a lease nor a charge, and for which the rule now chooses another
 * lease. What was paid for a lease that is no longer the tenant's stays there: a flatmate who moves out does not take
 * along what they paid. They are locked, always in the same order.
 */
export const findMoves = (tx: Db, accountId: string, tenantIds: string[]): Promise<Move[]> =>
  tx.query<Move>(sql`
    select p.id, lease.id as lease_id, lease.unit_id, lease.property_id
    from payments p cross join lateral (${leaseOf(accountId, 'p', sql`true`)}) lease
    where p.account_id = ${accountId} and p.tenant_id = any(${tenantIds}::uuid[])
      and not p.lease_given and p.charge_id is null and p.lease_id is distinct from lease.id
      and (p.lease_id is null or exists (
        select from lease_tenants own
        where own.account_id = ${accountId} and own.lease_id = p.lease_id and own.tenant_id = p.tenant_id))
    order by p.id for no key update of p`);

export const movePayments = (accountId: string, moves: Move[], now: Date): Sql => sql`
  update payments p set lease_id = n.lease_id, unit_id = n.unit_id, property_id = n.property_id,
    ${setChanged('p', now)}
  from ${rowsAsTable(moves, { id: 'uuid', lease_id: 'uuid', unit_id: 'uuid', property_id: 'uuid' })}
  where p.account_id = ${accountId} and p.id = n.id returning p.*`;

/** When the tenants' payments are looked at again: this long after a change of leases, and then after each look. */
const looksAfterSeconds = [1, 30, 3600];
const [firstLook = 0, ...laterLooks] = looksAfterSeconds;
const checksAtOnce = 100;

export async function addCheck(tx: Db, accountId: string, tenantIds: string[], now: Date): Promise<void> {
  await tx.query(sql`
    insert into payment_checks (account_id, id, tenant_ids, next_at)
    values (${accountId}, ${newId()}, ${tenantIds}::uuid[], ${new Date(now.getTime() + firstLook * 1_000)})`);
}

export const findAccountsToCheck = (
  db: Db,
  now: Date,
): Promise<{ account_id: string; time_zone: string }[]> =>
  db.query(sql`/* across accounts */
    select a.id as account_id, a.time_zone from accounts a
    where not a.erasing and a.id in (
      select c.account_id from payment_checks c where c.next_at <= ${now} order by c.next_at limit ${literal(checksAtOnce)})`);

interface Check {
  id: string;
  tenant_ids: string[];
}

/** Checks that are due, unless another worker has them. */
export const takeChecks = (tx: Db, accountId: string, now: Date): Promise<Check[]> =>
  tx.query<Check>(sql`
    select id, tenant_ids::text[] from payment_checks where account_id = ${accountId} and next_at <= ${now}
    order by id limit ${literal(checksAtOnce)} for update skip locked`);

/** Schedules the next look. Checks that have had their last look are removed. */
export async function putOffChecks(tx: Db, accountId: string, ids: string[], now: Date): Promise<void> {
  await tx.query(sql`
    with done as (
      delete from payment_checks
      where account_id = ${accountId} and id = any(${ids}::uuid[]) and looks >= ${literal(laterLooks.length)})
    update payment_checks
    set looks = looks + 1, next_at = ${now}::timestamptz + (${laterLooks}::integer[])[looks + 1] * interval '1 second'
    where account_id = ${accountId} and id = any(${ids}::uuid[]) and looks < ${literal(laterLooks.length)}`);
}
