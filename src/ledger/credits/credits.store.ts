import type { Caller } from '../../caller.ts';
import type { Db } from '../../db/connect.ts';
import { listRecords, type Page } from '../../db/lists/list.ts';
import type { SortKeys } from '../../db/lists/sorted-rows.ts';
import { setChanged } from '../../db/records/changed-at.ts';
import { shapeOf, type WithId } from '../../db/records/columns.ts';
import { id, present, word } from '../../db/records/json.ts';
import { insertRows } from '../../db/records/rows.ts';
import type { RecordShape } from '../../db/records/shape.ts';
import { numbered } from '../../db/records/written-in.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import { decimalAmount } from '../../money.ts';
import type { PageBounds } from '../../paging.ts';
import { type Searched, searchByNames, textOf } from '../../search/search-by-names.ts';
import { leaseOfTenant } from '../lease-of-tenant.ts';
import { columnsOfLease, joinLease } from '../leases.store.ts';
import { type CreditRow, credits } from './credits.columns.ts';
import type { CreditFilter, creditSortFields } from './credits.schema.ts';

const status = raw("case when k.voided_on is null then 'active' else 'voided' end");

export const creditShape: RecordShape = shapeOf(credits, {
  lease_id: [present(id('prop', 'k.property_id')), present(id('unit', 'k.unit_id'))],
  amount_cents: [
    present(word(decimalAmount('k.amount_cents', 'k.currency'), 'amount')),
    present(word('k.currency')),
  ],
  void_reason: [present(word(status, 'status'))],
});

/** Unit, property and currency come from the lease. */
export const insertCredits = (accountId: string, rows: WithId<CreditRow>[]): Sql =>
  insertRows(credits, accountId, rows, {
    values: {
      ...columnsOfLease,
      ...numbered,
    },
    joins: joinLease(accountId),
  });

export const updateVoided = (
  accountId: string,
  creditId: string,
  { reason, on, now }: { reason: string; on: string; now: Date },
): Sql => sql`
  update credits k set voided_on = ${on}::date, void_reason = ${reason}, ${setChanged('k', now)}
  where k.account_id = ${accountId} and k.id = ${creditId} returning k.*`;

export async function findLeaseOf(tx: Db, accountId: string, creditId: string): Promise<string | null> {
  const [row] = await tx.query<{ lease_id: string }>(
    sql`select lease_id from credits where account_id = ${accountId} and id = ${creditId}`,
  );
  return row?.lease_id ?? null;
}

export async function isVoided(tx: Db, accountId: string, creditId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from credits where account_id = ${accountId} and id = ${creditId} and voided_on is not null`);
  return rows.length > 0;
}

/** The same expression as in the index credits_by_day. */
const sortKeys: SortKeys<(typeof creditSortFields)[number]> = {
  credited_on: { key: (k) => `${k}.credited_on`, type: 'date' },
};

const searched: Searched = {
  table: 'credits',
  alias: 'k',
  ...textOf('k', 'memo', 'external_id'),
  tenants: 'lease_id',
  unitsVia: 'lease_id',
};

export function listCredits(db: Db, caller: Caller, filter: CreditFilter, bounds: PageBounds): Promise<Page> {
  const { accountId } = caller;
  const { lease_id, tenant_id, property_id, external_id, reason, status: statuses, from, to, q } = filter;
  return listRecords(db, creditShape, {
    accountId,
    bounds,
    search: q === undefined ? undefined : searchByNames(searched, caller, q),
    sorting: { keys: sortKeys },
    conditions: [
      ...(lease_id === undefined ? [] : [sql`k.lease_id = ${lease_id}`]),
      ...(tenant_id === undefined ? [] : [sql`k.lease_id in (${leaseOfTenant(accountId, tenant_id)})`]),
      ...(property_id === undefined ? [] : [sql`k.property_id = ${property_id}`]),
      ...(external_id === undefined ? [] : [sql`k.external_id = ${external_id}`]),
      ...(reason === undefined ? [] : [sql`k.reason = any(${reason})`]),
      ...(statuses === undefined ? [] : [sql`${status} = any(${statuses})`]),
      ...(from === undefined ? [] : [sql`k.credited_on >= ${from}::date`]),
      ...(to === undefined ? [] : [sql`k.credited_on <= ${to}::date`]),
    ],
  });
}
