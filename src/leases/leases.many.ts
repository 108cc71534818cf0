import { dateOf } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { findMany, type ManyTable, tableOf, updateMany, type WithId, withTime } from '../db/many.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { refuseViolations } from '../db/violations.ts';
import type { SubscribableEvent } from '../events/catalogue.ts';
import { type Many, type ManyWrite, recordMany } from '../events/record-many.ts';
import { type LeaseRow, leaseShape } from './leases.store.ts';
import { checkDates, refusals } from './leases.ts';

export type ManyLeasesRow = { unit_id: string } & { [Field in keyof LeaseRow]: LeaseRow[Field] };
type Terms = Omit<ManyLeasesRow, 'unit_id' | 'tenant_ids'>;
type Lease = WithId<ManyLeasesRow>;

const terms: ManyTable<Terms> = {
  table: 'leases',
  columns: {
    start_date: 'date',
    end_date: 'date',
    rent_cents: 'bigint',
    deposit_cents: 'bigint',
    currency: 'text',
    due_day: 'smallint',
    notice_given_on: 'date',
    ended_on: 'date',
  },
};

/** Many leases at once, for imports. */
export const manyLeases: Many<ManyLeasesRow> = {
  async find(db, accountId, ids, lock) {
    const found = await findMany<Terms & { unit_id: string }>(
      db,
      { table: 'leases', columns: { unit_id: 'uuid', ...terms.columns } },
      accountId,
      ids,
      lock,
    );
    const tenants = await findTenantsOf(db, accountId, ids);
    return found.map((lease) => ({ ...lease, tenant_ids: tenants.get(lease.id) ?? [] }));
  },

  async add(tx, write, leases) {
    for (const lease of leases) checkDates(lease);
    await refuseViolations('leases', () => tx.query(insertLeases(write.accountId, leases)), refusals);
    await addTenants(tx, write.accountId, leases);
    await recordLeases(tx, write, 'lease.created', leases, ({ ended_on }) => ended_on !== null);
  },

  async change(tx, write, leases, before) {
    for (const lease of leases) checkDates(lease);
    const ids = leases.map(({ id }) => id);
    await tx.query(
      sql`delete from lease_tenants where account_id = ${write.accountId} and lease_id = any(${ids}::uuid[])`,
    );
    await addTenants(tx, write.accountId, leases);
    await refuseViolations(
      'leases',
      () => tx.query(updateMany<Terms>(terms, write.accountId, leases, write.now)),
      refusals,
    );
    const ends = (lease: Lease) =>
      lease.ended_on !== null && lease.ended_on !== before.get(lease.id)?.ended_on;
    await recordLeases(tx, write, 'lease.updated', leases, ends);
  },
};

async function findTenantsOf(db: Db, accountId: string, ids: string[]): Promise<Map<string, string[]>> {
  const rows = await db.query<{ lease_id: string; tenant_ids: string[] }>(sql`
    select lease_id, array_agg(tenant_id::text order by position) as tenant_ids from lease_tenants
    where account_id = ${accountId} and lease_id = any(${ids}::uuid[]) group by lease_id`);
  return new Map(rows.map((row) => [row.lease_id, row.tenant_ids]));
}

function insertLeases(accountId: string, leases: Lease[]): Sql {
  const names = Object.keys(terms.columns);
  const columns = { id: 'uuid', unit_id: 'uuid', ...terms.columns, at: 'timestamptz' };
  return sql`
    insert into leases (account_id, id, unit_id, property_id, ${raw(names.join(', '))}, created_at, updated_at)
    select ${accountId}, n.id, u.id, u.property_id, ${raw(names.map((name) => `n.${name}`).join(', '))}, n.at, n.at
    from ${tableOf(leases.map(withTime), columns)} join units u on u.account_id = ${accountId} and u.id = n.unit_id`;
}

async function addTenants(tx: Db, accountId: string, leases: Lease[]): Promise<void> {
  const rows = leases.flatMap(({ id, tenant_ids }) =>
    tenant_ids.map((tenant_id, at) => ({ lease_id: id, tenant_id, position: at + 1 })),
  );
  await refuseViolations('lease_tenants', () =>
    tx.query(sql`
      insert into lease_tenants (account_id, lease_id, tenant_id, position)
      select ${accountId}, n.lease_id, n.tenant_id, n.position
      from ${tableOf(rows, { lease_id: 'uuid', tenant_id: 'uuid', position: 'smallint' })}`),
  );
}

/** After the rows and their tenants are there: the record's JSON names the tenants. */
async function recordLeases(
  tx: Db,
  write: ManyWrite,
  event: SubscribableEvent,
  leases: Lease[],
  ends: (lease: Lease) => boolean,
): Promise<void> {
  if (!write.events) return;
  const groups: [Lease[], SubscribableEvent[]][] = [
    [leases.filter((lease) => !ends(lease)), [event]],
    [leases.filter(ends), [event, 'lease.ended']],
  ];
  for (const [some, events] of groups) {
    const ids = some.map(({ id }) => id);
    const rows = sql`select * from leases where account_id = ${write.accountId} and id = any(${ids}::uuid[])`;
    await recordMany(tx, write, { shape: leaseShape(dateOf(write.now)), rows, count: some.length, events });
  }
}
