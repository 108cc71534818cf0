import type { Db } from '../../db/connect.ts';
import { listRecords, type Page } from '../../db/lists/list.ts';
import { shapeOf, type WithId } from '../../db/records/columns.ts';
import { date, id, present, word } from '../../db/records/json.ts';
import { insertRows } from '../../db/records/rows.ts';
import type { RecordShape } from '../../db/records/shape.ts';
import { numbered } from '../../db/records/written-in.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { decimalAmount } from '../../money.ts';
import type { PageBounds } from '../../paging.ts';
import { leaseOfTenant } from '../lease-of-tenant.ts';
import { columnsOfLease, joinLease } from '../leases.store.ts';
import { type RecurringRow, recurringCharges } from './recurring.columns.ts';
import type { RecurringFilter } from './recurring.schema.ts';

/** The next charge may already be posted, or is still to come. */
const nextDue = (accountId: string, today: string): Sql => sql`
  left join lateral (
    select coalesce(
      (select min(c.due_on) from charges c where c.account_id = ${accountId} and c.recurring_charge_id = r.id
        and c.voided_on is null and c.due_on >= ${today}::date), r.next_charge_on) as due_on) next on true`;

export const recurringShape = (accountId: string, today: string): RecordShape =>
  shapeOf(
    recurringCharges,
    {
      lease_id: [present(id('prop', 'r.property_id')), present(id('unit', 'r.unit_id'))],
      amount_cents: [
        present(word(decimalAmount('r.amount_cents', 'r.currency'), 'amount')),
        present(word('r.currency')),
      ],
      source: [date('next.due_on', 'next_due_on')],
    },
    nextDue(accountId, today),
  );

/** Unit, property and currency come from the lease. */
export const insertRecurring = (accountId: string, rows: WithId<RecurringRow>[]): Sql =>
  insertRows(recurringCharges, accountId, rows, {
    values: {
      ...columnsOfLease,
      ...numbered,
    },
    joins: joinLease(accountId),
  });

export async function findUnposted(tx: Db, accountId: string, recurringId: string): Promise<string | null> {
  const [row] = await tx.query<{ next_charge_on: string | null }>(sql`
    select next_charge_on::text from recurring_charges where account_id = ${accountId} and id = ${recurringId}`);
  return row?.next_charge_on ?? null;
}

export async function findLeaseOf(tx: Db, accountId: string, recurringId: string): Promise<string | null> {
  const [row] = await tx.query<{ lease_id: string }>(
    sql`select lease_id from recurring_charges where account_id = ${accountId} and id = ${recurringId}`,
  );
  return row?.lease_id ?? null;
}

export function listRecurring(
  db: Db,
  accountId: string,
  { external_id, lease_id, tenant_id, property_id, kind }: RecurringFilter,
  bounds: PageBounds,
  today: string,
): Promise<Page> {
  return listRecords(db, recurringShape(accountId, today), {
    accountId,
    bounds,
    ...(external_id === undefined ? {} : { few: sql`r.external_id = ${external_id}` }),
    conditions: [
      ...(lease_id === undefined ? [] : [sql`r.lease_id = ${lease_id}`]),
      ...(tenant_id === undefined ? [] : [sql`r.lease_id in (${leaseOfTenant(accountId, tenant_id)})`]),
      ...(property_id === undefined ? [] : [sql`r.property_id = ${property_id}`]),
      ...(kind === undefined ? [] : [sql`r.kind = any(${kind})`]),
    ],
  });
}
